"""Reads lists and texts as JSON lines, and prints their fingerprints by the package simhash."""
import json
import sys

from simhash import Simhash

for line in open(sys.argv[1], encoding="utf-8"):
    case = json.loads(line)
    if "text" in case:
        value = case["text"]
    else:
        value = [item if isinstance(item, str) else tuple(item) for item in case["list"]]
    try:
        print(f"{Simhash(value, f=case['f']).value:0{case['f'] // 4}x}")
    except (TypeError, OverflowError) as error:
        print(type(error).__name__)
