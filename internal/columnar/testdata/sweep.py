# write FOLDER: writes a file for each codec, encoding, page version and share of nulls that pyarrow
# and DuckDB support, with a column of each type. Prints the SHA-256 of the values of each column
# that can be ids, which are neither null nor empty. It is the same for all files with the same
# share of nulls.
#
# compare FOLDER COPIES: prints the copies whose rows are not every second row of the original.
import datetime, decimal, hashlib, os, sys
import duckdb, pyarrow as pa, pyarrow.parquet as pq

ROWS, GROUP, PAGE = 2500, 1100, 2048
CODECS = ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]


def columns():
    import random
    r = random.Random(1)
    words = ["".join(r.choice("abcdefghij é美\n") for _ in range(r.randrange(0, 30))) for _ in range(ROWS)]
    few = [r.choice(words[:40]) for _ in range(ROWS)]
    for name, t in [("string", pa.string()), ("large_string", pa.large_string())]:
        yield name, t, words
    yield "binary", pa.binary(), [w.encode() for w in words]
    yield "few", pa.string(), few
    yield "dictionary", pa.dictionary(pa.int32(), pa.string()), few
    for bits in (8, 16, 32, 64):
        yield f"int{bits}", getattr(pa, f"int{bits}")(), [r.randrange(-(1 << bits - 1), 1 << bits - 1) for _ in range(ROWS)]
        yield f"uint{bits}", getattr(pa, f"uint{bits}")(), [r.randrange(0, 1 << bits) for _ in range(ROWS)]
    yield "consecutive", pa.int64(), list(range(ROWS))
    yield "float", pa.float32(), [float(r.randrange(1 << 20)) / 8 for _ in range(ROWS)]
    yield "double", pa.float64(), [r.random() for _ in range(ROWS)]
    yield "bool", pa.bool_(), [r.random() < 0.5 for _ in range(ROWS)]
    yield "decimal", pa.decimal128(12, 2), [decimal.Decimal(r.randrange(10**9)).scaleb(-2) for _ in range(ROWS)]
    yield "date", pa.date32(), [datetime.date(2000, 1, 1) + datetime.timedelta(r.randrange(9999)) for _ in range(ROWS)]
    yield "timestamp", pa.timestamp("us"), [datetime.datetime(2000, 1, 1) + datetime.timedelta(seconds=r.randrange(10**8)) for _ in range(ROWS)]
    yield "fixed", pa.binary(5), [r.randbytes(5) for _ in range(ROWS)]
    yield "list", pa.list_(pa.string()), [few[i : i + i % 3] for i in range(ROWS)]


WHOLE = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "consecutive"]
BYTES = ["string", "large_string", "binary", "few", "dictionary"]
ENCODINGS = {
    "dictionary": None,
    "plain": {n: "PLAIN" for n in WHOLE + BYTES + ["float", "double"]},
    "delta": {**{n: "DELTA_BINARY_PACKED" for n in WHOLE}, **{n: "DELTA_LENGTH_BYTE_ARRAY" for n in BYTES}, "bool": "RLE"},
    "split": {**{n: "BYTE_STREAM_SPLIT" for n in WHOLE[2:4] + WHOLE[6:] + ["float", "double"]}, **{n: "DELTA_BYTE_ARRAY" for n in BYTES}},
}


def nulls(values, share):
    return [None if share == "all" or share == "some" and i % 7 in (0, 3) else v for i, v in enumerate(values)]


def text(v):
    return v if isinstance(v, bytes) else str(v).encode()


def write(folder):
    made = list(columns())
    for share in ("none", "some", "all"):
        data = {name: nulls(values, share) for name, _, values in made}
        for name in WHOLE + BYTES:
            h = hashlib.sha256(b"".join(text(v) + b"\0" for v in data[name] if v is not None and text(v))).hexdigest()
            print("values", share, name, sum(v is not None and text(v) != b"" for v in data[name]), h)
        arrays = {"row": pa.array([f"row {i}" for i in range(ROWS)])}
        arrays |= {name: pa.array(data[name], t) for name, t, _ in made}
        table = pa.table(arrays)
        for codec in CODECS:
            for encoding, chosen in ENCODINGS.items():
                for version in ("1.0", "2.0"):
                    pq.write_table(table, f"{folder}/pyarrow-{codec}-{encoding}-v{version[0]}-{share}.parquet", compression=codec, data_page_version=version,
                                   row_group_size=GROUP, data_page_size=PAGE, use_dictionary=chosen is None, column_encoding=chosen,
                                   store_schema=chosen is None)  # pyarrow does not read its dictionaries of delta pages
            for version in ("V1", "V2"):
                duck = "lz4_raw" if codec == "lz4" else "uncompressed" if codec == "none" else codec
                con = duckdb.connect()
                con.register("data", table)
                con.execute(f"COPY (SELECT * FROM data) TO '{folder}/duckdb-{codec}-own-{version.lower()}-{share}.parquet' (FORMAT parquet, COMPRESSION {duck}, PARQUET_VERSION {version}, ROW_GROUP_SIZE {GROUP})")
                con.close()


def compare(folder, copies):
    for name in sorted(os.listdir(copies)):
        before, after = pq.read_table(f"{folder}/{name}"), pq.read_table(f"{copies}/{name}")
        for column in before.column_names:
            if before[column].to_pylist()[1::2] != after[column].to_pylist():
                print("differs", name, column)
    print("compared", len(os.listdir(copies)))


dict(write=write, compare=compare)[sys.argv[1]](*sys.argv[2:])
