package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/internal/bench/doctor"
)

// The flags that the help of a command omits. A help topic explains them.
var (
	rareFlags       = []string{"base", "max-line", "charset", "table", "word-weights", "workers", "kernel", "explain"}
	rareDefinition  = []string{"encoding", "widen", "seed", "key", "tie", "order", "convention"}
	classicFlags    = slices.Concat(rareFlags, definitionNames, []string{"features", "by", "weights"}) // of dedup, with --k
	sketchFlagsRare = slices.Concat(rareFlags, rareDefinition)
	runFlagsRare    = []string{"remove", "only-duplicates", "prune", "shard", "memory", "recall"}                           // of dedup
	verdictFlags    = []string{"alpha", "accept", "strict", "ignore", "table", "row", "cpu", "same", "seed", "pin", "tags"} // of ab and compare
)

// The flags of doctor and bench that are listed in the topics protocol and suites.
var (
	doctorFlagsRare = []string{"encoding", "widen", "base", "max-line", "workers", "timeout"}
	benchFlagsRare  = []string{"encoding", "widen", "nnz", "pattern", "list", "base", "max-line", "time"}
)

// hideFlags hides the named flags if the command has them.
func hideFlags(flags *pflag.FlagSet, names []string) {
	for _, name := range names {
		if flags.Lookup(name) != nil {
			_ = flags.MarkHidden(name) // the flag exists
		}
	}
}

// newFingerprintsTopic returns the help topic on the definition of fingerprints, and on comparing
// only fingerprints.
func newFingerprintsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "fingerprints",
		Short: "Choose hash, width and features, and compare only fingerprints (--k)",
		Long: `With --k, dedup compares only fingerprints: two records are near-duplicates if their
fingerprints differ in at most k bits. All such pairs are found, but they are not
verified, so unrelated records may be dropped. Without --k, each dropped
record is compared with the record that is kept.

  fphash dedup texts.jsonl --k 3

compares 64-bit simhashes of the words of the texts with k = 3, as Manku, Jain and Das
Sarma did (WWW 2007). Files of fingerprints (fphash sketch) and indexes (fphash index
build) are also compared in this way. The default is k = 3 for simhashes of 64 bits and
k = 10 for MinHash of 64 bits, and proportionally more or less for other widths.

By default, records connected by chains of near pairs form a group, and the first record
of the group is kept. With --by first, a record is dropped only if it is near a record
that is kept.

These flags of sketch and index build require --k in dedup:
  --by WAY           how dedup forms groups: components (default) or first, as above
  --features LIST    words, characters or bytes, with n=3, fold, nfkc, lang=en, stop, …
  --sketch NAME      simhash (default) estimates the cosine, minhash the Jaccard similarity
                     of sets (values and repeats do not count)
  --bits N           width of the fingerprints, 1 to 4096 (default 64)
  --hash NAME        hash function (default xxh64; fphash kernels lists all)
  --widen WAY        how a hash is widened to more bits: none, reseed, counter, mix
  --encoding NAME    how indices become bytes for the hash: le64, be64 or dec
  --seed, --key      seed and key of the hash
  --tie RULE         value of a bit whose sum is zero: zero (default), one, alternate
  --order NAME       order of floating-point sums: grouped (default), sequential
  --convention NAME  compute fingerprints of another system (see fphash conventions)

Weights (--weights):
  of vectors         f32 (default), f64, i32, i64, or unit: all weights are 1
  of texts           count (default), textrank; in sketch and index also tfidf (with
                     --table) and hand (with --word-weights)

All these commands have --workers N (default: the number of cores) and --kernel NAME (the
fastest kernel to use).`,
	}
}

// newRunsTopic returns the help topic on runs of dedup.
func newRunsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "runs",
		Short: "Find near-duplicates in many files, in a run that can be resumed (dedup --run)",
		Long: `fphash dedup FILES --run FOLDER treats the texts of many files as one set, in bounded
memory. FILES are files, patterns such as 'corpus/*.parquet', and folders. FOLDER keeps
the fingerprints of each file. To resume a killed run, or to add new files, repeat the
command: it computes only the missing fingerprints.

For each input, the run writes a file of attributes to FOLDER: id, fingerprint,
cluster_id (null if the text has no near-duplicates), is_canonical (true for texts to
keep), and for the others duplicate_of (the id of the one that is kept) and similarity.

  fphash dedup 'corpus/*.jsonl' --run attributes --remove kept

--against takes files, the FOLDER of an earlier run (the texts that it kept), or an index.

  --remove FOLDER    write copies of the inputs without the dropped texts to this folder
  --format NAME      format of the attributes: jsonl (default), csv or parquet
  --only-duplicates  omit texts without near-duplicates from the attributes
  --prune            delete outputs of earlier runs whose input no longer exists
  --shard I/N        only compute the fingerprints of part I of N of the files; when all
                     parts are done, run the command without --shard
  --memory SIZE      memory limit (default 4GiB); larger comparisons run on disk

Without --run, nothing is kept. --recall SHARE is the minimum share of the near-duplicates
to find in both cases (default 0.99). dedup/corpus.md has more on runs.`,
	}
}

// newFormatsTopic returns the help topic on files.
func newFormatsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "formats",
		Short: "Files of vectors, texts and fingerprints",
		Long: `Files may be compressed with gzip, zstd or bzip2. The format is detected.

Vectors:
  svmlight  label index:value ... # id
  vw        Vowpal Wabbit: label 'tag| name:value ...; a name that is a number is an
            index, any other name is hashed (XXH64 of namespace^name)
  npz       scipy.sparse.save_npz of a matrix in CSR form: a row is a vector
The id is the text after # (svmlight), the tag (vw), or the number of the vector from 1.
Columns of npz count from 0. --base N subtracts N from the indices of svmlight and vw.
--max-line MIB is the longest line that is accepted (default 16). Reading a line takes up
to 40 times its length in memory.

Texts (--documents names the format if it is not detected):
  jsonl, csv, tsv, parquet   a record has the fields of --text and --id
  lines                      one text on each line
  files, tar                 a folder or a tar archive: one text in each file
--charset NAME reads texts that are not UTF-8: latin1, windows-1251, shift_jis, gbk, big5,
euc-kr, utf-16 and other names of the WHATWG Encoding Standard. Parquet is always UTF-8.
--text body.text is a nested field, and --text messages[].content joins the strings of a
list with line feeds. The id defaults to the field id, the path of the file, or the
number of the text. A text of 100 MB takes 2 to 7 times its size in memory, and more
with dictionaries.

Fingerprints (fphash sketch --format):
  text      HEX<TAB>ID; tabs and line breaks in an id become spaces
            (doctor and blocks also read lines of HEX alone)
  jsonl     {"id":...,"fingerprint":"HEX","informative":true,"definition":"xxh64,..."}
  csv       id, fingerprint (hexadecimal), informative, definition
  parquet   id, fingerprint, fingerprint_u64 (up to 64 bits), informative; the
            definition is in the metadata of the file under fphash.definition
A fingerprint is not informative if its vector is empty or its sums are all zero. It is 0
by default, and is never a near-duplicate of another fingerprint.`,
	}
}

// newVerdictsTopic returns the help topic on how ab and compare judge.
func newVerdictsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "verdicts",
		Short: "How ab and compare judge benchmarks, and what a gap is",
		Long: `A unit is judged in one of two ways:
  exact     any change for the worse is a regression. This applies to units that a file
            declares exact ("Unit recall assume=exact better=higher"). It also applies to
            B/op and allocs/op if they do not vary within a side and change by more than
            --threshold
  noisy     a regression is a change for the worse that is significant and larger than
            --threshold. This applies to all other units

The probability of a false alarm in any of the comparisons is at most --alpha (default
0.02). This includes the early stopping of ab. ab runs the sides in random
order, and computes significance from that order alone. It compares the better quartile
of the samples of a run, which other programs rarely disturb, and their mean, which shows
rare slow samples. If a comparison cannot be decided, the verdict is unclear. This is not
the same as no change; ab says how many more rounds would decide it. The verdict small is
a significant change of less than --threshold.

A gap is something that could not be compared. If there is a gap, the exit code is 2.
--accept lists kinds of gaps to ignore:
  missing    a benchmark is missing in NEW
  samples    a benchmark has fewer than 6 samples, or ab had no time to run it
  runs       a benchmark changed, but was recorded in fewer than 3 runs: with --accept runs,
             it is judged nevertheless
  machine    the files come from different machines (--ignore cpu compares them)
  direction  a unit changed, and no file declares whether higher values are better
  inexact    samples of an exact unit differ
  syntax     a line does not parse
  failed     a benchmark failed
  unclear    more than half of the comparisons with noise are unclear; with --strict, one is.
             Bytes and allocations do not count here

Both commands also have --alpha P, --accept KINDS, --strict and --ignore KEYS.
ab also has --tags TAGS, --cpu N (GOMAXPROCS, default 1), --same (also measure packages
whose test binaries are identical), --seed N (for the order) and --pin auto|none.
compare also has the projections --table and --row, as in benchstat
(golang.org/x/perf/benchproc).`,
	}
}

// newProtocolTopic returns the help topic on how doctor asks a program for hashes.
func newProtocolTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "protocol",
		Short: "How doctor asks your program for hashes",
		Long: `doctor writes keys of 8 bytes, little-endian, to the program's standard input. The program
reads all keys, writes the code of each key to standard output in the same order, and
exits with 0. A code is ceil(bits/64) words of 8 bytes, little-endian, the low word first;
bits above the width are zero. Write messages to standard error. doctor runs the program
once for each batch of keys, so the program may read all keys first. doctor checks that a
key always has the same code. With --keys FILE, each key is a line that ends with a line feed.

In Python:

` + indented(doctor.PythonExample) + `
In Go:

` + indented(doctor.GoExample) + `
If your hash is a Go function, see package bench/quality. More flags: --timeout (of a run),
--workers, --base and --max-line (with --data), --encoding and --widen (with --family).`,
	}
}

// newSuitesTopic returns the help topic on the suites of bench.
func newSuitesTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "suites",
		Short: "What bench measures",
		Long: `A case has a name such as Op/key=value/... --run measures the cases whose names match, and
--list prints all names. --suite is one of these:
  default   the cases that answer most questions, in about 90 seconds
  kernels   the sizes of real documents, and sizes at which kernels tend to be slow;
            --full also scans 10^8 fingerprints (1.6 GB of memory)
  lengths   vectors of 1 to 8192 features, around each length at which the code changes
  hashes    each hash in its library and in each kernel, in batches of 1 to 1024 keys, and
            sketches with each hash; --full adds big-endian and decimal indices
  methods   stored hyperplanes against hashed indices, ways to compare fingerprints, and ways
            to search them; --full also searches 10^7 fingerprints (4 GB of memory)
  quality   each hash, encoding and pattern of indices; --full adds all kinds of weights
  choose    the measurements that fphash choose needs

More flags:
  --kernel LIST    naive, library, generic, neon, avx2, avx512, avx512gfni
  --encoding LIST  how indices become bytes for the hash: le64, be64, dec
  --pattern LIST   patterns of indices (suite quality): uniform64, uniform1e7, dense1e3,
                   consecutive, strided, pow2, bitrev, data
  --weights LIST   unit, i32, i64, f32, f64; for quality unit, counts, tfidf, signed,
                   dominated
  --widen WAY      none, reseed, counter, mix; none leaves out sketches wider than their hash
  --nnz LIST       number of features of a vector, in cases of a fixed size
  --time DURATION  time of a sample (10 ms; 1 ms in the suites kernels, hashes and lengths)
  --base, --max-line   how to read DATA: see fphash help formats
With several --runs, only the first run computes the quality figures.`,
	}
}
