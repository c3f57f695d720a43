package main

import (
	"cmp"
	"encoding/hex"
	"fmt"

	"github.com/spf13/pflag"

	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
)

// definitionFlags are the flags that define a fingerprint. A command registers those that it takes;
// the others have their defaults.
type definitionFlags struct {
	hash, sketch, encoding, widen, tie, order, key string
	convention                                     string
	bits, unsure                                   int
	seed                                           uint64
	changed                                        func(flag string) bool
}

func newDefinitionFlags() definitionFlags {
	return definitionFlags{
		hash: fphash.DefaultHash, sketch: fphash.SimHash.String(), encoding: fphash.LE64.String(), bits: 64, widen: fphash.WidenNone.String(), tie: fphash.TieZero.String(), order: fphash.Grouped.String(),
	}
}

// register adds the named flags, in this order. A command may give a flag another Usage afterwards.
func (d *definitionFlags) register(flags *pflag.FlagSet, names ...string) {
	d.changed = flags.Changed
	for _, name := range names {
		switch name {
		case "hash":
			flags.StringVar(&d.hash, name, d.hash, "hash function (see fphash kernels)")
		case "sketch":
			flags.StringVar(&d.sketch, name, d.sketch, "what is computed: simhash (near by cosine), minhash (of sets, near by Jaccard similarity)")
		case "encoding":
			flags.StringVar(&d.encoding, name, d.encoding, "the bytes as which an index is hashed: le64, be64, dec")
		case "bits":
			flags.IntVar(&d.bits, name, d.bits, fmt.Sprintf("width of the fingerprints, 1 to %d, at most that of the hash unless it is widened", fphash.MaxBits))
		case "widen":
			flags.StringVar(&d.widen, name, d.widen, "how a hash becomes wider than it is: none, reseed, counter, mix")
		case "seed":
			flags.Uint64Var(&d.seed, name, d.seed, "seed of the hash")
		case "key":
			flags.StringVar(&d.key, name, d.key, "key of the hash in hexadecimal (highway64, highway128, highway256: 32 bytes; siphash: 16)")
		case "tie":
			flags.StringVar(&d.tie, name, d.tie, "bit of a lane whose sum is zero: zero, one, alternate")
		case "order":
			flags.StringVar(&d.order, name, d.order, "order in which floating-point weights are summed: grouped, sequential")
		case "unsure":
			flags.IntVar(&d.unsure, name, 0, "least sure bits of each fingerprint, which count for no distance: more near-duplicates at the same k")
		case "convention":
			flags.StringVar(&d.convention, name, "", "compute as another system does (see fphash conventions); it stands for the hash and all rules")
		default:
			panic("no part of a definition: " + name)
		}
	}
}

// definition is what the flags say.
type definition struct {
	family   fphash.Family
	sketch   fphash.Sketch
	encoding fphash.Encoding
	widen    fphash.Widen
	tie      fphash.Tie
	order    fphash.Order
	key      []byte
}

func (d *definitionFlags) parse() (p definition, err error) {
	if p.family, err = fphash.Lookup(d.hash); err != nil {
		return p, err
	}
	err = cmp.Or(p.sketch.UnmarshalText([]byte(d.sketch)), p.encoding.UnmarshalText([]byte(d.encoding)), p.widen.UnmarshalText([]byte(d.widen)), p.tie.UnmarshalText([]byte(d.tie)), p.order.UnmarshalText([]byte(d.order)))
	if err != nil || d.key == "" {
		return p, err
	}
	if p.key, err = hex.DecodeString(d.key); err != nil {
		return p, fmt.Errorf("--key: %w", err)
	}
	return p, nil
}

// sketchOf returns what has made fingerprints, by what they say of themselves, or else by the
// flags.
func (d *definitionFlags) sketchOf(definition string) (sketch fphash.Sketch) {
	if of, err := fphash.ParseDefinition(definition); err == nil {
		return of.Sketch
	}
	_ = sketch.UnmarshalText([]byte(d.sketch)) // who makes fingerprints says what is wrong
	return sketch
}

// hasher computes fingerprints: a Sketcher of package fphash or of package conventions.
type hasher interface {
	Definition() fphash.Definition
	String() string
	Bits() int
	Words() int
}

// hasher returns what computes fingerprints of that definition, or of that convention.
func (d *definitionFlags) hasher(workers int) (hasher, error) {
	if d.convention == "" {
		return d.sketcher(workers)
	}
	for _, name := range []string{"hash", "sketch", "widen", "seed", "tie", "order", "unsure"} {
		if d.changed(name) {
			return nil, fmt.Errorf("--%s: expected without --convention, which says that already", name)
		}
	}
	c, err := conventions.Lookup(d.convention)
	if err != nil {
		return nil, err
	}
	if err = c.Encoding.UnmarshalText([]byte(d.encoding)); err != nil {
		return nil, err
	}
	if d.key != "" {
		if c.Key, err = hex.DecodeString(d.key); err != nil {
			return nil, fmt.Errorf("--key: %w", err)
		}
	}
	if d.changed("bits") {
		c.Bits = d.bits
	}
	return conventions.New(c)
}

// sketcher returns the sketcher of that definition.
func (d *definitionFlags) sketcher(workers int) (*fphash.Sketcher, error) {
	if d.convention != "" {
		return nil, fmt.Errorf("--convention %s: expected with single files of vectors or documents only", d.convention)
	}
	p, err := d.parse()
	if err != nil {
		return nil, err
	}
	if d.unsure != 0 && (d.unsure < 0 || d.unsure >= d.bits) {
		return nil, fmt.Errorf("--unsure %d: expected 0 to %d, less than the %d bits of the fingerprints", d.unsure, d.bits-1, d.bits)
	}
	if d.unsure != 0 && p.sketch == fphash.MinHash {
		return nil, fmt.Errorf("--unsure %d: expected without --sketch minhash, which keeps no sums", d.unsure)
	}
	return fphash.New(fphash.WithFamily(p.family), fphash.WithSketch(p.sketch), fphash.WithEncoding(p.encoding), fphash.WithBits(d.bits), fphash.WithWiden(p.widen), fphash.WithSeed(d.seed),
		fphash.WithKey(p.key), fphash.WithTie(p.tie), fphash.WithOrder(p.order), fphash.WithWorkers(workers))
}
