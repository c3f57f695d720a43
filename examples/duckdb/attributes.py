"""Finds near-duplicate texts in Parquet files with DuckDB and the filters of fphash, on one machine.

    python3 attributes.py 'corpus/*.parquet' out

writes out/attributes.parquet, with the columns id, is_kept, duplicate_of and similarity. The columns of
the corpus are id and text. Of near-duplicates, the first one is kept. --against has files with texts that
were kept earlier: texts similar to these are dropped, too. The steps are those of the job in
examples/spark. DuckDB and the filters write what does not fit into memory to files.
"""

import argparse
import os
import subprocess

import duckdb

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("corpus", help="Parquet files: a glob")
parser.add_argument("out", help="new folder")
parser.add_argument("--against", help="Parquet files with texts that were kept earlier: they are kept in any case")
parser.add_argument("--similarity", default="0.9", help="least similarity of near-duplicates")
parser.add_argument("--minima", type=int, help="minima in a key (default: chosen by a sample)")
o = parser.parse_args()
os.makedirs(f"{o.out}/work")
db = duckdb.connect(f"{o.out}/work/tables.db")
LINES = "(FORMAT csv, DELIMITER '\t', HEADER false, QUOTE '', ESCAPE '')"


def through(query, form, command, name, columns):
    """Pipes the rows of a query through a filter, and makes a table of its lines."""
    db.execute(f"COPY ({query}) TO '{o.out}/work/{name}.in' {form}")
    with open(f"{o.out}/work/{name}.in", "rb") as rows, open(f"{o.out}/work/{name}.tsv", "wb") as lines:
        subprocess.run(["fphash", *command.split(), "--similarity", o.similarity], stdin=rows, stdout=lines, check=True)
    db.execute(f"CREATE TABLE {name} AS FROM read_csv('{o.out}/work/{name}.tsv', delim='\t', quote='', escape='', header=false, auto_detect=false, columns={columns})")


def one(query):
    return db.execute(query).fetchone()


# Documents get numbers in the order of the files, old ones first. Copies are joined with the first text
# that equals them.
def files(path, old):
    return f"SELECT {old} AS old, filename, file_row_number, id, coalesce(text, '') AS text FROM read_parquet('{path}', filename=true, file_row_number=true)"


db.execute(f"CREATE VIEW rows AS {files(o.corpus, False)}" + (f" UNION ALL {files(o.against, True)}" if o.against else ""))
db.execute("""
CREATE TABLE starts AS SELECT old, filename,
    coalesce(sum(n) OVER (ORDER BY NOT old, filename ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)::BIGINT AS start
  FROM (SELECT old, filename, count(*) AS n FROM rows GROUP BY old, filename);
CREATE VIEW documents AS SELECT start + file_row_number AS n, old, id, text FROM rows JOIN starts USING (old, filename);
CREATE TABLE copies AS SELECT n, first FROM
  (SELECT n, min(n) OVER (PARTITION BY sha256(text)) AS first FROM documents WHERE text <> '') WHERE n <> first""")

# Fingerprints and keys; texts with a common key and near fingerprints are linked. A sample of 2000 new
# texts chooses how many minima a key has.
minima, (texts,) = o.minima, one("SELECT count(*) FROM documents")
if not minima:
    through(f"SELECT text FROM documents WHERE NOT old AND n % {max(1, texts // 2000)} = 0", "(FORMAT json)",
            f"sketch --keys --texts {max(1, texts)} --documents jsonl --text text", "chosen", {"minima": "INT"})
    minima, = one("SELECT minima FROM chosen")
through("SELECT n AS id, text FROM documents WHERE text <> '' AND n NOT IN (SELECT n FROM copies)", "(FORMAT json)",
        f"sketch --keys --minima {minima} --documents jsonl --text text --id id", "sketches",
        {"fingerprint": "VARCHAR", "n": "BIGINT", "words": "INT", "keys": "VARCHAR"})
through("SELECT unnest(string_split(keys, ',')) AS key, fingerprint, n FROM sketches ORDER BY key, n", LINES,
        "pairs --keys", "links", {"a": "BIGINT", "b": "BIGINT", "distance": "INT"})

# Connected groups: in each round, every text is linked with the least of its neighbours.
db.execute("CREATE TABLE edges AS SELECT DISTINCT a, b FROM links")
before = None
while (now := one("SELECT count(*), bit_xor(hash(a, b)) FROM edges")) != before:
    before = now
    db.execute("""
CREATE OR REPLACE TEMP TABLE sides AS SELECT a, b FROM edges UNION ALL SELECT b, a FROM edges;
CREATE OR REPLACE TEMP TABLE large AS SELECT DISTINCT least AS a, b FROM sides
  JOIN (SELECT a, least(a, min(b)) AS least FROM sides GROUP BY a) USING (a) WHERE a < b;
CREATE OR REPLACE TEMP TABLE least AS SELECT b, min(a) AS least FROM large GROUP BY b;
CREATE OR REPLACE TABLE edges AS SELECT least AS a, a AS b FROM large JOIN least USING (b) WHERE a <> least UNION SELECT least, b FROM least""")
db.execute("CREATE TABLE groups AS SELECT b AS n, a AS root FROM edges UNION SELECT a, a FROM edges")

# The texts of each group are compared.
through('SELECT root AS "group", n AS id, text, old FROM documents JOIN groups USING (n) ORDER BY root, n', "(FORMAT json)",
        "select", "dropped", {"first": "BIGINT", "kept": "BIGINT", "similarity": "DOUBLE"})
db.execute(f"""COPY (
  SELECT d.id, target IS NULL AS is_kept, k.id AS duplicate_of, CASE WHEN target IS NOT NULL THEN coalesce(similarity, 1) END AS similarity
  FROM (SELECT d.n, d.id, coalesce(kept, c.first) AS target, similarity
        FROM (SELECT n, id FROM documents WHERE NOT old) d LEFT JOIN copies c USING (n) LEFT JOIN dropped ON dropped.first = coalesce(c.first, d.n)) d
  LEFT JOIN (SELECT n, id FROM documents) k ON k.n = target
  ORDER BY d.n) TO '{o.out}/attributes.parquet'""")
