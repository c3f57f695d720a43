"""Prints the fingerprints of texts as the package simhash has them: a decimal number, a tab, the id."""
import json
import sys

from simhash import Simhash

for line in open(sys.argv[1], encoding="utf-8"):
    document = json.loads(line)
    print(Simhash(document["text"]).value, document["id"], sep="\t")
