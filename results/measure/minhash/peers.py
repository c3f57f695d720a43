"""Sketches sets of random features by calls of libraries, each until it has taken a fiftieth of a
second of CPU time. Prints the versions of the libraries, and then a line for each call and size:
library, call, kind of the features, size and nanoseconds per feature.

Arguments: the number of features, and the sizes of the sets.
"""
import sys
import time
from importlib.metadata import version

import numpy
from FastSketchLSH import FastSimilaritySketch
from rensa import RMinHash

count, *sizes = map(int, sys.argv[1:])
random = numpy.random.default_rng(1)
numbers = random.integers(2**64, size=count, dtype=numpy.uint64)
strings = ["%06x %06x" % tuple(pair) for pair in random.integers(2**24, size=(count, 2))]
fast = FastSimilaritySketch(128, 42)


def update(sets):
    for features in sets:
        sketch = RMinHash(128, 42)
        sketch.update(features)
        sketch.digest()


print(f"rensa {version('rensa')}, FastSketchLSH {version('FastSketchLSH')}, numpy {numpy.__version__}, Python {sys.version.split()[0]}")
for size in sizes:
    offsets = numpy.arange(0, count + 1, size, dtype=numpy.uint64)
    features = int(offsets[-1])
    some = numbers[:features]
    sets = [strings[at:at + size] for at in range(0, features, size)]
    calls = {
        "rensa RMinHash.digest_matrix_from_flat_token_hashes hashes": lambda: RMinHash.digest_matrix_from_flat_token_hashes(some, offsets, 128, 42),
        "rensa RMinHash.digest_matrix_from_token_sets strings": lambda: RMinHash.digest_matrix_from_token_sets(sets, 128, 42),
        "rensa RMinHash.update strings": lambda: update(sets),
        "fastsketchlsh batch_csr hashes": lambda: fast.batch_csr(some, offsets, prehashed=True, num_threads=1),
        "fastsketchlsh batch strings": lambda: fast.batch(sets, num_threads=1),
    }
    for name, call in calls.items():
        times, start = 0, time.process_time()
        while (taken := time.process_time() - start) < 0.02:
            call()
            times += 1
        print(name, size, taken / times / features * 1e9)
