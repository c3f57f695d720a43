"""Finds near-duplicates among the documents of Parquet files by datasketch's MinHash and LSH, each
with those before it, on one processor. What it says and writes is as of textdedup.py.

Arguments: minhash, the number of processors, a folder to work in, and the files.
"""
import os
import re
import sys
import time
from importlib.metadata import version

import pyarrow.parquet
from datasketch import MinHash, MinHashLSH

method, cpus, folder, *files = sys.argv[1:]
print("pid", os.getpid(), flush=True)
print("version", version("datasketch"), "of Python", sys.version.split()[0], flush=True)
print("begin total", flush=True)
start = time.monotonic()
lsh = MinHashLSH(threshold=0.7, num_perm=128)
groups = []  # by document: one before it in the same group, or itself


def group_of(i):
    while groups[i] != i:
        groups[i] = i = groups[groups[i]]
    return i


for file in files:
    for batch in pyarrow.parquet.ParquetFile(file).iter_batches(columns=["text"]):
        for text in batch.column(0).to_pylist():
            words = re.findall(r"\w+", text.lower())
            sketch = MinHash(num_perm=128)
            sketch.update_batch({f"{a} {b}".encode() for a, b in zip(words, words[1:])})
            groups.append(len(groups))
            for other in lsh.query(sketch):
                groups[group_of(other)] = group_of(groups[-1])
            lsh.insert(len(groups) - 1, sketch)
print("end total", time.monotonic() - start, flush=True)
with open(os.path.join(folder, "clusters.txt"), "w") as out:
    for i in range(len(groups)):
        if group_of(i) != i:
            print(i, group_of(i), file=out)
