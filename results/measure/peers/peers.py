"""Runs text-dedup or datasketch on files of documents, and says on standard output when each stage
begins and ends, "begin NAME", "end NAME SECONDS", and "user SECONDS" of the processors. It writes a
line for each document that has near-duplicates into clusters.txt: its number, from 0, and that of
the document that stands for the group.

Arguments: simhash or minhash, of text-dedup, or datasketch, with settings such as ngram_size=2 in
the same argument; the number of processors, a folder to work in, and the files: Parquet, or for all
but simhash of text-dedup JSON lines, with a field text.
"""
import os
import sys
import time

method, cpus, folder, *files = sys.argv[1:]
method, *settings = method.split()
settings = dict(setting.split("=") for setting in settings)
cpus = int(cpus)
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cpus])
os.environ.update(
    HF_HOME=os.path.join(folder, "cache"), HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1",
    POLARS_MAX_THREADS=str(cpus), TMPDIR=folder,
)
os.chdir(folder)


def text_dedup():
    """Returns a function that runs it and returns the groups."""
    import pickle
    from importlib import import_module
    from pathlib import Path

    import text_dedup.utils.timer as timer
    from text_dedup.config.base import load_config_from_toml

    # As its documentation has them; what it does not set is as it comes.
    algorithm = {
        "simhash": {"f": 64, "ngram_size": 3, "bit_diff": 3, "num_bucket": 4},
        "minhash": {
            "seed": 42, "batch_size": 10000, "num_perm": 240, "threshold": 0.7, "false_positive_weight": 0.5,
            "false_negative_weight": 0.5, "hash_bits": 64, "ngram_size": 5, "check_false_positive": "true",
        },
    }[method]
    lines = "\n".join(f"{name} = {value}" for name, value in {**algorithm, **settings}.items())
    kind = "json" if files[0].endswith(".jsonl") else "parquet"
    Path("config.toml").write_text(f"""
[input]
input_type = "local_files"
file_type = "{kind}"
[input.read_arguments]
path = "{kind}"
data_files = {files!r}
split = "train"
[algorithm]
algorithm_name = "{method}"
text_column = "text"
num_proc = {cpus}
{lines}
[output]
output_dir = "output"
save_clusters = true
[debug]
enable_profiling = false
""")
    context = timer.TimerContext
    enter, leave = context.__enter__, context.__exit__

    def begin(self):
        print("begin", self.name.lower(), flush=True)
        return enter(self)

    def end(self, *failure):
        result = leave(self, *failure)
        print("end", self.name.lower(), self.timer.elapsed_times[self.name], flush=True)
        return result

    context.__enter__, context.__exit__ = begin, end
    main = import_module("text_dedup." + method).main

    def run():
        main(load_config_from_toml(Path("config.toml")))
        with open("output/clusters.pickle", "rb") as f:
            return pickle.load(f)

    return run


def datasketch():
    """Returns a function that returns the groups: what chains of pairs connect, as text-dedup does."""
    import json
    import re

    import pyarrow.parquet
    from datasketch import MinHash, MinHashLSH

    n, permutations = int(settings.get("ngram_size", 2)), int(settings.get("num_perm", 128))
    threshold = float(settings.get("threshold", 0.7))

    def texts():
        for path in files:
            if path.endswith(".jsonl"):
                with open(path, encoding="utf-8") as lines:
                    for line in lines:
                        yield json.loads(line)["text"]
            else:
                for batch in pyarrow.parquet.ParquetFile(path).iter_batches(columns=["text"]):
                    yield from batch.column(0).to_pylist()

    def run():
        begin = time.perf_counter()
        print("begin total", flush=True)
        lsh, group, number = MinHashLSH(threshold=threshold, num_perm=permutations), {}, 0

        def root(i):
            while group.get(i, i) != i:
                i = group[i]
            return i

        for text in texts():
            words = re.findall(r"\w+", text.lower())
            shingles = {" ".join(words[i:i + n]).encode() for i in range(max(len(words) - n + 1, 1))}
            m = MinHash(num_perm=permutations)
            m.update_batch(shingles)
            for near in lsh.query(m):
                a, b = sorted((root(near), root(number)))
                group[a], group[b] = a, a
            lsh.insert(number, m)
            number += 1
        print("end total", time.perf_counter() - begin, flush=True)
        return {i: root(i) for i in group}

    return run


if __name__ == "__main__":
    from importlib.metadata import version

    library = "datasketch" if method == "datasketch" else "text-dedup"
    print("pid", os.getpid(), flush=True)
    print("version", version(library), "of Python", sys.version.split()[0], flush=True)
    run = datasketch() if method == "datasketch" else text_dedup()
    before = os.times()
    groups = run()
    after = os.times()
    print("user", after.user + after.children_user - before.user - before.children_user, flush=True)
    with open("clusters.txt", "w") as out:
        for document, group in groups.items():
            print(document, group, file=out)
