package conventions

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"sync"

	"simhashkit/fphash"
)

// Sketcher computes fingerprints of one Convention. It never changes and is safe for concurrent
// use. Make one with New and share it; the zero value panics.
type Sketcher struct {
	convention  Convention
	bits, words int
	signed      *fphash.Sketcher // counts votes
	hash        fphash.ByteHash  // for Python's numbers
	arranges    bool             // bits are reordered or inverted after the vote

	buffers sync.Pool // of *buffers
}

// New returns a Sketcher of that Convention. It fails if parts of the Convention are unknown or
// cannot be combined, if the hash does not accept the key, or if fphash.New fails.
func New(c Convention) (*Sketcher, error) {
	f, err := c.family()
	if err != nil {
		return nil, err
	}
	s := &Sketcher{convention: c, bits: c.FingerprintBits(), words: (c.FingerprintBits() + 63) / 64, arranges: c.BitOrder != numberOrder || c.Inverted}
	tie := c.Tie
	if c.Inverted {
		tie = fphash.TieOne - tie
	}
	s.signed, err = fphash.New(fphash.WithFamily(f), fphash.WithEncoding(c.Encoding), fphash.WithBits(c.votedBits(f)), fphash.WithTie(tie), fphash.WithOrder(c.Order),
		fphash.WithKey(c.Key))
	if err != nil {
		return nil, s.wrap(err)
	}
	if c.Weights == Python {
		h, err := f.New(fphash.Key{Bytes: c.Key})
		if err != nil {
			return nil, s.wrap(err)
		}
		s.hash = h.(fphash.ByteHash) // check has seen that it takes bytes
	}
	return s, nil
}

// NewNamed is New for a preset by its name.
func NewNamed(name string) (*Sketcher, error) {
	c, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return New(c)
}

// Convention returns what the Sketcher computes.
func (s *Sketcher) Convention() Convention { return s.convention }

// Definition returns the definition to store with the fingerprints.
func (s *Sketcher) Definition() fphash.Definition { return s.convention.Definition() }

// String returns the definition in one line.
func (s *Sketcher) String() string { return s.Definition().String() }

// Bits returns the width of a fingerprint.
func (s *Sketcher) Bits() int { return s.bits }

// Words returns the number of words of a fingerprint: ceil(Bits/64).
func (s *Sketcher) Words() int { return s.words }

// Hex returns the fingerprint as the system shows it, in hexadecimal digits.
func (s *Sketcher) Hex(fingerprint []uint64) string {
	return fphash.Fingerprint(fingerprint).Hex(s.bits)
}

// AppendUnit appends the fingerprint of features that count once for each occurrence: s.Words()
// words. Features are byte strings or, written by the Convention's Encoding, indices; for the
// hashes identity, splitmix64-stream and splitmix64-transposed they are 64-bit hashes.
//
// The status says whether the fingerprint means anything. The error is for misuse, with nothing
// appended: features that the hash does not take, digests of another length than the Convention's,
// and ErrEmpty.
func AppendUnit[F fphash.Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, fphash.Status, error) {
	if len(features) == 0 && s.convention.Empty != emptyByTie {
		return s.appendEmpty(dst)
	}
	if err := checkDigests(s, features); err != nil {
		return dst, fphash.NoInformation, err
	}
	at := len(dst)
	dst, status, err := fphash.AppendUnit(s.signed, dst, features)
	return s.finish(dst, at, status, err)
}

// Append is AppendUnit with a weight for each feature. It fails besides if the lengths differ, and
// if the Convention takes no weights, or no fractions.
func Append[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	err := checkDigests(s, features)
	if len(features) != len(weights) {
		err = fmt.Errorf("conventions: len(features) is %d but len(weights) is %d", len(features), len(weights))
	}
	if err == nil {
		err = checkWeights[W](s)
	}
	if err != nil {
		return dst, fphash.NoInformation, err
	}
	if len(features) == 0 && s.convention.Empty != emptyByTie {
		return s.appendEmpty(dst)
	}
	switch s.convention.Weights {
	case Python:
		return appendHalf(s, dst, features, weights)
	case RoundedUp:
		if isFloat[W]() {
			return appendRoundedUp(s, dst, features, weights)
		}
	case Float64:
		return appendFloat64(s, dst, features, weights)
	}
	return appendSigned(s, dst, features, weights)
}

// checkDigests returns an error if features should be digests and one is not of the right length.
func checkDigests[F fphash.Feature](s *Sketcher, features []F) error {
	if s.convention.Hash != digest {
		return nil
	}
	if kind := reflect.TypeFor[F]().Kind(); kind != reflect.String && kind != reflect.Slice {
		return s.wrap(fmt.Errorf("expected digests of %d bytes, not indices", s.bits/8))
	}
	for i, feature := range features {
		if n := reflect.ValueOf(feature).Len(); n != s.bits/8 {
			return s.wrap(fmt.Errorf("digest %d has %d bytes, expected %d", i+1, n, s.bits/8))
		}
	}
	return nil
}

// appendSigned appends the fingerprint by the kernels for that type of weight.
func appendSigned[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	at := len(dst)
	dst, status, err := fphash.Append(s.signed, dst, features, weights)
	return s.finish(dst, at, status, err)
}

// finish makes the fingerprint of what was voted, which stands from at on.
func (s *Sketcher) finish(dst []uint64, at int, status fphash.Status, err error) ([]uint64, fphash.Status, error) {
	if err != nil {
		return dst, fphash.NoInformation, s.wrap(err)
	}
	if s.arranges && status != fphash.NotFinite { // else zeros
		s.arrange(dst[at:])
	}
	return dst[:at+s.words], status, nil
}

// appendEmpty appends what no features give, where that is not what sums of zero give.
func (s *Sketcher) appendEmpty(dst []uint64) ([]uint64, fphash.Status, error) {
	if s.convention.Empty == emptyRefused {
		return dst, fphash.NoInformation, fmt.Errorf("%w: %s", ErrEmpty, s.convention.Name)
	}
	return append(dst, make([]uint64, s.words)...), fphash.NoInformation, nil
}

// wrap names the convention in what went wrong.
func (s *Sketcher) wrap(err error) error {
	return fmt.Errorf("conventions: %s: %w", s.convention.Name, err)
}

// votedBits returns how many bits of the code, from the lowest on, are voted on: a digest of which
// the last bytes are wanted is voted on as a whole.
func (c Convention) votedBits(f fphash.Family) int {
	if c.BitOrder == lastBytes {
		return f.Bits
	}
	return c.Bits
}

// arrange makes the fingerprint of what was voted, in place, and returns it: the bits where the
// convention has them, and inverted.
func (s *Sketcher) arrange(voted []uint64) []uint64 {
	if s.convention.BitOrder != numberOrder {
		reverseBytes(voted)
		if s.convention.BitOrder == firstBytes {
			shiftRight(voted, 64*len(voted)-s.bits)
		}
	}
	fingerprint := voted[:s.words]
	if s.convention.Inverted {
		for t := range fingerprint {
			fingerprint[t] = ^fingerprint[t]
		}
	}
	fingerprint[s.words-1] &= ^uint64(0) >> (-uint(s.bits) % 64)
	return fingerprint
}

// reverseBytes makes the first byte of the words, least significant first, the last one.
func reverseBytes(words []uint64) {
	for i, j := 0, len(words)-1; i <= j; i, j = i+1, j-1 {
		words[i], words[j] = bits.ReverseBytes64(words[j]), bits.ReverseBytes64(words[i])
	}
}

// shiftRight shifts a number of many words by less than 64 bits.
func shiftRight(words []uint64, by int) {
	for t := range words {
		words[t] >>= by
		if t+1 < len(words) {
			words[t] |= words[t+1] << (64 - by) // nothing, where by is 0
		}
	}
}

// AppendFeatures appends the fingerprint of features with weights, as texts are weighed; without
// weights each occurrence counts once. Weights that stand for whole numbers do for a Convention
// that takes such; for Python they are Python's floats.
func (s *Sketcher) AppendFeatures(dst []uint64, features [][]byte, weights []float64) ([]uint64, fphash.Status, error) {
	if weights == nil {
		return AppendUnit(s, dst, features)
	}
	if s.convention.Weights != Integers {
		return Append(s, dst, features, weights)
	}
	b := s.borrow()
	defer s.buffers.Put(b)
	b.integers = b.integers[:0]
	for i, w := range weights {
		if w != math.Trunc(w) || !(math.Abs(w) < 1<<63) {
			return dst, fphash.NoInformation, s.wrap(fmt.Errorf("weight %d is %v, expected a whole number", i+1, w))
		}
		b.integers = append(b.integers, int64(w))
	}
	return Append(s, dst, features, b.integers)
}
