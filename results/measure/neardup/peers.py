"""Removes near-duplicates from a file of JSON lines, as in the documentation of a library. Writes
the ids of the dropped texts, one per line. Prints to standard error the CPU time in seconds since
the imports, the peak memory in bytes, and the versions.

Arguments: the library, the file, a folder for its work, the file for the ids.
"""
import json
import os
import re
import resource
import sys
import time
from importlib.metadata import version

library, path, folder, out = sys.argv[1:]


def seconds():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def peak():
    with open("/proc/self/status") as status:
        own = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    return 1024 * own


def read():
    with open(path) as lines:
        for line in lines:
            record = json.loads(line)
            yield str(record["id"]), record["text"]


def datasketch_():
    lsh = MinHashLSH(threshold=0.8, num_perm=128)
    for id, text in read():
        sketch = MinHash(num_perm=128)
        sketch.update_batch([word.encode() for word in set(text.split())])
        if lsh.query(sketch):
            yield id
        else:
            lsh.insert(id, sketch)


def rensa_():
    dedup = RMinHashDeduplicator(threshold=0.8, num_perm=128, use_lsh=True)
    texts = list(read())
    keep = dedup.add_pairs((id, text.split()) for id, text in texts)
    yield from (id for (id, _), kept in zip(texts, keep) if not kept)


def text_dedup_():
    result = folder + "/deduplicated"
    sys.argv = ["minhash", "--path", "json", "--data_files", path, "--split", "train", "--num_proc", "1",
                "--cache_dir", folder + "/cache", "--output", result, "--column", "text", "--batch_size", "10000"]
    try:
        text_dedup.minhash.main(standalone_mode=False)
    except ValueError as error:  # no text has five words
        if "__cluster__" not in str(error):
            raise
        return
    kept = set(datasets.load_from_disk(result)["id"])
    # text-dedup leaves out shorter texts without comparing them.
    yield from (id for id, text in read() if id not in kept and len(re.split(r"\W", text.lower())) >= 5)


if library == "datasketch":
    from datasketch import MinHash, MinHashLSH
    run, packages = datasketch_, ["datasketch", "numpy"]
elif library == "rensa":
    from rensa import RMinHashDeduplicator
    run, packages = rensa_, ["rensa"]
else:
    os.environ["HF_HOME"] = folder
    import datasets
    import text_dedup.minhash
    run, packages = text_dedup_, ["text-dedup", "datasets"]

start = seconds()
with open(out, "w") as file:
    file.writelines(f"{id}\n" for id in run())
print(seconds() - start, peak(), ", ".join(f"{name} {version(name)}" for name in packages), file=sys.stderr)
