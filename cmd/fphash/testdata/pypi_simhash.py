"""Prints the fingerprints of texts as fphash reads them: 16 hexadecimal digits, a tab, the id."""
import json
import sys

from simhash import Simhash

for line in open(sys.argv[1], encoding="utf-8"):
    document = json.loads(line)
    print(f"{Simhash(document['text']).value:016x}\t{document['id']}")
