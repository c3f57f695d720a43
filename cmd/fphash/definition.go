package main

import (
	"fmt"
	"math"

	"github.com/spf13/pflag"

	"simhashkit/datasets"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/source"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
)

// definitionFlags are the flags that define a fingerprint. A command registers some of them; the
// others keep their defaults.
type definitionFlags struct {
	fphash.Definition
	changed func(flag string) bool
}

func newDefinitionFlags() definitionFlags {
	return definitionFlags{Definition: fphash.Definition{Hash: fphash.DefaultHash, Bits: 64}}
}

// register adds the named flags, in this order. A command may give a flag another Usage afterwards.
func (d *definitionFlags) register(flags *pflag.FlagSet, names ...string) {
	d.changed = flags.Changed
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	suggestion(all, &d.Hash, "hash", d.Hash, "hash function (see fphash kernels)", hashNames())
	enumeration(all, &d.Kind, "sketch", "simhash (cosine) or minhash (Jaccard similarity)", sketchNames)
	enumeration(all, &d.Encoding, "encoding", encodingUsage, encodingNames)
	all.Var(widthOf(&d.Bits), "bits", fmt.Sprintf("width of the fingerprints, 1 to %d", fphash.MaxBits))
	enumeration(all, &d.Widen, "widen", "how a hash is widened to more bits: %s", wideningNames)
	all.Uint64Var(&d.Seed, "seed", d.Seed, "seed of the hash")
	all.BytesHexVar(&d.Key, "key", nil, "key of the hash in hexadecimal (highway64, highway128, highway256: 32 bytes; siphash: 16)")
	enumeration(all, &d.Tie, "tie", "value of a bit whose sum is zero: %s", written(fphash.TieZero, fphash.TieOne, fphash.TieAlternate))
	enumeration(all, &d.Order, "order", "order in which floating-point weights are summed: %s", written(fphash.Grouped, fphash.Sequential))
	suggestion(all, &d.Convention, "convention", "", "compute the fingerprints of another system (see fphash conventions), with its hash and rules", conventionNames())
	for _, name := range names {
		flags.AddFlag(all.Lookup(name))
	}
}

// The names of the values of a definition.
var (
	encodingNames = written(fphash.LE64, fphash.BE64, fphash.Dec)
	sketchNames   = written(fphash.SimHash, fphash.MinHash)
	wideningNames = written(fphash.WidenNone, fphash.WidenReseed, fphash.WidenCounter, fphash.WidenMix)
)

func hashNames() []string {
	var names []string
	for _, family := range fphash.Families() {
		names = append(names, family.Name)
	}
	return names
}

const encodingUsage = "how indices become bytes for the hash: %s"

type hasher = source.Hasher

// hasher returns the Sketcher of the definition or the convention.
func (d *definitionFlags) hasher(workers int) (hasher, error) {
	if d.Convention == "" {
		return fphash.New(d.Definition, fphash.WithWorkers(workers))
	}
	if err := refuse(d.changed, "cannot be combined with --convention, which defines it", "hash", "sketch", "widen", "seed", "tie", "order"); err != nil {
		return nil, err
	}
	c, err := conventions.Lookup(d.Convention)
	if err != nil {
		return nil, err
	}
	c.Encoding = d.Encoding
	if d.changed("key") {
		c.Key = d.Key
	}
	if d.changed("bits") {
		c.Bits = d.Bits
	}
	return conventions.New(c)
}

// weightsFlag adds --weights: the type of the weights of vectors, or the weighting scheme of texts.
func weightsFlag(flags *pflag.FlagSet, value *string) {
	suggestion(flags, value, "weights", datasets.Float32, "weights of vectors (default f32) or of texts (default count)",
		append(datasets.WeightTypes(), namesOf(weights.Schemes())...))
	flags.Lookup("weights").DefValue = "" // the usage shows the defaults
}

// vectorReading has the flags for reading vectors.
type vectorReading struct {
	base    uint64
	longest uint32 // longest line in MiB
}

// add adds the flags.
func (r *vectorReading) add(flags *pflag.FlagSet) {
	flags.Uint64Var(&r.base, "base", 0, "subtract this from the indices of svmlight and vw")
	flags.Uint32Var(&r.longest, "max-line", 16, "longest line of svmlight and vw, in `MiB`")
}

// maxLine returns the length of the longest line in bytes.
func (r *vectorReading) maxLine() int { return int(min(uint64(r.longest)<<20, math.MaxInt)) }
