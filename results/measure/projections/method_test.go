package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// Example E1 of the definition: two bits of a vector in three dimensions, the leftmost bit from the
// row (1,-1,1), the other from (-1,1,1).
func TestWorkedExample(t *testing.T) {
	// of dimension 0, 1, 2; bit 0, the rightmost, first
	columns := [][]float32{{-1, 1}, {1, -1}, {1, 1}}
	codes := []uint64{0b10, 0b01, 0b11}
	indices, weights := []uint64{0, 1, 2}, []float32{3, 2, 4}
	atEachTier(t, func(t *testing.T) {
		g, r := &gaussian{stored: stored{bits: 2, limit: 1 << 20}}, &rademacher{stored: stored{bits: 2, limit: 1 << 20}}
		dimension := 0
		err := g.fill(3, func(row []float32) { dimension += copy(row, columns[dimension]) / 2 })
		if err != nil {
			t.Fatal(err)
		}
		dimension = 0
		if err := r.fill(3, func(code []uint64) { dimension += copy(code, codes[dimension:]) }); err != nil {
			t.Fatal(err)
		}
		for _, m := range []Method{g, r} {
			if got := m.Append(nil, indices, weights); !slices.Equal(got, []uint64{0b11}) {
				t.Errorf("%s: %b, want 11", m.Name(), got)
			}
			// sums (1, -1)
			if got := m.Append(nil, indices, []float32{3, 2, 0}); !slices.Equal(got, []uint64{0b10}) {
				t.Errorf("%s: %b, want 10", m.Name(), got)
			}
			// sums (0, 0)
			if got := m.Append(nil, indices, []float32{1, 1, 0}); !slices.Equal(got, []uint64{0}) {
				t.Errorf("%s: %b, want 00 for ties", m.Name(), got)
			}
		}
	})
}

// Every method gives the signs that its entries give, at every width and with every kernel, and
// nothing above the width.
func TestMethodsComputeWhatTheirEntriesSay(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		random := generator(1)
		for _, name := range Methods() {
			for _, bits := range []int{1, 2, 63, 64, 65, 127, 128, 200, 256} {
				m := prepared(t, name, bits, 500, 3)
				for _, n := range []int{0, 1, 2, 3, 5, 15, 16, 17, 18, 33, 100, 700} {
					indices, weights := make([]uint64, n), make([]float32, n)
					for i := range indices {
						indices[i] = random.Uint64N(500)
						weights[i] = float32(random.IntN(2001)-1000) / weightUnits
					}
					got, want := m.Append([]uint64{7}, indices, weights), define(m, bits, indices, weights)
					if got[0] != 7 || !slices.Equal(got[1:], want) {
						t.Fatalf("%s, f=%d, nnz=%d: %x, want 7 and %x", name, bits, n, got, want)
					}
				}
			}
		}
	})
}

func TestHashPerIndexIsFphash(t *testing.T) {
	indices, weights := []uint64{5, 1 << 40, 77}, []float32{1, 2, 4.5}
	for _, bits := range []int{48, 64, 192} {
		m := prepared(t, HashPerIndex, bits, 0, 9)
		seed := keyed(HashPerIndex, 9).Uint64()
		s, err := fphash.New(fphash.WithBits(bits), fphash.WithSeed(seed), fphash.WithWiden(fphash.WidenMix))
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := fphash.Append(s, nil, indices, weights)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Append(nil, indices, weights); !slices.Equal(got, want) {
			t.Errorf("f=%d: %x, want %x", bits, got, want)
		}
		one, _, err := fphash.Append(s, nil, []uint64{5}, []float32{1}) // one feature: the code itself
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Append(nil, []uint64{5}, []float32{1}); !slices.Equal(got, one) {
			t.Errorf("f=%d: the code is %x, want %x", bits, got, one)
		}
	}
}

// A keying gives the same entries each time, and entries unlike those of any other, also where
// memory is used again.
func TestKeyings(t *testing.T) {
	for _, name := range Methods() {
		var rows [][]float32
		m := prepared(t, name, 64, 100, 0)
		for _, keying := range []uint64{1, 2, 1} {
			if err := m.Prepare(100, keying); err != nil {
				t.Fatal(err)
			}
			var entries []float32
			for i := range uint64(100) {
				entries = m.AppendRow(entries, i)
			}
			rows = append(rows, entries)
		}
		if !slices.Equal(rows[0], rows[2]) {
			t.Errorf("%s: a keying gives other entries the second time", name)
		}
		product := 0.0
		for i, e := range rows[0] {
			product += float64(e * rows[1][i])
		}
		if mean := product / 6400; mean > 0.05 || mean < -0.05 { // four standard deviations
			t.Errorf("%s: entries of two keyings correlate by %g", name, mean)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	for _, name := range []string{Gaussian, Rademacher} {
		m, err := New(name, 100, Config{MemoryLimit: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		row := m.TableBytes(1)
		most := (1 << 20) / row
		if err := m.Prepare(most, 0); err != nil {
			t.Errorf("%s: %d bytes of 2^20: %v", name, m.TableBytes(most), err)
		}
		for _, d := range []uint64{most + 1, 1 << 40, 1 << 58, 1 << 60, 1 << 63, ^uint64(0)} {
			err := m.Prepare(d, 0)
			if !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), "1.049 MB are allowed") {
				t.Errorf("%s, D=%d: %v", name, d, err)
			}
		}
		if err := m.Prepare(0, 0); err == nil || errors.Is(err, ErrMemory) {
			t.Errorf("%s, D=0: %v", name, err)
		}
	}
	for name, want := range map[string]uint64{Gaussian: 1000 * 128 * 4, Rademacher: 1000 * 16, HashPerBit: 800, HashPerIndex: 8} {
		m, err := New(name, 100, Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.TableBytes(1000); got != want {
			t.Errorf("%s: %d bytes at D=1000, f=100, want %d", name, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, tc := range []struct {
		name   string
		bits   int
		config Config
		err    string
	}{
		{"gauss", 64, Config{}, `unknown method "gauss"; the methods are gaussian, rademacher, hash-per-bit, hash-per-index`},
		{Gaussian, 0, Config{}, "width of 0 bits"},
		{HashPerIndex, 4097, Config{}, "width of 4097 bits"},
		{HashPerBit, 64, Config{Hash: "xxh65"}, "xxh65"},
		{HashPerBit, 64, Config{Hash: "md5"}, "md5 takes no seed"},
		{HashPerIndex, 64, Config{Hash: "crc32c"}, "crc32c takes no seed"},
	} {
		if _, err := New(tc.name, tc.bits, tc.config); err == nil || !strings.Contains(err.Error(), tc.err) {
			t.Errorf("%s, f=%d, %+v: error %v, want %q", tc.name, tc.bits, tc.config, err, tc.err)
		}
	}
	for _, hash := range []string{"splitmix64", "highway128"} {
		if _, err := New(HashPerIndex, 256, Config{Hash: hash}); err != nil {
			t.Error(err)
		}
	}
}

func TestWrongUsePanics(t *testing.T) {
	panics := func(f func()) (panicked bool) {
		defer func() { panicked = recover() != nil }()
		f()
		return false
	}
	for _, name := range Methods() {
		for _, bits := range []int{64, 128} {
			m := prepared(t, name, bits, 50, 0)
			if !panics(func() { m.Append(nil, []uint64{1, 2}, []float32{1}) }) {
				t.Errorf("%s: two indices and one weight are taken", name)
			}
			if name == Gaussian || name == Rademacher {
				if !panics(func() { m.Append(nil, []uint64{1, 50}, []float32{1, 1}) }) || !panics(func() { m.AppendRow(nil, 1<<63) }) {
					t.Errorf("%s: an index outside is taken", name)
				}
			}
		}
	}
}

func TestAppendAllocatesNothing(t *testing.T) {
	v := stream(Case{Dimensions: 1000, Pattern: uniform, NNZ: 100}, 1000)
	for _, name := range Methods() {
		m := prepared(t, name, 128, 1000, 0)
		dst := make([]uint64, 0, 2)
		if n := testing.AllocsPerRun(20, func() {
			indices, weights := v.at(3)
			dst = m.Append(dst[:0], indices, weights)
		}); n != 0 {
			t.Errorf("%s: %v allocations a vector", name, n)
		}
	}
}
