"""Writes the Parquet files of this folder: pip install pyarrow pandas duckdb; python3 make.py

All but damaged ones hold the same five documents, see documents below.
"""
import decimal
import os
import sys

import duckdb
import numpy
import pandas
import pyarrow as pa
import pyarrow.parquet as pq

folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))

texts = ["plain words", "", "two\nlines \U0001f600", "plain words", "\u7f8e\u56fd 51\u533a\x00"]
ids = [18446744073709551615, 0, 7, 9223372036854775808, 42]


def table(text=pa.string(), id=pa.uint64(), values=ids):
    return pa.table({
        "other": pa.array([[1, None], None, [], [2], [3]], pa.list_(pa.int32())),
        "text": pa.array(texts, text),
        "id": pa.array(values, id),
        "meta": pa.array([{"id": f"m{i}", "n": i} for i in range(5)]),
    })


def write(name, t, **options):
    pq.write_table(t, os.path.join(folder, name), **options)


write("pyarrow_snappy.parquet", table())
write("pyarrow_zstd_groups.parquet", table(), compression="zstd", row_group_size=2)
write("pyarrow_gzip_plain.parquet", table(), compression="gzip", use_dictionary=False)
write("pyarrow_brotli_v2.parquet", table(), compression="brotli", data_page_version="2.0", version="2.6")
write("pyarrow_large_string.parquet", table(pa.large_string()), compression="none")
write("pyarrow_dictionary_type.parquet", table(pa.dictionary(pa.int8(), pa.string())), compression="none")
write("pyarrow_delta.parquet", table(), use_dictionary=False,
      column_encoding={"text": "DELTA_BYTE_ARRAY", "id": "DELTA_BINARY_PACKED"})
write("pyarrow_delta_length.parquet", table(), use_dictionary=False, column_encoding={"text": "DELTA_LENGTH_BYTE_ARRAY"})
write("pyarrow_int64.parquet", table(id=pa.int64(), values=[-1, 2, -9223372036854775808, 4, 9223372036854775807]))
write("pyarrow_uint8.parquet", table(id=pa.uint8(), values=[255, 0, 1, 2, 3]))
write("pyarrow_string_id.parquet", table(id=pa.string(), values=["a", "", "b c", "\u00e9", "5"]))
write("pyarrow_binary.parquet", table(pa.binary()))
write("pyarrow_empty.parquet", table().slice(0, 0))

def of(kind, *values):
    return pa.array(list(values) + [None], kind)


more = {
    "bool": of(pa.bool_(), True, False, True, False),
    "float": of(pa.float32(), 0.1, float("inf"), -0.0, 1e-45),
    "double": of(pa.float64(), 0.1, 1e308, 5e-324, -0.0),
    "half": pa.array([1.5, -2, 0, 65504, None], pa.float16()),
    "int8": of(pa.int8(), -128, 127, 0, 1),
    "uint32": of(pa.uint32(), 4294967295, 0, 1, 2),
    "date": of(pa.date32(), 0, -1, 20000, 1),
    "timestamp_ns": of(pa.timestamp("ns", "UTC"), 1, -1, 2**62, 0),
    "timestamp_ms": of(pa.timestamp("ms"), 1, -1, 2**40, 0),
    "time": of(pa.time64("us"), 0, 1, 2, 3),
    "decimal": of(pa.decimal128(30, 3), *[decimal.Decimal(d) for d in ("1.250", "-9.999", "0", "1e20")]),
    "fixed": of(pa.binary(3), b"abc", b"\x00\xff\x01", b"   ", b"xyz"),
    "map": of(pa.map_(pa.string(), pa.int32()), [("a", 1)], [], [("b", 2), ("c", None)], [("", 0)]),
    "lists": of(pa.list_(pa.list_(pa.struct({"x": pa.int64(), "y": pa.string()}))), [], [[]], [[{"x": 1, "y": None}], []], [None]),
    "nothing": pa.nulls(5),
}
types = table()
for name, values in more.items():
    types = types.append_column(pa.field(name, values.type, metadata={"note": name}), values)
write("pyarrow_types.parquet", types.replace_schema_metadata({"made": "here", "x": "\u00e9"}), row_group_size=3)
write("pyarrow_int96.parquet", table().append_column("when", of(pa.timestamp("ns"), 1, -1, 2**62, 0)),
      use_deprecated_int96_timestamps=True)

nulls = pa.table({"text": pa.array(["a", None, "c"]), "id": pa.array([1, 2, None], pa.int64())})
write("pyarrow_nulls.parquet", nulls, row_group_size=2)
write("pyarrow_not_utf8.parquet", pa.table({"text": pa.array([b"a", b"b\xff", b"c"])}))

frame = pandas.DataFrame({"text": texts, "id": numpy.array(ids, "uint64")}, index=list("vwxyz"))
frame.to_parquet(os.path.join(folder, "pandas.parquet"))

frame = frame.reset_index(drop=True)
duckdb.sql("select text, id, {'id': 'm' || (row_number() over () - 1)} as meta from frame").write_parquet(
    os.path.join(folder, "duckdb.parquet"))
