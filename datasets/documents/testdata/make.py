"""Writes the files of this folder: pip install pandas duckdb; python3 make.py

All hold the same documents.
"""
import csv
import json
import os
import sys

import duckdb
import pandas

folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(folder, name)


frame = pandas.DataFrame({
    "id": ["1", "b", "\u00e9", "4"],
    "text": ['plain "quoted", a/b', "", "two\nlines\tand \U0001f600 \u2028 \u7f8e\u56fd", " spaces \\ 'x' "],
    "n": [1.5, 2, -3, 0],
})
frame.to_json(path("pandas.jsonl"), orient="records", lines=True)
frame.to_json(path("pandas_utf8.jsonl.gz"), orient="records", lines=True, force_ascii=False, compression={"method": "gzip", "mtime": 0})
frame.to_csv(path("pandas.csv"), index=False)
frame.to_csv(path("pandas_index_crlf.csv.bz2"), lineterminator="\r\n")
frame.to_csv(path("pandas_bom.tsv"), sep="\t", index=False, quoting=csv.QUOTE_NONNUMERIC, encoding="utf-8-sig")
duckdb.sql("copy frame to '%s' (format csv, header)" % path("duckdb.csv"))
duckdb.sql("copy frame to '%s' (format json)" % path("duckdb.jsonl"))
with open(path("python.jsonl"), "w") as f:
    for record in frame.to_dict("records"):
        print(json.dumps({"meta": {"id": "no", "text": ["no"]}, **record}), file=f)
