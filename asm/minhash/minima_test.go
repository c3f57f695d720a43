package minhash

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// TestBetweenGuardPages tests every number of keys from 0 to 512 at eight alignments. Keys and
// minima are flush against inaccessible pages on both sides.
func TestBetweenGuardPages(t *testing.T) {
	const longest = 512
	r := cases.Seeded(t)
	atStart, atEnd := guard.Slices[uint64](t, longest)
	draw(r, atStart)
	draw(r, atEnd)
	minimaAtStart, minimaAtEnd := guard.Slices[[64]uint32](t, 5)
	scratchAtStart, scratchAtEnd := guard.Slices[Scratch](t, 1)
	onImplementations(t, func(t *testing.T, k implementation) {
		check := func(keys []uint64) {
			t.Helper()
			words := 1 + len(keys)%2
			if len(keys)%19 == 0 {
				words = 5 // more lanes than a block
			}
			want := emptied(words)
			addAt(cpu.Generic, want, keys, new(Scratch)) // other tests compare it with the oracle
			for i, minima := range [][][64]uint32{minimaAtStart[:words], minimaAtEnd[5-words:]} {
				scratch := [][]Scratch{scratchAtStart, scratchAtEnd}[i]
				registers.Spoil(len(keys)%2 == 0)
				if (len(keys)/2+i)%2 == 0 {
					Clear(minima)
					k.Add(minima, keys, &scratch[0])
				} else {
					k.Sketch(minima, keys, &scratch[0])
				}
				if !slices.Equal(minima, want) || k.Bits(&minima[0]) != bitsOracle(&want[0]) {
					t.Fatalf("%d keys: minima %#x, want %#x", len(keys), minima, want)
				}
			}
		}
		for n := range longest + 1 {
			for offset := range min(8, longest-n+1) {
				check(atStart[offset : offset+n])
				check(atEnd[longest-n-offset : longest-offset])
			}
		}
	})
}

// TestScansOfEveryLength scans every number of lanes that can be collected, flush against
// inaccessible pages on both sides.
func TestScansOfEveryLength(t *testing.T) {
	r := cases.Seeded(t)
	keys := make([]uint64, 37)
	draw(r, keys)
	minimaAtStart, minimaAtEnd := guard.Slices[uint32](t, blockLanes)
	atStart, atEnd := guard.Slices[uint32](t, blockLanes)
	copy(atStart, multipliers()[:])
	copy(atEnd, multipliers()[:])
	for _, kernel := range minimaKernels {
		if !kernel.Available() {
			continue
		}
		for lanes := 16; lanes <= blockLanes; lanes += 16 {
			for n := 1; n <= len(keys); n++ {
				want := make([]uint32, lanes)
				for _, multipliers := range [][]uint32{atStart[:lanes], atEnd[blockLanes-lanes:]} {
					scanGeneric(want, multipliers, keys[:n])
					for _, minima := range [][]uint32{minimaAtStart[:lanes], minimaAtEnd[blockLanes-lanes:]} {
						if scanAt(kernel, minima, multipliers, keys[:n]); !slices.Equal(minima, want) {
							t.Fatalf("%s: %d keys, %d lanes: minima %#x, want %#x", kernel, n, lanes, minima, want)
						}
					}
				}
			}
		}
	}
}

// TestMinimaOnRandomInput adds keys of all kinds, to up to 64 words, to minima of no keys, of some
// keys, and of random bits.
func TestMinimaOnRandomInput(t *testing.T) {
	r := cases.Seeded(t)
	keys := make([]uint64, 1500)
	for round := range cases.Rounds(t, 300, 3000) {
		n, words := r.IntN(50), 1+r.IntN(3)
		switch r.IntN(20) {
		case 0:
			n = r.IntN(len(keys))
		case 1:
			words = 1 + r.IntN(Words)
		}
		draw(r, keys[:n])
		start := emptied(words)
		if round%2 == 1 {
			for t := range start {
				for j := range start[t] {
					start[t][j] = r.Uint32() | r.Uint32()>>r.IntN(32)
				}
			}
		}
		compareAll(t, start, keys[:n])
	}
}

// FuzzKernels compares all kernels with the oracle. The first words of the data also serve as
// minima.
func FuzzKernels(f *testing.F) {
	for _, n := range []int{0, 1, 5, 33, 100} {
		data := make([]byte, 8*n)
		for i := range data {
			data[i] = byte(i * i >> 5 & (i >> (i % 9)))
		}
		f.Add(data, byte(n))
	}
	f.Fuzz(func(t *testing.T, data []byte, options byte) {
		var keys []uint64
		start := emptied(int(options%6) + 1)
		for len(data) >= 8 && len(keys) < 150 {
			key := binary.LittleEndian.Uint64(data)
			if len(keys) < 64 && options >= 128 {
				start[0][len(keys)] = uint32(key >> 32)
			}
			keys = append(keys, key)
			data = data[8:]
		}
		compareAll(t, start, keys)
	})
}

// TestEveryLaneAndPosition checks that a key determines the lane that it falls into, at every
// position among keys with a larger value, and no other lane.
func TestEveryLaneAndPosition(t *testing.T) {
	onImplementations(t, func(t *testing.T, k implementation) {
		for _, words := range []int{1, 3, Words} {
			for lane := 0; lane < 64*words; lane += words*words/100 + 1 {
				keys := []uint64{7, 7, 7, 7, 7, 7, 7}
				before := make([][64]uint32, words)
				k.Sketch(before, keys, new(Scratch))
				first := (uint64(lane)<<32 + uint64(64*words) - 1) / uint64(64*words) // the smallest high half
				keys[lane%7] = first<<32 | 4
				minima := make([][64]uint32, words)
				k.Sketch(minima, keys, new(Scratch))
				for j, m := range lanesOf(minima) {
					want := min(lanesOf(before)[j], 1<<31+multipliers()[j]*4/2)
					if j == lane {
						want = 2
					} else if j == 0 {
						want = 3
					}
					if m != want {
						t.Fatalf("a key of lane %d: lane %d is %#x, want %#x", lane, j, m, want)
					}
				}
			}
		}
	})
}

// TestBitsOfLanes checks that each bit depends on all bits of its lane's minimum, and not on other
// lanes.
func TestBitsOfLanes(t *testing.T) {
	onImplementations(t, func(t *testing.T, k implementation) {
		for lane := range 64 {
			for bit := range 32 {
				for _, others := range []uint32{0, empty, 0x1234567} {
					var minima [64]uint32
					for j := range minima {
						minima[j] = others
					}
					minima[lane] ^= 1 << bit
					if got, want := k.Bits(&minima), bitsOracle(&minima); got != want {
						t.Fatalf("lane %d is %#x, others %#x: %#x, want %#x", lane, minima[lane], others, got, want)
					}
				}
			}
		}
	})
}

// TestDistances checks on random sets that the distance estimates the Jaccard similarity without
// bias, and varies less than a binomial variable, as it would with independent functions.
func TestDistances(t *testing.T) {
	const words, lanes = 2, 128
	r := cases.Seeded(t)
	scratch := new(Scratch)
	for _, c := range []struct {
		common, single int     // features in both sets, and in one of them
		most           float64 // of the standard deviation, divided by that of a binomial variable
	}{
		{1, 1, 1.03}, {4, 1, 1.03}, {0, 3, 1.03}, {9, 1, 1.03}, {17, 3, 1}, {34, 6, 0.95}, {69, 11, 0.95}, {138, 22, 0.95}, {275, 45, 0.95}, {550, 90, 1}, {860, 140, 1.03},
	} {
		pairs := 6000
		n := c.common + c.single
		keys := make([]uint64, n+c.single)
		var a, b [words][64]uint32
		var sum, squares float64
		for range pairs {
			for i := range keys {
				keys[i] = r.Uint64()
			}
			Sketch(a[:], keys[:n], scratch)
			Sketch(b[:], keys[c.single:], scratch)
			distance := 0
			for t := range a {
				for x := Bits(&a[t]) ^ Bits(&b[t]); x != 0; x &= x - 1 {
					distance++
				}
			}
			sum += float64(distance)
			squares += float64(distance * distance)
		}
		mean := sum / float64(pairs)
		deviation := math.Sqrt(squares/float64(pairs) - mean*mean)
		p := float64(c.single) / float64(n+c.single) // (1-J)/2
		binomial := math.Sqrt(lanes * p * (1 - p))
		if math.Abs(mean-lanes*p) > 4*binomial/math.Sqrt(float64(pairs)) {
			t.Errorf("%d and %d features: mean distance %.3f, want %.3f", c.common, c.single, mean, lanes*p)
		}
		if ratio := deviation / binomial; ratio > c.most {
			t.Errorf("%d and %d features: standard deviation %.3f, %.3f of the binomial one, want at most %.2f", c.common, c.single, deviation, ratio, c.most)
		}
	}
}

// TestMisuseAndAllocation checks that sketches of no words or too many panic, and that nothing is
// allocated.
func TestMisuseAndAllocation(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) {
		for _, words := range []int{0, Words + 1} {
			for _, call := range []func(minima [][64]uint32, keys []uint64, scratch *Scratch){Sketch, Add} {
				value := kernels.PanicOf(func() { call(make([][64]uint32, words), []uint64{1}, new(Scratch)) })
				if !strings.Contains(fmt.Sprint(value), "expected 1 to 64") {
					t.Errorf("%d words: panic %v", words, value)
				}
			}
		}
		if n := testing.AllocsPerRun(5, func() {
			var keys [200]uint64
			var minima [3][64]uint32
			var scratch Scratch
			Keys(keys[:], keys[:])
			Sketch(minima[:], keys[:20], &scratch)
			Add(minima[:], keys[:], &scratch)
			Bits(&minima[0])
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// TestKeys checks that the keys are SplitMix64 of the codes, also in place.
func TestKeys(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) {
		codes := []uint64{0, 1, 2, 1 << 32, 1 << 63, ^uint64(0), 77}
		var want []uint64
		for _, c := range codes {
			want = append(want, splitMix64(c))
		}
		if Keys(codes, codes); !slices.Equal(codes, want) {
			t.Errorf("keys %#x, want %#x", codes, want)
		}
	})
}

// TestKernelsLeaveTheUpperStateClean checks that kernels leave the upper halves of the vector
// registers clean.
func TestKernelsLeaveTheUpperStateClean(t *testing.T) {
	if !registers.UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	keys := make([]uint64, 40)
	for _, kernel := range minimaKernels {
		if !kernel.Available() {
			continue
		}
		lanes, scratch := make([]uint32, blockLanes), new(Scratch)
		for n := 16; n <= len(lanes); n += 16 {
			for some := 1; some <= 2; some++ {
				kernels.LeavesClean(t, n, func() { scanAt(kernel, lanes[:n], multipliers()[:n], keys[:some]) })
			}
		}
		kernels.LeavesClean(t, 64, func() { collectAt(kernel, scratch.multipliers[:], lanes, multipliers()[:]) })
		kernels.LeavesClean(t, 64, func() { lowerAt(kernel, lanes, scratch.minima[:]) })
		kernels.LeavesClean(t, 64, func() { bitsAt(kernel, (*[64]uint32)(lanes)) })
	}
}

// To be mistaken for an empty set, a feature must have the largest value in the first two lanes of
// a word. These have the key -1/a or -2/a, modulo 2^32.
func TestNoFeatureIsTakenForNone(t *testing.T) {
	for word := range Words {
		a := multipliers()[64*word:]
		inverse := a[0]
		for range 5 { // Newton's iteration, modulo 2^32
			inverse *= 2 - a[0]*inverse
		}
		for x := uint32(1); x <= 2; x++ {
			key := -x * inverse
			if a[0]*key != -x || -a[1]*key <= 2 {
				t.Errorf("word %d: key %#x has the products %#x and %#x", word, key, a[0]*key, a[1]*key)
			}
		}
	}
}
