package conventions

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"

	"simhashkit/fphash"
)

// buffers holds the memory that a call needs in addition to the buffers of package fphash.
type buffers struct {
	integers []int64
	numbers  []float64
	text     []byte
	ends     []int
	codes    []uint64
}

func (s *Sketcher) borrow() *buffers {
	if b, ok := s.buffers.Get().(*buffers); ok {
		return b
	}
	return new(buffers)
}

// isFloat reports whether weights of the type may have fractions.
func isFloat[W fphash.Weight]() bool {
	half := 0.5
	return W(half) != 0
}

// checkWeights returns an error if the Convention does not accept weights of type W.
func checkWeights[W fphash.Weight](s *Sketcher) error {
	switch {
	case s.convention.Weights == Unweighted:
		return s.wrap(errors.New("the convention has no weights: each occurrence of a feature counts once"))
	case s.convention.Weights == Integers && isFloat[W]():
		return s.wrap(errors.New("expected integer weights, not floating-point ones"))
	}
	return nil
}

// appendFloat64 appends the fingerprint for weights that are summed as float64.
func appendFloat64[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	if numbers, ok := any(weights).([]float64); ok {
		return appendSigned(s, dst, features, numbers)
	}
	b := s.borrow()
	defer s.buffers.Put(b)
	b.numbers = b.numbers[:0]
	for _, w := range weights {
		b.numbers = append(b.numbers, float64(w))
	}
	return appendSigned(s, dst, features, b.numbers)
}

// appendRoundedUp appends the fingerprint for weights that are rounded up to whole numbers.
func appendRoundedUp[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	b := s.borrow()
	defer s.buffers.Put(b)
	b.integers = b.integers[:0]
	for i, w := range weights {
		up := math.Ceil(float64(w))
		if !(math.Abs(up) < 1<<63) {
			return dst, fphash.NoInformation, s.wrap(fmt.Errorf("weight %d is %v, expected a number below 2^63", i+1, w))
		}
		b.integers = append(b.integers, int64(up))
	}
	return appendSigned(s, dst, features, b.integers)
}

// appendHalf appends the fingerprint for Python's numbers. If all weights are integers above 0, it
// equals the fingerprint of signed votes, which the kernels compute.
func appendHalf[F fphash.Feature, W fphash.Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, fphash.Status, error) {
	if !isFloat[W]() && areCounts(weights) {
		return appendSigned(s, dst, features, weights)
	}
	b := s.borrow()
	defer s.buffers.Put(b)
	b.text, b.ends = b.text[:0], b.ends[:0]
	for _, feature := range features {
		b.text = append(b.text, bytesOf(feature, s.convention.Encoding)...)
		b.ends = append(b.ends, len(b.text))
	}
	n, hashed := len(features), s.signed.Words()
	b.codes = slices.Grow(b.codes[:0], n*hashed)[:n*hashed]
	s.hash.HashBytes(b.codes, b.text, b.ends)
	b.numbers = append(b.numbers[:0], make([]float64, 64*s.words)...) // the sums
	total := 0.0
	for i, w := range weights {
		total += float64(w)
		if !isFloat[W]() && w <= 0 {
			continue // it counts only towards the total
		}
		for t := range s.words { // these words are the last bytes of the digest
			addWhere(b.numbers[64*t:], bits.ReverseBytes64(b.codes[(hashed-1-t)*n+i]), float64(w))
		}
	}
	at := len(dst)
	dst, status := appendAbove(dst, b.numbers, total/2)
	dst[at+s.words-1] &= ^uint64(0) >> (-uint(s.bits) % 64)
	return dst, status, nil
}

// mostExact is the largest total of integer weights with which all sums are exact in float64.
const mostExact = 1 << 53

// areCounts reports whether all weights are above 0 and their sum is exact in float64.
func areCounts[W fphash.Weight](weights []W) bool {
	total := uint64(0)
	for _, w := range weights {
		if !(w > 0) || uint64(w) > mostExact {
			return false
		}
		if total += uint64(w); total > mostExact {
			return false
		}
	}
	return true
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
