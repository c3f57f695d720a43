"""Finds near-duplicates among the documents of Parquet files on a Spark cluster, with the filters of fphash.

    spark-submit --master spark://HOST:7077 attributes.py 'corpus/*.parquet' out --id id --text text

writes into the new folder out, as Parquet:

    fingerprints  n, id, fingerprint     n numbers the documents from 1, in the order of the files
    pairs         a, b, distance         numbers of documents; each pair once
    attributes    id, fingerprint, cluster_id, is_canonical, duplicate_of (the id of the kept document)

Documents are near-duplicates if their 64-bit simhashes differ in at most 3 bits, unless --sketch and
--blocks say otherwise. Nothing is verified. The attributes are the same as those of
fphash dedup 'corpus/*.parquet' --k 3 --run out, for any number of partitions and workers.
On all workers, fphash must be on the PATH of the driver, or at the path that --fphash sets.
"""

import argparse
import json
import os
import zlib

from pyspark.sql import SparkSession, functions as F


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", help="Parquet files: a folder or a glob")
    parser.add_argument("out", help="new folder")
    parser.add_argument("--id", default="id", help="column of ids")
    parser.add_argument("--text", default="text", help="column of texts")
    parser.add_argument("--sketch", default="", help="further flags of fphash sketch, such as '--features words,n=2'")
    parser.add_argument("--blocks", default="", help="flags of fphash blocks and pairs, such as '--k 2'")
    parser.add_argument("--links", action="store_true", help="write only as many pairs as form the same clusters")
    parser.add_argument("--partitions", type=int, default=200, help="number of partitions for keys")
    parser.add_argument("--fphash", default="fphash", help="the program")
    return parser.parse_args()


def numbered(spark, corpus, id_column, text_column):
    """Returns n, id and text of all documents. n depends only on the files, so a task that runs again
    gives its documents the same numbers."""
    documents = spark.read.parquet(corpus).select(
        F.col("_metadata.file_path").alias("file"), F.col("_metadata.row_index").alias("row"),
        F.col(id_column).alias("id"), F.col(text_column).alias("text"))
    counts = {r["file"]: r["count"] for r in documents.groupBy("file").count().collect()}
    starts, start = [], 1
    for file in sorted(counts):
        starts.append((file, start))
        start += counts[file]
    starts = F.broadcast(spark.createDataFrame(starts, "file string, start long"))
    return documents.join(starts, "file").select((F.col("start") + F.col("row")).alias("n"), "id", "text")


def as_json(row):
    return json.dumps({"id": str(row["n"]), "text": row["text"]})  # fphash refuses null


def fingerprint_row(line):
    digits, n = line.split("\t")
    return int(n), digits


def part_of(partitions):
    # hash() of a string differs from process to process
    return lambda key: zlib.crc32(key.encode()) % partitions


def pair_row(line):
    a, b, distance = line.split("\t")
    return int(a), int(b), int(distance)


def cluster_row(line):
    n, cluster, canonical = line.split("\t")
    return int(n), int(cluster), canonical == "yes"


def main():
    o = options()
    spark = SparkSession.builder.appName("fphash attributes").getOrCreate()

    # checkCode makes a task fail if its filter fails, so that Spark runs it again. Without it, Spark
    # would accept the incomplete output. pipe starts programs without a PATH unless it gets an
    # environment.
    environment = {name: os.environ[name] for name in ("PATH", "FPHASH_KERNEL") if name in os.environ}

    def through(lines, command):
        return lines.pipe(f"{o.fphash} {command}", environment, checkCode=True)

    documents = numbered(spark, o.corpus, o.id, o.text)
    sketched = through(documents.rdd.map(as_json), f"sketch --documents jsonl --text text --id id {o.sketch}")
    fingerprints = spark.createDataFrame(sketched.map(fingerprint_row), "n long, fingerprint string")
    documents.select("n", "id").join(fingerprints, "n").write.parquet(f"{o.out}/fingerprints")
    fingerprints = spark.read.parquet(f"{o.out}/fingerprints")

    lines = through(fingerprints.rdd.map(lambda r: f"{r['fingerprint']}\t{r['n']}"), f"blocks {o.blocks}")
    keyed = lines.map(lambda line: tuple(line.split("\t", 1)))
    keyed = keyed.repartitionAndSortWithinPartitions(o.partitions, part_of(o.partitions))
    links = "--links" if o.links else ""
    pairs = through(keyed.map("\t".join), f"pairs {links} {o.blocks}")
    spark.createDataFrame(pairs.map(pair_row), "a long, b long, distance int").write.parquet(f"{o.out}/pairs")
    pairs = spark.read.parquet(f"{o.out}/pairs")

    # There are far fewer pairs than documents, so a single process groups them into clusters.
    joined = through(pairs.rdd.map(lambda r: f"{r['a']}\t{r['b']}\t{r['distance']}").coalesce(1), "clusters")
    clusters = spark.createDataFrame(joined.map(cluster_row), "n long, cluster_id long, is_canonical boolean")
    kept = clusters.where("is_canonical").join(fingerprints, "n").select("cluster_id", F.col("id").alias("kept"))
    attributes = fingerprints.join(clusters, "n", "left").join(kept, "cluster_id", "left").select(
        "n", "id", F.when(F.regexp_replace("fingerprint", "0", "") == "", None).otherwise(F.col("fingerprint")).alias("fingerprint"),
        "cluster_id", F.coalesce("is_canonical", F.lit(True)).alias("is_canonical"),
        F.when(~F.col("is_canonical"), F.col("kept")).alias("duplicate_of"))
    attributes.orderBy("n").drop("n").write.parquet(f"{o.out}/attributes")
    spark.stop()


if __name__ == "__main__":
    main()
