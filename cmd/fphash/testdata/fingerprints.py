"""Reads fingerprints with pandas, pyarrow and DuckDB, and writes them again.

The argument is a folder with the files f.jsonl and f.parquet of fphash sketch. For each
library and record, this prints a line with a name, the id and the fingerprint (and its number), and
writes pandas.parquet, pyarrow.parquet, duckdb.parquet, duckdb.jsonl
and pandas.jsonl.
"""
import os
import sys

import duckdb
import pandas
import pyarrow.parquet

folder = sys.argv[1]


def at(name):
    return os.path.join(folder, name)


table = pyarrow.parquet.read_table(at("f.parquet"))
definition = table.schema.metadata[b"fphash.definition"].decode()
print("definition", definition, table.schema.field("fingerprint_u64").type)
for row in table.to_pylist():
    print("pyarrow", row["id"], row["fingerprint"], row["fingerprint_u64"], row["informative"])
frame = pandas.read_parquet(at("f.parquet"))
for row in frame.itertuples():
    print("pandas", row.id, row.fingerprint, row.fingerprint_u64, row.informative)
for row in duckdb.sql(f"select id, fingerprint, fingerprint_u64, informative from '{at('f.parquet')}'").fetchall():
    print("duckdb", *row)
lines = pandas.read_json(at("f.jsonl"), lines=True, dtype={"id": str, "fingerprint": str})
for row in lines.itertuples():
    print("jsonl", row.id, row.fingerprint, int(row.fingerprint, 16), row.informative)
for row in duckdb.sql(f"select id, fingerprint, informative from read_json('{at('f.jsonl')}', format='newline_delimited')").fetchall():
    print("duckdb-jsonl", row[0], row[1], int(row[1], 16), row[2])

frame.to_parquet(at("pandas.parquet"))
pyarrow.parquet.write_table(table, at("pyarrow.parquet"), compression="gzip", row_group_size=2)
duckdb.sql(f"copy (select * from '{at('f.parquet')}') to '{at('duckdb.parquet')}'")
duckdb.sql(f"copy (select * from '{at('f.parquet')}') to '{at('duckdb.jsonl')}'")
lines.to_json(at("pandas.jsonl"), orient="records", lines=True)
