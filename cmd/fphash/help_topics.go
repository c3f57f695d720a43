package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// hidden are flags of dedup and dedup-corpus that the help of the command leaves out: the topic
// that explains them lists them.
var hidden = slices.Concat(definitionNames, []string{"features", "by", "weights", "data", "base", "max-line", "workers", "kernel", "explain"})

// hideFlags hides the flags that a topic explains.
func hideFlags(flags *pflag.FlagSet) {
	for _, name := range hidden {
		if flags.Lookup(name) != nil {
			_ = flags.MarkHidden(name) // the flag exists
		}
	}
}

// newFingerprintsTopic returns the help topic on the comparison of fingerprints alone.
func newFingerprintsTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "fingerprints",
		Short: "Compare fingerprints alone, as the literature on simhash does",
		Long: `With --k, dedup and dedup-corpus compare fingerprints and nothing else: two records are
near-duplicates if their fingerprints differ in at most k bits. Nothing is verified, so
unrelated records may be dropped; without --k, each dropped record has been compared
with the one kept for it. All pairs within k are found.

  fphash dedup texts.jsonl --k 3

compares 64-bit simhashes of the words of the texts, k = 3, as Manku, Jain and Das Sarma
did (WWW 2007). Files of fingerprints (fphash sketch) and indexes (fphash index build)
are compared in this way, too: by default with k = 3 of 64 bits, 10 of 64 for MinHash,
and in proportion for other widths.

By default chains of near records form a group, of which the first is kept. With
--by first, a record is dropped only if it is near a record that is kept.

These flags require --k:
  --by WAY           components (default) or first
  --features LIST    words, characters or bytes, with n=3, fold, nfkc, lang=en, stop, …
  --sketch NAME      simhash (default) or minhash
  --bits N           width of the fingerprints, 1 to 4096 (default 64)
  --hash NAME        hash function (default xxh64; fphash kernels lists all)
  --widen WAY        none, reseed, counter or mix: how a hash fills more bits than it has
  --encoding NAME    le64, be64 or dec: the bytes as which an index is hashed
  --seed, --key      of the hash
  --tie, --order     of sums that are zero, and of floating-point sums
  --convention NAME  compute as another system does (fphash conventions lists them)

Flags of vectors:
  --weights TYPE     float32 (default), float64, int32, int64, or unit: all weights are 1
  --data SET         a data set by name in place of FILE
  --base N           subtract N from the indices of svmlight and Vowpal Wabbit
  --max-line MIB     longest line

For all: --workers N (default the number of cores), --kernel NAME.`,
	}
}
