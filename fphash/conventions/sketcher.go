package conventions

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"

	"simhashkit/fphash"
)

// Sketcher computes fingerprints with one Convention. It is immutable and safe for concurrent use.
// Make one with New and share it; the zero value panics.
type Sketcher struct {
	convention  Convention
	bits, words int
	signed      *fphash.Sketcher // sums the votes
	hash        fphash.ByteHash  // only for the weights of Python
	arranges    bool             // bits are reordered or inverted after the vote
}

// New returns a Sketcher for the Convention. It returns an error if parts of the Convention are
// unknown or cannot be combined, if the hash does not accept the key, or if fphash.New fails.
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
	s.signed, err = fphash.New(fphash.Definition{Encoding: c.Encoding, Bits: c.votedBits(f), Tie: tie, Order: c.Order, Key: c.Key}, fphash.WithFamily(f))
	if err != nil {
		return nil, s.wrap(err)
	}
	if c.Weights == pythonNumbers {
		h, err := f.New(fphash.Key{Bytes: c.Key})
		if err != nil {
			return nil, s.wrap(err)
		}
		s.hash = h.(fphash.ByteHash) // check has verified that the hash takes bytes
	}
	return s, nil
}

// Convention returns the Convention of the Sketcher.
func (s *Sketcher) Convention() Convention { return s.convention }

// Definition returns the definition to store with the fingerprints.
func (s *Sketcher) Definition() fphash.Definition { return s.convention.Definition() }

// String returns the definition in one line.
func (s *Sketcher) String() string { return s.Definition().String() }

// Bits returns the width of a fingerprint.
func (s *Sketcher) Bits() int { return s.bits }

// Words returns the number of words of a fingerprint: ceil(Bits/64).
func (s *Sketcher) Words() int { return s.words }

// Hex returns the fingerprint in hexadecimal, in the format of the system.
func (s *Sketcher) Hex(fingerprint []uint64) string {
	return fphash.Fingerprint(fingerprint).Hex(s.bits)
}

// AppendUnit appends the fingerprint of features, which has s.Words() words. Each occurrence of a
// feature counts once. Features are byte strings, or indices, which the Convention's Encoding
// converts to bytes. For the hashes identity, splitmix64-stream and splitmix64-transposed, features
// are 64-bit hashes.
//
// The status says whether the fingerprint is meaningful. AppendUnit returns an error and appends
// nothing if the hash does not accept the features, if the length of a digest is wrong, or if there
// are no features and the Convention refuses this (ErrEmpty).
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

// Append is AppendUnit with a weight for each feature. It also returns an error if the lengths
// differ, if the Convention accepts no weights, or if it accepts only integers and a weight is not
// a whole number.
func Append[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	err := checkDigests(s, features)
	switch {
	case len(features) != len(weights):
		err = fmt.Errorf("conventions: len(features) is %d but len(weights) is %d", len(features), len(weights))
	case err == nil && s.convention.Weights == unweighted:
		err = s.wrap(errors.New("the convention has no weights: each occurrence of a feature counts once"))
	}
	if err != nil {
		return dst, fphash.NoInformation, err
	}
	switch {
	case len(features) == 0 && s.convention.Empty != emptyByTie:
		return s.appendEmpty(dst)
	case s.convention.Weights == pythonNumbers:
		return appendHalf(s, dst, features, weights)
	case s.convention.Weights == floatNumbers:
		numbers := make([]float64, len(weights))
		for i, w := range weights {
			numbers[i] = float64(w)
		}
		return appendSigned(s, dst, features, numbers)
	case !isFloat[W]():
		return appendSigned(s, dst, features, weights)
	}
	integers := make([]int64, len(weights))
	for i, w := range weights {
		up, want := math.Ceil(float64(w)), ""
		switch {
		case s.convention.Weights == wholeNumbers && up != float64(w):
			want = "a whole number"
		case !(math.Abs(up) < 1<<63):
			want = "a number below 2^63"
		}
		if want != "" {
			return dst, fphash.NoInformation, s.wrap(fmt.Errorf("weight %d is %v, expected %s", i+1, w, want))
		}
		integers[i] = int64(up)
	}
	return appendSigned(s, dst, features, integers)
}

// checkDigests returns an error if features must be digests and one of them has the wrong length.
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

// appendSigned appends the fingerprint, computed by the kernels for the type of weight.
func appendSigned[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	at := len(dst)
	dst, status, err := fphash.Append(s.signed, dst, features, weights)
	return s.finish(dst, at, status, err)
}

// finish turns the voted bits, dst[at:], into the fingerprint.
func (s *Sketcher) finish(dst []uint64, at int, status fphash.Status, err error) ([]uint64, fphash.Status, error) {
	if err != nil {
		return dst, fphash.NoInformation, s.wrap(err)
	}
	if s.arranges && status != fphash.NotFinite { // sums that are not finite give zeros
		s.arrange(dst[at:])
	}
	return dst[:at+s.words], status, nil
}

// appendEmpty appends the fingerprint of a vector without features for conventions with a rule of
// their own. It returns ErrEmpty if the Convention refuses such vectors.
func (s *Sketcher) appendEmpty(dst []uint64) ([]uint64, fphash.Status, error) {
	if s.convention.Empty == emptyRefused {
		return dst, fphash.NoInformation, fmt.Errorf("%w: %s", ErrEmpty, s.convention.Name)
	}
	return append(dst, make([]uint64, s.words)...), fphash.NoInformation, nil
}

// wrap adds the name of the convention to an error.
func (s *Sketcher) wrap(err error) error {
	return fmt.Errorf("conventions: %s: %w", s.convention.Name, err)
}

// votedBits returns n if features vote on the n lowest bits of the code. If the fingerprint
// is the last bytes of a digest, features vote on all bits of the digest.
func (c Convention) votedBits(f fphash.Family) int {
	if c.BitOrder == lastBytes {
		return f.Bits
	}
	return c.Bits
}

// arrange converts the voted bits to the fingerprint in place and returns it: it reorders and
// inverts bits according to the convention.
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

// reverseBytes reverses the bytes of little-endian words.
func reverseBytes(words []uint64) {
	for i, j := 0, len(words)-1; i <= j; i, j = i+1, j-1 {
		words[i], words[j] = bits.ReverseBytes64(words[j]), bits.ReverseBytes64(words[i])
	}
}

// shiftRight shifts a number of several words right by fewer than 64 bits.
func shiftRight(words []uint64, by int) {
	for t := range words {
		words[t] >>= by
		if t+1 < len(words) {
			words[t] |= words[t+1] << (64 - by) // 0 if by is 0
		}
	}
}

// AppendFeatures appends the fingerprint of the features of a text with their weights. If weights
// is nil, each occurrence counts once. For the weights of Python, they are floats.
func (s *Sketcher) AppendFeatures(dst []uint64, features [][]byte, weights []float64) ([]uint64, fphash.Status, error) {
	if weights == nil {
		return AppendUnit(s, dst, features)
	}
	return Append(s, dst, features, weights)
}

// isFloat reports whether weights of the type may have fractions.
func isFloat[W fphash.Weight]() bool {
	half := 0.5
	return W(half) != 0
}

// appendHalf appends the fingerprint for Python's numbers.
func appendHalf[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	var text []byte
	n, hashed := len(features), s.signed.Words()
	ends, codes := make([]int, n), make([]uint64, n*hashed)
	for i, feature := range features {
		text = append(text, bytesOf(feature, s.convention.Encoding)...)
		ends[i] = len(text)
	}
	s.hash.HashBytes(codes, text, ends)
	sums, total := make([]float64, 64*s.words), 0.0
	for i, w := range weights {
		total += float64(w)
		if !isFloat[W]() && w <= 0 {
			continue // it counts only towards the total
		}
		for t := range s.words { // these words are the last bytes of the digest
			addWhere(sums[64*t:], bits.ReverseBytes64(codes[(hashed-1-t)*n+i]), float64(w))
		}
	}
	at := len(dst)
	dst, status := appendAbove(dst, sums, total/2)
	dst[at+s.words-1] &= ^uint64(0) >> (-uint(s.bits) % 64)
	return dst, status, nil
}

// bytesOf returns the bytes to hash for a feature.
func bytesOf[F fphash.Feature](feature F, encoding fphash.Encoding) []byte {
	switch v := reflect.ValueOf(feature); v.Kind() {
	case reflect.String:
		return []byte(v.String())
	case reflect.Slice:
		return v.Bytes()
	default:
		return encoding.AppendIndex(nil, v.Uint())
	}
}

// addWhere adds the weight to the sums of the bits that are 1.
func addWhere(sums []float64, word uint64, weight float64) {
	lanes := sums[:64]
	pattern := math.Float64bits(weight)
	for j := range lanes {
		lanes[j] += math.Float64frombits(pattern & -(word >> j & 1))
	}
}

// appendAbove appends a 1 for each sum above half, and a 0 for the others. It appends zeros if a
// sum is not finite.
func appendAbove(dst []uint64, sums []float64, half float64) ([]uint64, fphash.Status) {
	status, at := fphash.NoInformation, len(dst)
	for j, sum := range sums {
		if j%64 == 0 {
			dst = append(dst, 0)
		}
		if sum > half {
			dst[len(dst)-1] |= 1 << (j % 64)
		}
		if sum != half {
			status = fphash.Informative
		}
		if sum-sum != 0 {
			half = math.NaN()
		}
	}
	if half-half != 0 {
		clear(dst[at:])
		status = fphash.NotFinite
	}
	return dst, status
}
