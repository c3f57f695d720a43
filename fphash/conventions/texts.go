package conventions

import (
	"fmt"
	"math"

	"simhashkit/fphash"
)

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
