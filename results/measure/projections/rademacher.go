package main

import (
	"simhashkit/asm/accumulate"
)

// rademacher stores signs: the row of a dimension is a code of f bits, which is all that the
// kernels need.
type rademacher struct {
	stored
	words int
	codes []uint64 // of dimension i from i*words on
	row   []uint64 // the codes of a vector, word by word
}

func (r *rademacher) Name() string { return Rademacher }

func (r *rademacher) TableBytes(dimensions uint64) uint64 {
	return product(dimensions, 8*uint64(words(r.bits)))
}

func (r *rademacher) Prepare(dimensions, keying uint64) error {
	random := keyed(Rademacher, keying)
	return r.fill(dimensions, func(code []uint64) {
		for t := range code {
			code[t] = random.Uint64()
		}
	})
}

// fill allocates the matrix and has its rows set, dimension after dimension; bits from the width up
// may be anything.
func (r *rademacher) fill(dimensions uint64, set func(code []uint64)) error {
	d, err := r.fits(dimensions, r.TableBytes(dimensions))
	if err != nil {
		return err
	}
	r.words = words(r.bits)
	if n := d * r.words; cap(r.codes) < n {
		r.codes = nil // for the collector, before as much again is asked for
		r.codes = make([]uint64, n)
	} else {
		r.codes = r.codes[:n]
	}
	for i := 0; i < len(r.codes); i += r.words {
		set(r.codes[i : i+r.words])
	}
	return nil
}

func (r *rademacher) dimensions() int { return len(r.codes) / r.words }

func (r *rademacher) Append(dst, indices []uint64, weights []float32) []uint64 {
	lengths(indices, weights)
	n := len(indices)
	r.row = grown(r.row, n*r.words)
	if !r.gather(indices) {
		outside(r.dimensions())
	}
	return appendSigns(dst, r.row, weights, r.bits)
}

// gather sets row to the codes of the indices, all words 0 first; it reports whether there are such
// dimensions.
func (r *rademacher) gather(indices []uint64) bool {
	if r.words == 1 {
		codes, row := r.codes, r.row[:len(indices)]
		for i, index := range indices {
			if index >= uint64(len(codes)) {
				return false
			}
			row[i] = codes[index]
		}
		return true
	}
	dimensions := uint64(r.dimensions())
	for i, index := range indices {
		if index >= dimensions {
			return false
		}
		for t, word := range r.codes[int(index)*r.words:][:r.words] {
			r.row[t*len(indices)+i] = word
		}
	}
	return true
}

func (r *rademacher) AppendRow(dst []float32, index uint64) []float32 {
	if index >= uint64(r.dimensions()) {
		outside(r.dimensions())
	}
	return appendEntries(dst, r.codes[int(index)*r.words:][:r.words], r.bits)
}

// grown returns the slice with n elements of any value, allocated anew only if there is no room.
func grown(s []uint64, n int) []uint64 {
	if cap(s) < n {
		return make([]uint64, n)
	}
	return s[:n]
}

// appendSigns appends the fingerprint of features with these codes, whose words t lie from
// t*len(weights) on.
func appendSigns(dst, codes []uint64, weights []float32, bits int) []uint64 {
	n := len(weights)
	for t := range words(bits) {
		dst = append(dst, accumulate.SketchF32(codes[t*n:(t+1)*n], weights).Positive)
	}
	dst[len(dst)-1] &= ^uint64(0) >> (-uint(bits) % 64)
	return dst
}

// appendEntries appends +1 for every bit of the code that is 1, and -1 for every other.
func appendEntries(dst []float32, code []uint64, bits int) []float32 {
	for j := range bits {
		entry := float32(-1)
		if code[j/64]>>(j%64)&1 == 1 {
			entry = 1
		}
		dst = append(dst, entry)
	}
	return dst
}
