"""Compares copies of Parquet files with the files: every other row, and all else the same.

Arguments: the folder of the files and that of the copies. It says what pyarrow finds to be
different, in values, schema or metadata, and what pandas and DuckDB find in the values.
"""
import glob
import os
import sys

import duckdb
import pandas
import pyarrow as pa
import pyarrow.parquet as pq

files, copies = sys.argv[1:]
kept = {"pyarrow_not_utf8.parquet": [2]}  # rows that are documents

for path in sorted(glob.glob(os.path.join(files, "*.parquet"))):
    name = os.path.basename(path)
    copy = os.path.join(copies, name)
    before, after = pq.read_table(path), pq.read_table(copy)
    rows = kept.get(name, [i for i in range(before.num_rows) if i % 2 == 1])
    want = before.filter(pa.array([i in rows for i in range(before.num_rows)], pa.bool_()))
    if not after.schema.equals(want.schema, check_metadata=True):
        print(name, "schema", after.schema, want.schema)
    if after.to_pylist() != want.to_pylist():
        print(name, "pyarrow", after.to_pylist(), want.to_pylist())
    metadata = pq.ParquetFile(path).metadata.metadata, pq.ParquetFile(copy).metadata.metadata
    if (metadata[0] or {}) != (metadata[1] or {}):
        print(name, "metadata", metadata)
    texts = [c for c in ("text", "id") if c in after.column_names]
    frames = [pandas.read_parquet(p, dtype_backend="numpy_nullable")[texts].to_dict("records") for p in (path, copy)]
    if repr([frames[0][i] for i in rows]) != repr(frames[1]):
        print(name, "pandas", frames)
    records = [duckdb.sql(f"select columns(*)::varchar from '{p}'").fetchall() for p in (path, copy)]
    if [records[0][i] for i in rows] != records[1]:
        print(name, "duckdb", records)
print("compared")
