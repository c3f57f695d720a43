"""Runs text-dedup on Parquet files, and says on standard output when each of its stages begins and
ends: "begin NAME", "end NAME SECONDS". It writes a line for each document that has near-duplicates
into clusters.txt: its number, from 0, and that of the document that stands for the group.

Arguments: simhash or minhash, the number of processors, a folder to work in, and the files.
"""
import os
import pickle
import sys

method, cpus, folder, *files = sys.argv[1:]
cpus = int(cpus)
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cpus])
os.environ.update(
    HF_HOME=os.path.join(folder, "cache"), HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1",
    POLARS_MAX_THREADS=str(cpus), TMPDIR=folder,
)
os.chdir(folder)

from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import text_dedup.utils.timer as timer
from text_dedup.config.base import load_config_from_toml

# As its documentation has them; what it does not set is as it comes.
algorithms = {
    "simhash": "f = 64\nngram_size = 3\nbit_diff = 3\nnum_bucket = 4\n",
    "minhash": "seed = 42\nbatch_size = 10000\nnum_perm = 240\nthreshold = 0.7\nfalse_positive_weight = 0.5\n"
    "false_negative_weight = 0.5\nhash_bits = 64\nngram_size = 5\ncheck_false_positive = true\n",
}
config = f"""
[input]
input_type = "local_files"
file_type = "parquet"
[input.read_arguments]
path = "parquet"
data_files = {files!r}
split = "train"
[algorithm]
algorithm_name = "{method}"
text_column = "text"
num_proc = {cpus}
{algorithms[method]}
[output]
output_dir = "output"
save_clusters = true
[debug]
enable_profiling = false
"""
Path("config.toml").write_text(config)

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

if __name__ == "__main__":
    print("pid", os.getpid(), flush=True)
    print("version", version("text-dedup"), "of Python", sys.version.split()[0], flush=True)
    import_module("text_dedup." + method).main(load_config_from_toml(Path("config.toml")))
    with open("output/clusters.pickle", "rb") as f, open("clusters.txt", "w") as out:
        for document, group in pickle.load(f).items():
            print(document, group, file=out)
