package projections

import (
	"math/rand/v2"

	"simhashkit/asm/projection"
)

// gaussian stores normal entries: the row of a dimension is contiguous, and padded with zeros to
// whole words of fingerprint.
type gaussian struct {
	stored
	dimensions int
	stride     int // entries of a row
	table      []float32
}

func (g *gaussian) Name() string { return Gaussian }

func (g *gaussian) TableBytes(dimensions uint64) uint64 {
	return product(dimensions, 4*64*uint64(words(g.bits)))
}

func (g *gaussian) Prepare(dimensions, keying uint64) error {
	random, table := keyed(Gaussian, keying), quantiles()
	return g.fill(dimensions, func(row []float32) { normal(row, random, table) })
}

// fill allocates the matrix and has its rows set, dimension after dimension.
func (g *gaussian) fill(dimensions uint64, set func(row []float32)) error {
	d, err := g.fits(dimensions, g.TableBytes(dimensions))
	if err != nil {
		return err
	}
	g.dimensions, g.stride = d, 64*words(g.bits)
	if n := d * g.stride; cap(g.table) < n {
		g.table = nil // for the collector, before as much again is asked for
		g.table = make([]float32, n)
	} else {
		g.table = g.table[:n]
	}
	for i := range d {
		set(g.table[i*g.stride:][:g.bits])
	}
	return nil
}

// normal sets the row to random entries, four from each word.
func normal(row []float32, random *rand.ChaCha8, quantiles *[1 << 16]float32) {
	for len(row) > 0 {
		w := random.Uint64()
		for range min(4, len(row)) {
			row[0], row = quantiles[w&0xffff], row[1:]
			w >>= 16
		}
	}
}

func (g *gaussian) Append(dst, indices []uint64, weights []float32) []uint64 {
	lengths(indices, weights)
	for block := 0; block < g.stride; block += 64 {
		positive, ok := projection.Sketch(g.table[block:], g.stride, g.dimensions, indices, weights)
		if !ok {
			outside(g.dimensions)
		}
		dst = append(dst, positive)
	}
	return dst
}

func (g *gaussian) AppendRow(dst []float32, index uint64) []float32 {
	if index >= uint64(g.dimensions) {
		outside(g.dimensions)
	}
	return append(dst, g.table[int(index)*g.stride:][:g.bits]...)
}
