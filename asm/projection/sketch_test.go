package projection

import (
	"fmt"
	"strings"
	"testing"

	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/random"
	"simhashkit/asm/internal/registers"
)

// Every number of features from 0 to 512 at eight alignments, and a table of which every row is
// read, flush against inaccessible pages on both sides, with registers that hold nothing useful.
func TestBetweenGuardPages(t *testing.T) {
	const longest, dimensions = 512, 5
	r := random.Seeded(t)
	type memory struct {
		table, weights []float32
		indices        []uint64
		want           [longest + 1][]uint64 // by the first feature and their number
	}
	var atStart, atEnd memory
	atStart.table, atEnd.table = guard.Slices[float32](t, dimensions*64)
	atStart.weights, atEnd.weights = guard.Slices[float32](t, longest)
	atStart.indices, atEnd.indices = guard.Slices[uint64](t, longest)
	for _, m := range []*memory{&atStart, &atEnd} {
		for _, numbers := range [][]float32{m.table, m.weights} {
			for i := range numbers {
				numbers[i] = float32(r.NormFloat64())
			}
		}
		fillIndices(r, m.indices, dimensions) // which may be the same memory in both
	}
	for _, m := range []*memory{&atStart, &atEnd} {
		for from := range m.want {
			m.want[from] = oracle(m.table, 64, m.indices[from:], m.weights[from:])
		}
	}
	onImplementations(t, func(t *testing.T, sketch sketch) {
		check := func(m *memory, from, n int) {
			t.Helper()
			registers.Spoil(n%2 == 0)
			got, ok := sketch(m.table, 64, dimensions, m.indices[from:from+n], m.weights[from:from+n])
			if want := m.want[from][n]; got != want || !ok {
				t.Fatalf("features %d to %d: %016x, %v, want %016x", from, from+n, got, ok, want)
			}
		}
		for n := range longest + 1 {
			for offset := range min(8, longest-n+1) {
				check(&atStart, offset, n)
				check(&atEnd, longest-n-offset, n)
			}
		}
	})
}

// Numbers of all kinds, at the strides of wide fingerprints, and with indices that have no row, on
// every kernel that can run here.
func TestSketchOnRandomInput(t *testing.T) {
	const most = 200
	r := random.Seeded(t)
	table, weights, indices := make([]float32, 16*64), make([]float32, most), make([]uint64, most)
	for round := range random.Rounds(t, 100, 1500) {
		stride := 64 * (1 + r.IntN(4))
		dimensions := 1 + r.IntN(len(table)/stride)
		table, n := table[:(dimensions-1)*stride+64], r.IntN(60)
		if r.IntN(20) == 0 {
			n = r.IntN(most)
		}
		fill(r, table)
		fill(r, weights[:n])
		fillIndices(r, indices[:n], dimensions)
		want, wantOK := uint64(0), true
		if n > 0 && r.IntN(8) == 0 {
			indices[r.IntN(n)], wantOK = outside(dimensions)[r.IntN(len(outside(dimensions)))], false
		} else {
			want = oracle(table, stride, indices[:n], weights[:n])[n]
		}
		for i, k := range SketchKernels() {
			if !k.Available() {
				continue
			}
			registers.Spoil((round+i)%2 == 0)
			got, ok := k.Sketch(table, stride, dimensions, indices[:n], weights[:n])
			if got != want || ok != wantOK {
				t.Fatalf("%s, round %d, %d features, %d rows of %d: %016x, %v, want %016x, %v\nindices %d\nweights %v",
					k.Name, round, n, dimensions, stride, got, ok, want, wantOK, indices[:n], weights[:n])
			}
		}
	}
}

// outside are indices that have no row; some would lie inside the table as numbers of 32 bits, as
// signed ones, or as places in bytes.
func outside(dimensions int) []uint64 {
	return []uint64{uint64(dimensions), uint64(dimensions) + 1, 1 << 31, 1 << 32, 1 << 56, 1 << 62, 1 << 63, ^uint64(0)}
}

// An index without a row is found at every place among the features, and no other is taken for it.
func TestIndicesWithoutRow(t *testing.T) {
	const dimensions = 3
	table, weights := make([]float32, dimensions*64), make([]float32, 40)
	for i := range table {
		table[i] = 1
	}
	for i := range weights {
		weights[i] = 1
	}
	onImplementations(t, func(t *testing.T, sketch sketch) {
		for n := 1; n <= len(weights); n++ {
			for at := range n {
				indices := make([]uint64, n)
				indices[at] = dimensions - 1
				if got, ok := sketch(table, 64, dimensions, indices, weights[:n]); got != ^uint64(0) || !ok {
					t.Fatalf("the last row at %d of %d: %016x, %v", at, n, got, ok)
				}
				for _, index := range outside(dimensions) {
					indices[at] = index
					if got, ok := sketch(table, 64, dimensions, indices, weights[:n]); got != 0 || ok {
						t.Fatalf("index %#x at %d of %d: %016x, %v", index, at, n, got, ok)
					}
				}
			}
		}
	})
}

// Lengths that do not fit panic, on every tier, and those that just fit do not.
func TestLengths(t *testing.T) {
	const most = int(^uint(0) >> 1)
	kernels.OnTiers(t, "", func(t *testing.T) {
		for _, c := range []struct {
			entries, stride, dimensions, indices, weights int
			says                                          string // nothing if it fits
		}{
			{64, 64, 1, 2, 2, ""},
			{192, 128, 2, 2, 2, ""},
			{0, 64, 0, 0, 0, ""},
			{64, 64, 1, 2, 1, "2 indices but 1 weights"},
			{64, 64, 1, 1, 2, "1 indices but 2 weights"},
			{63, 64, 1, 1, 1, "a table of 63 entries has no 1 rows"},
			{191, 128, 2, 1, 1, "a table of 191 entries has no 2 rows at a stride of 128"},
			{64, 64, -1, 1, 1, "no -1 rows"},
			{64, -64, 1, 1, 1, "stride of -64"},
			{64, most, most, 0, 0, "a table of 64 entries"},
			{64, most/2 + 1, 5, 0, 0, "a table of 64 entries"},
		} {
			value := kernels.PanicOf(func() {
				Sketch(make([]float32, c.entries), c.stride, c.dimensions, make([]uint64, c.indices), make([]float32, c.weights))
			})
			if c.says == "" && value != nil || c.says != "" && !strings.Contains(fmt.Sprint(value), c.says) {
				t.Errorf("%+v: the panic is %v", c, value)
			}
		}
	})
}

// Nothing is allocated, and callers may keep their arguments on the stack.
func TestNoAllocation(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) {
		if allocations := testing.AllocsPerRun(5, func() {
			var table, weights [64]float32
			var indices [64]uint64
			Sketch(table[:], 64, 1, indices[:], weights[:])
		}); allocations != 0 {
			t.Errorf("%v allocations", allocations)
		}
	})
}
