package fphash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Widen says where further bits come from if a fingerprint is wider than the hash. With a hash of w
// bits, block b is the bits b·w to b·w+w-1, packed without gaps; block 0 is always the plain hash.
type Widen uint8

// The widenings.
const (
	// WidenNone makes such a width an error; it is the default.
	WidenNone Widen = iota
	// WidenReseed takes block b from the hash with seed + b or, if it is
	// keyed, with b added to the first 8 bytes of the key, read as a
	// little-endian number; both wrap. It is for seeded and keyed hashes,
	// and costs one hash a block.
	WidenReseed
	// WidenCounter takes block b ≥ 1 from the hash of the feature's bytes
	// followed by the byte b, so there are at most 256 blocks. It is for
	// hashes of bytes whose last byte changes all bits, so not for FNV and
	// CRC; it costs one hash a block.
	WidenCounter
	// WidenMix takes word t from w/64 on as mix(word t mod w/64 + t·γ),
	// with the finaliser and the step of SplitMix64. It is for hashes
	// whose width is a multiple of 64, however weak, and costs a fraction
	// of a nanosecond a word. It adds no entropy: indices whose plain
	// codes are equal stay so.
	WidenMix
)

var widenNames = [...]string{WidenNone: "none", WidenReseed: "reseed", WidenCounter: "counter", WidenMix: "mix"}

// counterBlocks is how many blocks one byte can count.
const counterBlocks = 256

// String returns the widening's name: none, reseed, counter or mix.
func (w Widen) String() string { return nameOf(w, widenNames[:], "Widen") }

// WithWiden makes fingerprints possible that are wider than the hash; see Widen for the ways. The
// default is WidenNone. It changes nothing where the hash is wide enough; a way that does not suit
// the hash is an error all the same.
func WithWiden(w Widen) Option {
	return func(c *config) error {
		c.widen = w
		return known(w, widenNames[:], "widening")
	}
}

// Widen returns a family of codes of that many bits, made from f in the way of w, which takes f's
// seeds and keys. Its name is that of both, as in "xxh64-mix". If f is as wide already, it is
// returned as it is.
//
// It fails if bits is not 1 to MaxBits and if the way does not suit f. Whether f takes byte strings
// is seen only when a function of the new family is built. Cost of a code: see the ways; besides, a
// family whose width is not a multiple of 64 pays a few operations a word for packing.
func (f Family) Widen(w Widen, bits int) (Family, error) {
	if err := cmp.Or(f.check(), checkBits(bits), known(w, widenNames[:], "widening")); err != nil {
		return Family{}, err
	}
	if why := f.unsuited(w); why != "" {
		return Family{}, fmt.Errorf("fphash: widening %v does not suit %s: %s; use %s", w, f.Name, why, f.instead())
	}
	blocks := (bits + f.Bits - 1) / f.Bits
	switch {
	case blocks == 1:
		return f, nil
	case w == WidenNone:
		return Family{}, fmt.Errorf("fphash: code is %d bits wide, %d wanted; %s", f.Bits, bits, widthAdvice(f, bits))
	case w == WidenCounter && blocks > counterBlocks:
		return Family{}, fmt.Errorf("fphash: widening counter: %d bits are %d blocks of %s, but one byte counts %d", bits, blocks, f.Name, counterBlocks)
	}
	wide := Family{Name: f.Name + "-" + w.String(), Bits: bits, Seeded: f.Seeded, KeyBytes: f.KeyBytes, Integer: f.Integer}
	wide.New = func(k Key) (Hash, error) { return newWidened(f, w, k, bits) }
	return wide, nil
}

// Widenings returns the ways in which f can be widened, in the order of their constants; WidenNone
// is not among them. A hash of the user's own is taken at its word: that it takes byte strings is
// checked when it is used.
func (f Family) Widenings() []Widen {
	var ways []Widen
	for w := WidenReseed; int(w) < len(widenNames); w++ {
		if f.unsuited(w) == "" {
			ways = append(ways, w)
		}
	}
	return ways
}

// unsuited says why w is not for f; it is empty if w is.
func (f Family) unsuited(w Widen) string {
	switch {
	case w == WidenReseed && !f.Seeded && f.KeyBytes == 0:
		return "the hash takes neither a seed nor a key"
	case w == WidenCounter && f.Integer:
		return "the hash takes integers, to which no byte can be appended"
	case slices.Contains(f.Refused, w):
		return "with this hash bits of different blocks repeat, complement each other or correlate"
	case w == WidenMix && f.Bits%64 != 0:
		return fmt.Sprintf("it works on whole words, and a code has %d bits", f.Bits)
	}
	return ""
}

// instead says what to use where a way does not suit.
func (f Family) instead() string {
	if names := f.wideningNames(); len(names) > 0 {
		return strings.Join(names, " or ")
	}
	return "a wider hash"
}

// wideningNames are the names of the ways that suit f.
func (f Family) wideningNames() (names []string) {
	for _, w := range f.Widenings() {
		names = append(names, w.String())
	}
	return names
}
