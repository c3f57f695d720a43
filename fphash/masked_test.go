package fphash

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
)

// sumsOracle are the sums V by the definition.
func sumsOracle[T int64 | float32 | float64](s *Sketcher, indices []uint64, weights []T) []T {
	sums := make([]T, s.bits)
	codes := make([][]uint64, len(indices))
	for i, index := range indices {
		codes[i] = codeOf(s.definition, index)
	}
	for j := range sums {
		signed := func(i int) T {
			if i >= len(indices) {
				return 0
			}
			if codes[i][j/64]>>(j%64)&1 == 1 {
				return weights[i]
			}
			return -weights[i]
		}
		step := 4
		if s.order == Sequential {
			step = 1
		}
		for i := 0; i < len(indices); i += step {
			if step == 1 {
				sums[j] += signed(i)
			} else {
				sums[j] += (signed(i) + signed(i+1)) + (signed(i+2) + signed(i+3))
			}
		}
	}
	return sums
}

// maskOracle sorts all lanes by |V|, which leaves equal ones in order, and marks the first t.
func maskOracle[T int64 | float32 | float64](sums []T, words, t int) []uint64 {
	mask := make([]uint64, words)
	lanes := make([]int, len(sums))
	for j, v := range sums {
		lanes[j] = j
		if x := float64(v); x != x || math.IsInf(x, 0) {
			return mask
		}
	}
	magnitude := func(v T) T {
		if v < 0 {
			return -v
		}
		return v
	}
	slices.SortStableFunc(lanes, func(a, b int) int {
		x, y := magnitude(sums[a]), magnitude(sums[b])
		if whole, ok := any(x).(int64); ok { // the least integer has no positive counterpart
			return cmp.Compare(uint64(whole), uint64(any(y).(int64)))
		}
		return cmp.Compare(x, y)
	})
	for _, j := range lanes[:t] {
		mask[j/64] |= 1 << (j % 64)
	}
	return mask
}

// maskWidths are widths up to the greatest, with widenings.
func maskWidths() [][]Option {
	all := [][]Option{
		{WithFamily(wideHash(4096)), WithBits(4096)},
		{WithBits(130), WithWiden(WidenMix)}, {WithBits(200), WithWiden(WidenReseed)}, {WithHash("sha1"), WithBits(330), WithWiden(WidenCounter)},
	}
	for _, w := range widths {
		all = append(all, []Option{w.hash, WithBits(w.bits)})
	}
	return all
}

func TestMaskAgainstOracle(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(41, 42))
		for _, width := range maskWidths() {
			for _, order := range []Order{Grouped, Sequential} {
				s := mustNew(t, append(width, WithOrder(order), WithTie(Tie(r.IntN(3))))...)
				lengths := []int{r.IntN(8), 100, s.Local().own.chunk + 9}
				if s.bits > 1000 || !long.Enabled() { // for which the oracle takes long
					lengths = lengths[:2]
				}
				for _, n := range lengths {
					indices := randomIndices(r, n)
					k := kind(r.IntN(int(kinds)))
					testMask(t, s, r, indices, randomWeights[int32](r, k, n), wholeNumbers)
					testMask(t, s, r, indices, randomWeights[int64](r, k, n), wholeNumbers)
					testMask(t, s, r, indices, randomWeights[float32](r, k, n), func(w float32) float32 { return w })
					testMask(t, s, r, indices, randomWeights[float64](r, k, n), func(w float64) float64 { return w })
					small := make([]int8, n)
					for i := range small {
						small[i] = int8(i%5 - 2)
					}
					testMask(t, s, r, indices, small, wholeNumbers)
				}
			}
		}
	})
}

func wholeNumbers[W int8 | int32 | int64](w W) int64 { return int64(w) }

// testMask compares every way to a mask with the oracle.
func testMask[W Weight, T int64 | float32 | float64](t *testing.T, s *Sketcher, r *rand.Rand, indices []uint64, weights []W, lane func(W) T) {
	t.Helper()
	wide, units := make([]T, len(weights)), make([]T, len(weights))
	for i, w := range weights {
		wide[i], units[i] = lane(w), 1
	}
	sums := sumsOracle(s, indices, wide)
	want, status, err := Append(s, nil, indices, weights)
	if err != nil {
		t.Fatal(err)
	}
	for _, unsure := range []int{0, 1, r.IntN(s.bits + 1), s.bits} {
		check := func(what string, fingerprint, mask []uint64, got Status, err error, expected []uint64) {
			t.Helper()
			if err != nil || got != status || !slices.Equal(fingerprint, want) || !slices.Equal(mask, expected) {
				t.Fatalf("%s of %s, %d bits, %v order, %d features of %T, t = %d: %x, mask %x, %v, %v; expected %x, mask %x, %v", what, s.family.Name, s.bits, s.order, len(indices), weights, unsure,
					fingerprint, mask, got, err, want, expected, status)
			}
		}
		mask := maskOracle(sums, s.words, unsure)
		got, marked, is, err := AppendMasked(s.Local(), nil, nil, unsure, indices, weights)
		check("AppendMasked", got, marked, is, err, mask)

		a := NewAccumulator[W](s)
		half := len(indices) / 2
		AddVector(a, indices[:half], weights[:half])
		for i := half; i < len(indices); i++ {
			Add(a, weights[i], indices[i])
		}
		got, marked, is, err = a.AppendMasked(nil, nil, unsure)
		check("Accumulator.AppendMasked", got, marked, is, err, mask)
	}
	want, status, err = AppendUnit(s, nil, indices)
	unsure := r.IntN(s.bits + 1)
	got, marked, is, maskErr := AppendMaskedUnit(s, nil, nil, unsure, indices)
	if expected := maskOracle(sumsOracle(s, indices, units), s.words, unsure); cmp.Or(err, maskErr) != nil || is != status || !slices.Equal(got, want) || !slices.Equal(marked, expected) {
		t.Fatalf("AppendMaskedUnit of %s, %d bits, %d features, t = %d: %x, mask %x; expected %x, mask %x", s.family.Name, s.bits, len(indices), unsure, got, marked, want, expected)
	}
}

// A batch gives each vector what it has by itself, behind what is there, by one worker and by many.
func TestMaskedBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for _, bits := range []int{64, 130} {
		for _, workers := range []int{1, 3} {
			s := mustNew(t, WithBits(bits), WithWiden(WidenMix), WithWorkers(workers))
			var offsets []int32
			for n := 0; n < 3000; n += r.IntN(30) {
				offsets = append(offsets, int32(n))
			}
			indices := randomIndices(r, 3000)
			weights := randomWeights[float32](r, poisoned, 3000)
			dst, masks, status, err := AppendMaskedBatch(s, []uint64{7}, []uint64{8, 9}, 11, []Status{NotFinite}, offsets, indices, weights)
			unit, unitMasks, unitStatus, unitErr := AppendMaskedBatchUnit(s, nil, nil, 11, nil, offsets, indices)
			if cmp.Or(err, unitErr) != nil || len(status) != len(offsets) || dst[0] != 7 || masks[0] != 8 || masks[1] != 9 {
				t.Fatal(err, unitErr, len(status), dst[0], masks[:2])
			}
			words := s.Words()
			for i := range len(offsets) - 1 {
				from, to := offsets[i], offsets[i+1]
				want, mask, is, _ := AppendMasked(s, nil, nil, 11, indices[from:to], weights[from:to])
				if !slices.Equal(dst[1+i*words:][:words], want) || !slices.Equal(masks[2+i*words:][:words], mask) || status[i+1] != is {
					t.Fatalf("%d bits, %d workers: vector %d: mask %x, expected %x", bits, workers, i, masks[2+i*words:][:words], mask)
				}
				want, mask, is, _ = AppendMaskedUnit(s, nil, nil, 11, indices[from:to])
				if !slices.Equal(unit[i*words:][:words], want) || !slices.Equal(unitMasks[i*words:][:words], mask) || unitStatus[i] != is {
					t.Fatalf("%d bits, %d workers: vector %d of weight 1: mask %x, expected %x", bits, workers, i, unitMasks[i*words:][:words], mask)
				}
			}
		}
	}
}

// A mask of t bits has t bits, all of them in that of t+1; that of 0 is 0, and that of f is all.
func TestMasksAreNested(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	for _, width := range maskWidths() {
		s := mustNew(t, width...)
		indices := randomIndices(r, 12)
		weights := randomWeights[int32](r, tied, 12) // many sums are equal
		last := make([]uint64, s.words)
		for unsure := range s.bits + 1 {
			_, mask, _, err := AppendMasked(s, nil, nil, unsure, indices, weights)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for word := range mask {
				n += bits.OnesCount64(mask[word])
				if last[word]&^mask[word] != 0 {
					t.Fatalf("%d bits: mask %x of %d bits does not hold %x", s.bits, mask, unsure, last)
				}
			}
			if n != unsure {
				t.Fatalf("%d bits: mask %x of %d bits has %d", s.bits, mask, unsure, n)
			}
			last = mask
		}
	}
}

// Without information all sums are equal; those that are not finite have no order.
func TestMaskOfWhatSaysNothing(t *testing.T) {
	s := mustNew(t, WithBits(70), WithWiden(WidenMix), WithTie(TieOne))
	for name, v := range map[string]struct {
		weights []float64
		status  Status
		mask    []uint64
	}{
		"empty": {nil, NoInformation, []uint64{^uint64(0), 3}}, "zero": {[]float64{0, 0}, NoInformation, []uint64{^uint64(0), 3}},
		"cancelled":  {[]float64{2, -2}, NoInformation, []uint64{^uint64(0), 3}},
		"not finite": {[]float64{1, math.Inf(1)}, NotFinite, []uint64{0, 0}}, "not a number": {[]float64{1, math.NaN()}, NotFinite, []uint64{0, 0}},
	} {
		indices := make([]uint64, len(v.weights))
		_, mask, status, err := AppendMasked(s, nil, nil, 66, indices, v.weights)
		if err != nil || status != v.status || !slices.Equal(mask, v.mask) {
			t.Errorf("%s: mask %x, %v, %v; expected %x, %v", name, mask, status, err, v.mask, v.status)
		}
	}
}

// Masks are kept beside fingerprints, so these stay what they are.
func TestFrozenMasks(t *testing.T) {
	indices, weights := make([]uint64, 100), make([]float32, 100)
	for i := range indices {
		indices[i], weights[i] = uint64(i*i), 1+float32(i%7)/8
	}
	for _, c := range []struct {
		options []Option
		unit    bool
		mask    []uint64
	}{
		{nil, false, []uint64{0xa00100200200148}},
		{nil, true, []uint64{0x11200010001c8}},
		{[]Option{WithHash("md5"), WithBits(100)}, false, []uint64{0x400000028004001, 0x10000028}},
	} {
		atEachTier(t, func(t *testing.T) {
			s := mustNew(t, c.options...)
			_, mask, _, err := AppendMasked(s, nil, nil, 8, indices, weights)
			if c.unit {
				_, mask, _, err = AppendMaskedUnit(s, nil, nil, 8, indices)
			}
			if err != nil || !slices.Equal(mask, c.mask) {
				t.Errorf("%v, unit %t: %#x, %v; expected %#x", s, c.unit, mask, err, c.mask)
			}
		})
	}
}

func TestMasksThatThereAreNot(t *testing.T) {
	s := mustNew(t, WithBits(40))
	indices, weights, offsets := []uint64{1, 2}, []int{1, 2}, []int{0, 1, 2}
	a := NewAccumulator[int64](s)
	for _, unsure := range []int{-1, 41, math.MinInt, math.MaxInt} {
		for name, call := range map[string]func() ([]uint64, []uint64, int, error){
			"AppendMasked": func() ([]uint64, []uint64, int, error) {
				dst, mask, _, err := AppendMasked(s, []uint64{5}, []uint64{6}, unsure, indices, weights)
				return dst, mask, 0, err
			},
			"AppendMaskedUnit": func() ([]uint64, []uint64, int, error) {
				dst, mask, _, err := AppendMaskedUnit(s, []uint64{5}, []uint64{6}, unsure, indices)
				return dst, mask, 0, err
			},
			"AppendMaskedBatch": func() ([]uint64, []uint64, int, error) {
				dst, mask, status, err := AppendMaskedBatch(s, []uint64{5}, []uint64{6}, unsure, nil, offsets, indices, weights)
				return dst, mask, len(status), err
			},
			"AppendMaskedBatchUnit": func() ([]uint64, []uint64, int, error) {
				dst, mask, status, err := AppendMaskedBatchUnit(s, []uint64{5}, []uint64{6}, unsure, nil, offsets, indices)
				return dst, mask, len(status), err
			},
			"Accumulator.AppendMasked": func() ([]uint64, []uint64, int, error) {
				dst, mask, _, err := a.AppendMasked([]uint64{5}, []uint64{6}, unsure)
				return dst, mask, 0, err
			},
		} {
			dst, mask, status, err := call()
			if want := fmt.Sprintf("fphash: mask of %d bits, expected 0 to 40", unsure); err == nil || err.Error() != want {
				t.Errorf("%s: %v, expected %q", name, err, want)
			}
			if !slices.Equal(dst, []uint64{5}) || !slices.Equal(mask, []uint64{6}) || status != 0 {
				t.Errorf("%s: %d, %d and %d statuses after an error, expected what was there", name, dst, mask, status)
			}
		}
	}
	for name, err := range map[string]error{
		"AppendMasked":      third(AppendMasked(s, nil, nil, 3, indices, weights[:1])),
		"AppendMaskedBatch": third(AppendMaskedBatch(s, nil, nil, 3, nil, offsets, indices, weights[:1])),
	} {
		if err == nil || !strings.Contains(err.Error(), "len(features) is 2 but len(weights) is 1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	integers := mustNew(t, WithHash("splitmix64"))
	for name, err := range map[string]error{
		"AppendMasked":      third(AppendMasked(integers, nil, nil, 3, []string{"x"}, weights[:1])),
		"AppendMaskedUnit":  third(AppendMaskedUnit(integers, nil, nil, 3, []string{"x"})),
		"AppendMaskedBatch": third(AppendMaskedBatchUnit(integers, nil, nil, 3, nil, []int{0, 1}, []string{"x"})),
	} {
		if err == nil {
			t.Errorf("%s: splitmix64 takes words", name)
		}
	}
}

func third[A any](_, _ []uint64, _ A, err error) error { return err }

func TestDistanceMasked(t *testing.T) {
	a, b := []uint64{0b1111, ^uint64(0)}, []uint64{0, 0}
	for _, c := range []struct {
		masks [][]uint64
		want  int
	}{{nil, 68}, {[][]uint64{{0, 0}}, 68}, {[][]uint64{{0b11, 1}}, 65}, {[][]uint64{{0b11, 1}, {0b110, 3}}, 63}, {[][]uint64{{^uint64(0), ^uint64(0)}}, 0}} {
		if got := Distance(a, b, c.masks...); got != c.want {
			t.Errorf("masks %x: %d, expected %d", c.masks, got, c.want)
		}
	}
	if got := Distance(nil, nil); got != 0 {
		t.Errorf("no words: %d", got)
	}
	const want = "fphash: 1 words, expected 2"
	wantPanic(t, "short fingerprint", want, func() { Distance(a, b[:1]) })
	wantPanic(t, "short mask", want, func() { Distance(a, b, a, b[:1]) })
}
