"""Writes documents with pandas, pyarrow and DuckDB, and joins them with the attributes of dedup.

Arguments: "write FOLDER" writes FOLDER/in. "read FOLDER FORMAT" prints for each file the ids of the
records to keep, according to the attributes in FOLDER/FORMAT, and whether the files in FOLDER/kept
have the same records. "query FOLDER SQL" prints the ids of the rows of a query that runs in FOLDER.
"""
import os
import sys

import duckdb
import pandas
import pyarrow
import pyarrow.parquet

folder = sys.argv[2]
names = ["duckdb.parquet", "pandas.jsonl.gz", "pyarrow.parquet", "duckdb.csv"]


def at(*parts):
    return os.path.join(folder, *parts)


def write():
    words = [f"word{i}" for i in range(200)]
    texts = [" ".join(words[start:start + 100]) + '\n"quoted", \u00e9' for start in (0, 0, 50, 100)]
    texts[1] += " more"  # a near-duplicate of the one before
    os.makedirs(at("in"))
    first = pandas.DataFrame({"id": range(4), "text": texts})
    duckdb.sql("select id, text, id / 3 as third from first").write_parquet(at("in", "duckdb.parquet"))
    same = pandas.DataFrame({"id": ["a", "b"], "text": ["something else " * 10, texts[3]]})
    same.to_json(at("in", "pandas.jsonl.gz"), orient="records", lines=True)
    other = [text.replace("word", "other") for text in texts]
    table = pyarrow.table({"id": pyarrow.array([11, 12, 13], pyarrow.uint32()), "text": [other[0], other[1], other[3]]})
    pyarrow.parquet.write_table(table, at("in", "pyarrow.parquet"), compression="zstd")
    third = pandas.DataFrame({"id": [21, 22, 23], "text": [t.replace("word", "third") for t in (texts[0], texts[1], texts[3])]})
    duckdb.sql(f"copy third to '{at('in', 'duckdb.csv')}' (header)")


def table(path):
    if path.endswith(".parquet"):
        return f"read_parquet('{path}')"
    if path.endswith((".jsonl", ".jsonl.gz")):
        return f"read_json('{path}', format='newline_delimited')"
    return f"read_csv('{path}', header=true)"


def read(form):
    same = True
    for name in names:
        # in Parquet the ids of a run are texts, if some of them are
        attributes = at(form, name if name.endswith("." + form) else name + "." + form)
        dropped = f"select id::varchar as dropped from {table(attributes)} where not is_canonical"
        kept = duckdb.sql(f"select * from {table(at('in', name))} anti join ({dropped}) on id::varchar = dropped order by id").fetchall()
        print(name, *[row[0] for row in kept])
        same = same and kept == duckdb.sql(f"select * from {table(at('kept', name))} order by id").fetchall()
        frame = {"csv": pandas.read_csv, "parquet": pandas.read_parquet, "jsonl": lambda path: pandas.read_json(path, lines=True)}[form](attributes)
        ids = [row[0] for row in kept]
        same = same and frame[frame.is_canonical].id.tolist() == ([str(id) for id in ids] if form == "parquet" else ids)
    print("the same" if same else "not the same")


if sys.argv[1] == "write":
    write()
elif sys.argv[1] == "query":
    os.chdir(folder)
    print(*sorted(duckdb.sql(sys.argv[3]).df().id))
else:
    read(sys.argv[3])
