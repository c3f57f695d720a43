"""Removes near-duplicates from a file of JSON lines by the jobs of examples/duckdb and examples/spark.
Writes the ids of the dropped texts, one per line. Prints to standard error the CPU time in seconds, the
peak memory of a process in bytes, and the versions.

Arguments: duckdb or spark, the file, a folder for its work, the file for the ids, fphash, examples.
"""
import os
import resource
import subprocess
import sys
from importlib.metadata import version

import duckdb

engine, path, folder, out, fphash, examples = sys.argv[1:]
columns = {"id": "VARCHAR", "text": "VARCHAR"}
duckdb.execute(f"""COPY (FROM read_json('{path}', format='newline_delimited', columns={columns}, maximum_object_size=1000000000))
  TO '{folder}/corpus.parquet'""")
job = [f"{examples}/{engine}/attributes.py", f"{folder}/corpus.parquet", f"{folder}/out"]
environment = os.environ | {"PATH": os.path.dirname(fphash) + ":" + os.environ["PATH"], "PYSPARK_PYTHON": sys.executable}
if engine == "spark":
    import pyspark
    job = [f"{pyspark.__path__[0]}/bin/spark-submit", "--master", "local[2]", "--conf", "spark.ui.enabled=false",
           "--conf", "spark.sql.shuffle.partitions=4", *job]
else:
    job = [sys.executable, *job]
done = subprocess.run(job, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
if done.returncode:
    sys.exit(done.stdout[-2000:].decode())
files = f"{folder}/out/attributes.parquet" if engine == "duckdb" else f"{folder}/out/attributes/*.parquet"
with open(out, "w") as file:
    file.writelines(f"{id}\n" for id, in duckdb.execute(f"SELECT id FROM '{files}' WHERE NOT is_kept").fetchall())
used = resource.getrusage(resource.RUSAGE_CHILDREN)
package = "duckdb" if engine == "duckdb" else "pyspark"
print(used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss, package, version(package), file=sys.stderr)
