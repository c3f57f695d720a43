"""Sketches the sets of features in a file, which has a JSON list of strings in each line. Each line
of standard input is a library call, which is repeated until it has taken a twentieth of a second of
CPU time. Prints the versions of the libraries, and then for each call the nanoseconds per feature.

Arguments: the file.
"""
import json
import sys
import time
from importlib.metadata import version

import numpy
from datasketch import MinHash
from rensa import CMinHash, RMinHash

with open(sys.argv[1]) as lines:
    sets = [json.loads(line) for line in lines]
encoded = [[feature.encode() for feature in features] for features in sets]
features = sum(map(len, sets))
numbers = numpy.random.default_rng(1).integers(2**64, size=features, dtype=numpy.uint64)
offsets = numpy.cumsum([0] + [len(features) for features in sets], dtype=numpy.uint64)
lists = [numbers[a:b].tolist() for a, b in zip(offsets, offsets[1:])]


def update(sketch_of, update, sets):
    def call():
        for features in sets:
            sketch = sketch_of()
            update(sketch, features)
            sketch.digest()
    return call


calls = {
    "rensa RMinHash.update": update(lambda: RMinHash(128, 42), RMinHash.update, sets),
    "rensa RMinHash.digest_matrix_from_token_sets": lambda: RMinHash.digest_matrix_from_token_sets(sets, 128, 42),
    "rensa CMinHash.update": update(lambda: CMinHash(128, 42), CMinHash.update, sets),
    "rensa CMinHash.digests64_from_token_sets": lambda: CMinHash.digests64_from_token_sets(sets, 128, 42),
    "rensa RMinHash.digest_matrix_from_flat_token_hashes": lambda: RMinHash.digest_matrix_from_flat_token_hashes(numbers, offsets, 128, 42),
    "rensa CMinHash.digests64_from_token_hash_sets": lambda: CMinHash.digests64_from_token_hash_sets(lists, 128, 42),
    "datasketch MinHash.update_batch": update(lambda: MinHash(128), MinHash.update_batch, encoded),
    "datasketch MinHash.bulk": lambda: MinHash.bulk(encoded, num_perm=128),
}

print(f"rensa {version('rensa')}, datasketch {version('datasketch')}, numpy {numpy.__version__}, Python {sys.version.split()[0]}", flush=True)
for line in sys.stdin:
    call, times, start = calls[line.rstrip("\n")], 0, time.process_time()
    while (taken := time.process_time() - start) < 0.05:
        call()
        times += 1
    print(taken / times / features * 1e9, flush=True)
