package main

import (
	"math"
	"math/rand/v2"
	"sync"

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

// unitEntry is the step of normal entries: with weights of steps of 1/32 up to 32, sums of some
// thousand products keep within the 24 bits of a float32, and no order of summation and no fused
// multiplication changes them.
const unitEntry = 1.0 / 64

// quantiles are the 65,536 values that normal entries take with equal probability: the middle
// quantiles of the standard normal distribution, rounded to unitEntry. They end at ±4.27; of their
// moments the second is 1 within 0.0002 and the fourth 3 within 0.01.
var quantiles = sync.OnceValue(func() *[1 << 16]float32 {
	var q [1 << 16]float32
	for k := range q {
		p := (float64(k) + 0.5) / float64(len(q))
		q[k] = float32(math.Round(math.Sqrt2*math.Erfinv(2*p-1)/unitEntry) * unitEntry)
	}
	return &q
})
