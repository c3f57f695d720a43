"""Finds near-duplicate texts in Parquet files on a Spark cluster, with the filters of fphash.

    spark-submit --master spark://HOST:7077 attributes.py 'corpus/*.parquet' out --id id --text text

writes the folder out/attributes, as Parquet: a row for each text with

    id, is_kept, duplicate_of (the id of the kept text), similarity (to the kept text)

Of near-duplicates, the first one is kept, in the order of the names of the files and of their rows,
or the one that --keep prefers. The rows depend on nothing else, so a task that runs again writes the
same ones. On all workers, fphash must be on the PATH of the driver, or at the path that --fphash sets.
"""

import argparse
import os

from pyspark.sql import SparkSession, Window, functions as F


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", help="Parquet files: a folder or a glob")
    parser.add_argument("out", help="new folder, which all workers can write to")
    parser.add_argument("--against", help="Parquet files with texts that were kept earlier: they are kept in any case")
    parser.add_argument("--id", default="id", help="column of ids")
    parser.add_argument("--text", default="text", help="column of texts")
    parser.add_argument("--keep", default="first", help="first, longest, shortest, max:COLUMN or min:COLUMN, of numbers or times")
    parser.add_argument("--similarity", default="0.9", help="least similarity of near-duplicates")
    parser.add_argument("--minima", type=int, help="minima in a key (default: chosen by a sample)")
    parser.add_argument("--fphash", default="fphash", help="the program")
    return parser.parse_args()


class Job:
    def __init__(self, options):
        self.o = options
        self.spark = SparkSession.builder.appName("fphash attributes").getOrCreate()
        self.partitions = int(self.spark.conf.get("spark.sql.shuffle.partitions"))

    def work(self, name):
        return f"{self.o.out}/work/{name}"

    def kept(self, frame, name):
        """Writes a DataFrame to files and returns it as read from these, so that it is computed once."""
        frame.write.parquet(self.work(name))
        return self.spark.read.parquet(self.work(name))

    def through(self, lines, command, name, schema):
        """Pipes the lines of each partition of a DataFrame with one column through a filter. A filter that
        fails makes its task fail, and Spark runs it again."""
        strings = getattr(lines._jdf, "as")(self.spark._jvm.org.apache.spark.sql.Encoders.STRING()).javaRDD()
        environment = {v: os.environ[v] for v in ("PATH", "FPHASH_KERNEL") if v in os.environ}
        strings.pipe([self.o.fphash, *command.split()], environment, False, 1 << 16, "UTF-8").saveAsTextFile(self.work(name))
        return self.spark.read.csv(self.work(name), schema, sep="\t", quote="")

    def read(self, files, old):
        return self.spark.read.parquet(files).select(
            F.lit(old).alias("old"), F.col("_metadata.file_path").alias("file"), F.col("_metadata.row_index").alias("row"),
            F.col(self.o.id).alias("id"), F.coalesce(F.col(self.o.text), F.lit("")).alias("text"),
            F.lit(float("-inf")).alias("rank") if old else self.rank().alias("rank"))

    def rank(self):
        """Returns the column whose least value is preferred among near-duplicates."""
        what, _, column = self.o.keep.partition(":")
        if what in ("longest", "shortest") and not column:
            value = F.octet_length(self.o.text)
        elif what in ("max", "min") and column:
            value = F.col(column)
        elif self.o.keep == "first":
            return F.lit(0.0)
        else:
            raise SystemExit(f"--keep {self.o.keep}: expected first, longest, shortest, max:COLUMN or min:COLUMN")
        value = value.cast("double")
        return F.coalesce(-value if what in ("longest", "max") else value, F.lit(float("inf")))

    def documents(self):
        """Returns n, old, rank, id and text. The numbers n depend only on the files. Old texts are preferred."""
        documents = self.read(self.o.corpus, False)
        if self.o.against:
            documents = self.read(self.o.against, True).union(documents)
        self.files = sorted(documents.groupBy("old", "file").count().collect(), key=lambda f: (not f["old"], f["file"]))
        starts, start = [], 1
        for f in self.files:
            starts.append((f["old"], f["file"], start))
            start += f["count"]
        starts = F.broadcast(self.spark.createDataFrame(starts, "old boolean, file string, start long"))
        return documents.join(starts, ["old", "file"]).select((F.col("start") + F.col("row")).alias("n"), "old", "rank", "id", "text")

    def minima(self):
        """Chooses the number of minima in a key by a sample of 2000 texts from at most 20 new files."""
        new = [f for f in self.files if not f["old"]]
        new = new[::max(1, -(-len(new) // 20))]
        step = max(1, sum(f["count"] for f in new) // 2000)
        sample = self.read(self.o.corpus, False).where(F.col("file").isin([f["file"] for f in new]) & (F.col("row") % step == 0))
        texts = sum(f["count"] for f in self.files)
        minima = self.through(
            sample.select(F.to_json(F.struct("text"))).repartition(1),
            f"sketch --keys --texts {max(1, texts)} --similarity {self.o.similarity} --documents jsonl --text text", "minima", "minima int").first()[0]
        print(f"For {texts} texts, a key has {minima} minima.")
        return minima

    def components(self, links):
        """Returns n and group, the least n that links connect it with, for all n in links. In each round, every
        n is linked with the least of its neighbours (Kiveris et al., Connected Components in MapReduce and
        Beyond, 2014)."""
        edges, before = self.kept(links.distinct(), "edges-0"), None
        for i in range(1, 100):
            both = edges.select("a", "b").union(edges.select(F.col("b").alias("a"), F.col("a").alias("b")))
            least = both.groupBy("a").agg(F.least("a", F.min("b")).alias("least"))
            large = both.where("a < b").join(least, "a").select(F.col("least").alias("a"), "b").distinct()
            least = large.groupBy("b").agg(F.min("a").alias("least"))
            small = large.join(least, "b").where("a != least").select(F.col("least").alias("a"), F.col("a").alias("b"))
            edges = self.kept(small.union(least.select(F.col("least").alias("a"), "b")).distinct(), f"edges-{i}")
            now = edges.agg(F.count("*"), F.bit_xor(F.xxhash64("a", "b"))).first()
            if now == before:
                break
            before = now
        return edges.select(F.col("b").alias("n"), F.col("a").alias("group")).union(edges.select("a", "a").distinct())

    def run(self):
        o, documents = self.o, self.documents()
        minima = o.minima or self.minima()

        # Fingerprints and keys. Rank and hash of the text travel in the id.
        named = F.concat_ws(" ", "n", "rank", F.sha2("text", 256)).alias("id")
        sketches = self.through(
            documents.where("text != ''").select(F.to_json(F.struct(named, "text"))),
            f"sketch --keys --similarity {o.similarity} --minima {minima} --documents jsonl --text text --id id", "sketches",
            "fingerprint string, id string, words int, keys string").select(
            F.split("id", " ")[0].cast("long").alias("n"), F.split("id", " ")[1].cast("double").alias("rank"),
            F.unhex(F.split("id", " ")[2]).alias("hash"), F.unhex("fingerprint").alias("fingerprint"), "keys")

        # Copies are joined with the preferred text that equals them.
        first = F.first("n").over(Window.partitionBy("hash").orderBy("rank", "n")).alias("first")
        copies = self.kept(sketches.select("n", first).where("n != first"), "copies")
        keyed = sketches.join(copies, "n", "left_anti").select(
            "n", "fingerprint", F.explode(F.split("keys", ",").cast("array<long>")).alias("key"))

        # Texts with a common key and near fingerprints are linked.
        lines = keyed.repartition(self.partitions, "key").select(F.col("key").cast("string").alias("key"), F.lower(F.hex("fingerprint")).alias("fingerprint"), "n")
        links = self.through(
            lines.sortWithinPartitions("key", "n").select(F.concat_ws("\t", "key", "fingerprint", "n")),
            f"pairs --keys --similarity {o.similarity}", "links", "a long, b long, distance int").select("a", "b")

        # The texts of each connected group are compared.
        groups = self.kept(self.components(links), "groups")
        members = documents.join(groups, "n").repartition(self.partitions, "group").sortWithinPartitions("group", "rank", "n")
        dropped = self.through(
            members.select(F.to_json(F.struct("group", F.col("n").alias("id"), "text", "old"))),
            f"select --similarity {o.similarity}", "dropped", "first long, kept long, similarity double")

        ids = documents.select("n", "old", "id")
        found = ids.join(copies, "n", "left").withColumn("first", F.coalesce("first", "n")).join(dropped, "first", "left").select(
            "id", "old", F.coalesce("kept", F.when(F.col("first") != F.col("n"), F.col("first"))).alias("kept"), "similarity")
        names = ids.select(F.col("n").alias("kept"), F.col("id").alias("duplicate_of"))
        found.where("not old").join(names, "kept", "left").select(
            "id", F.col("kept").isNull().alias("is_kept"), "duplicate_of",
            F.when(F.col("kept").isNotNull(), F.coalesce("similarity", F.lit(1.0))).alias("similarity")).write.parquet(f"{o.out}/attributes")
        self.spark.stop()


if __name__ == "__main__":
    Job(options()).run()
