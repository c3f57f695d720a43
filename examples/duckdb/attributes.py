"""Finds near-duplicate texts in Parquet files with DuckDB and the filters of fphash, on one machine.

    python3 attributes.py 'corpus/*.parquet' out

writes out/attributes.parquet, with the columns id, is_kept, duplicate_of and similarity. The columns of
the corpus are id and text. Of near-duplicates, the first one is kept. The steps are those of the job in
examples/spark. DuckDB and the filters write what does not fit into memory to files.
"""

import os
import subprocess
import sys

import duckdb

corpus, out = sys.argv[1:]
os.makedirs(f"{out}/work")
db = duckdb.connect(f"{out}/work/tables.db")
LINES = "(FORMAT csv, DELIMITER '\t', HEADER false, QUOTE '', ESCAPE '')"


def through(query, form, command, name, columns):
    """Pipes the rows of a query through a filter, and makes a table of its lines."""
    db.execute(f"COPY ({query}) TO '{out}/work/{name}.in' {form}")
    with open(f"{out}/work/{name}.in", "rb") as rows, open(f"{out}/work/{name}.tsv", "wb") as lines:
        subprocess.run(["fphash", *command.split()], stdin=rows, stdout=lines, check=True)
    db.execute(f"CREATE TABLE {name} AS FROM read_csv('{out}/work/{name}.tsv', delim='\t', quote='', escape='', header=false, columns={columns})")


# Documents get numbers in the order of the files. Copies are joined with the first text that equals
# them.
files = f"read_parquet('{corpus}', filename=true, file_row_number=true)"
db.execute(f"""
CREATE TABLE starts AS SELECT filename, coalesce(sum(n) OVER (ORDER BY filename ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::BIGINT AS start
  FROM (SELECT filename, count(*) AS n FROM {files} GROUP BY filename);
CREATE VIEW documents AS SELECT start + file_row_number AS n, id, coalesce(text, '') AS text FROM {files} JOIN starts USING (filename);
CREATE TABLE copies AS SELECT n, first FROM
  (SELECT n, min(n) OVER (PARTITION BY sha256(text)) AS first FROM documents WHERE text <> '') WHERE n <> first""")

# Fingerprints and keys; texts with a common key and near fingerprints are linked.
through("SELECT n AS id, text FROM documents WHERE text <> '' AND n NOT IN (SELECT n FROM copies)", "(FORMAT json)",
        "sketch --keys --documents jsonl --text text --id id", "sketches", {"fingerprint": "VARCHAR", "n": "BIGINT", "words": "INT", "keys": "VARCHAR"})
through("SELECT unnest(string_split(keys, ',')) AS key, fingerprint, n FROM sketches ORDER BY key, n", LINES,
        "pairs --keys", "links", {"a": "BIGINT", "b": "BIGINT", "distance": "INT"})

# Connected groups: in each round, every text is linked with the least of its neighbours.
db.execute("CREATE TABLE edges AS SELECT DISTINCT a, b FROM links")
before = None
while (now := db.execute("SELECT count(*), bit_xor(hash(a, b)) FROM edges").fetchone()) != before:
    before = now
    db.execute("""
CREATE OR REPLACE TEMP TABLE sides AS SELECT a, b FROM edges UNION ALL SELECT b, a FROM edges;
CREATE OR REPLACE TEMP TABLE large AS SELECT DISTINCT least AS a, b FROM sides
  JOIN (SELECT a, least(a, min(b)) AS least FROM sides GROUP BY a) USING (a) WHERE a < b;
CREATE OR REPLACE TEMP TABLE least AS SELECT b, min(a) AS least FROM large GROUP BY b;
CREATE OR REPLACE TABLE edges AS SELECT least AS a, a AS b FROM large JOIN least USING (b) WHERE a <> least UNION SELECT least, b FROM least""")
db.execute("CREATE TABLE groups AS SELECT b AS n, a AS root FROM edges UNION SELECT a, a FROM edges")

# The texts of each group are compared.
through('SELECT root AS "group", n AS id, text FROM documents JOIN groups USING (n) ORDER BY root, n', "(FORMAT json)",
        "select", "dropped", {"first": "BIGINT", "kept": "BIGINT", "similarity": "DOUBLE"})
db.execute(f"""COPY (
  SELECT d.id, target IS NULL AS is_kept, k.id AS duplicate_of, CASE WHEN target IS NOT NULL THEN coalesce(similarity, 1) END AS similarity
  FROM (SELECT d.n, d.id, coalesce(kept, c.first) AS target, similarity
        FROM (SELECT n, id FROM documents) d LEFT JOIN copies c USING (n) LEFT JOIN dropped ON dropped.first = coalesce(c.first, d.n)) d
  LEFT JOIN (SELECT n, id FROM documents) k ON k.n = target
  ORDER BY d.n) TO '{out}/attributes.parquet'""")
