package minhash

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/random"
	"simhashkit/asm/internal/registers"
)

// TestBetweenGuardPages tests every number of keys from 0 to 512 at eight alignments. Keys and
// minima are flush against inaccessible pages on both sides.
func TestBetweenGuardPages(t *testing.T) {
	const longest = 512
	r := random.Seeded(t)
	atStart, atEnd := guard.Slices[uint64](t, longest)
	fill(r, atStart)
	fill(r, atEnd)
	minimaAtStart, minimaAtEnd := guard.Slices[uint32](t, 64)
	all := [][]uint32{minimaAtStart, minimaAtEnd}
	onImplementations(t, func(t *testing.T, k implementation) {
		check := func(keys []uint64) {
			t.Helper()
			want := emptied()
			addGeneric(&want, Functions(3), keys) // other tests compare it with the oracle
			for _, place := range all {
				minima := (*[64]uint32)(place)
				*minima = emptied()
				registers.Spoil(len(keys)%2 == 0)
				k.Add(minima, 3, keys)
				if *minima != want || k.Bits(minima) != bitsOracle(&want) {
					t.Fatalf("%d keys: minima %#x, want %#x", len(keys), *minima, want)
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

// TestMinimaOnRandomInput adds keys of all kinds, in every word, to minima of no keys, of some
// keys, and of random bits.
func TestMinimaOnRandomInput(t *testing.T) {
	r := random.Seeded(t)
	keys := make([]uint64, 400)
	for round := range random.Rounds(t, 300, 3000) {
		n := r.IntN(40)
		if r.IntN(20) == 0 {
			n = r.IntN(len(keys))
		}
		fill(r, keys[:n])
		start := emptied()
		if round%2 == 1 {
			for j := range start {
				start[j] = r.Uint32() >> r.IntN(32)
			}
		}
		compareAll(t, start, round%Words, keys[:n])
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
	f.Fuzz(func(t *testing.T, data []byte, word byte) {
		var keys []uint64
		start := emptied()
		for len(data) >= 8 && len(keys) < 150 {
			key := binary.LittleEndian.Uint64(data)
			if len(keys) < 64 && word >= Words {
				start[len(keys)] = uint32(key >> 32)
			}
			keys = append(keys, key)
			data = data[8:]
		}
		compareAll(t, start, int(word%Words), keys)
	})
}

// TestEveryLaneAndPlace checks that a key whose value is 0 in one lane sets the minimum of that
// lane, at every position among the keys.
func TestEveryLaneAndPlace(t *testing.T) {
	onImplementations(t, func(t *testing.T, k implementation) {
		f := Functions(5)
		for lane := range 64 {
			a, inverse := f[0][lane], f[0][lane]
			for range 5 { // Newton's iteration, modulo 2^32
				inverse *= 2 - a*inverse
			}
			keys := []uint64{7, 7, 7, 7, 7}
			keys[lane%5] = uint64(-f[1][lane]*inverse) | 0xABC<<32
			minima := emptied()
			k.Add(&minima, 5, keys)
			for j, m := range minima {
				if (m == 0) != (j == lane) {
					t.Fatalf("a key that is 0 in lane %d: lane %d is %d", lane, j, m)
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
				for _, others := range []uint32{0, Empty, 0x1234567} {
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

// TestMisuseAndAllocation checks that words without functions panic, and that nothing is allocated.
func TestMisuseAndAllocation(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) {
		for _, word := range []int{-1, Words} {
			value := kernels.PanicOf(func() { Add(new([64]uint32), word, nil) })
			if !strings.Contains(fmt.Sprint(value), "expected 0 to 63") {
				t.Errorf("word %d: panic %v", word, value)
			}
		}
		if n := testing.AllocsPerRun(5, func() {
			var keys [20]uint64
			var minima [64]uint32
			Keys(keys[:], keys[:])
			Add(&minima, 1, keys[:])
			Bits(&minima)
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
	onImplementations(t, func(t *testing.T, k implementation) {
		var minima [64]uint32
		for n := range keys {
			kernels.LeavesClean(t, n, func() { k.Add(&minima, 0, keys[:n]) })
		}
		kernels.LeavesClean(t, 64, func() { k.Bits(&minima) })
	})
}
