package families_test

import (
	"math"
	"math/bits"
	"testing"

	"simhashkit/fphash"
)

// keys are integers or text.
type keys struct {
	n        int
	integers []uint64 // nil for text
	data     []byte
	ends     []int
}

// structuredKeys are sets on which hashes show weaknesses: like real indices, they are dense,
// consecutive or strided, and have few bits set.
var structuredKeys = []struct {
	name string
	keys func(n int) keys
}{
	{"consecutive", func(n int) keys { return integers(n, func(i int) uint64 { return uint64(i) }) }},
	{"strided", func(n int) keys { return integers(n, func(i int) uint64 { return uint64(i) * 4096 }) }},
	{"dense", func(n int) keys { // about every second number, irregularly
		return integers(n, func(i int) uint64 { return 2*uint64(i) + uint64(i)*0x9E3779B97F4A7C15>>63 })
	}},
	{"powers of two", sumsOfPowers},
	{"big-endian", func(n int) keys { return integers(n, func(i int) uint64 { return bits.ReverseBytes64(uint64(i)) }) }},
	{"decimal", func(n int) keys {
		k := keys{n: n}
		for i := range n {
			k.data = fphash.Dec.AppendIndex(k.data, uint64(i))
			k.ends = append(k.ends, len(k.data))
		}
		return k
	}},
}

func integers(n int, key func(i int) uint64) keys {
	k := keys{n: n}
	for i := range n {
		k.integers = append(k.integers, key(i))
	}
	return k
}

// sumsOfPowers returns the sums of up to four different powers of two, those with fewer terms
// first.
func sumsOfPowers(n int) keys {
	k := keys{n: n}
	var grow func(sum uint64, below, terms int)
	grow = func(sum uint64, below, terms int) {
		if terms == 0 {
			k.integers = append(k.integers, sum)
			return
		}
		for bit := terms - 1; bit < below && len(k.integers) < n; bit++ {
			grow(sum|1<<bit, bit, terms-1)
		}
	}
	for terms := range 5 {
		grow(0, 64, terms)
	}
	return k
}

// columns returns, for each bit of the codes, that bit of all codes, packed into words. It returns
// nil for text if the family takes no text.
func columns(t testing.TB, f fphash.Family, k keys) [][]uint64 {
	t.Helper()
	h, err := f.New(fphash.Key{})
	if err != nil {
		t.Fatal(err)
	}
	codes := make([]uint64, k.n*f.Words())
	if text, ok := h.(fphash.ByteHash); k.integers != nil {
		h.HashUint64s(codes, k.integers)
	} else if ok {
		text.HashBytes(codes, k.data, k.ends)
	} else {
		return nil
	}
	columns := make([][]uint64, f.Bits)
	for j := range columns {
		columns[j] = make([]uint64, (k.n+63)/64)
	}
	for word := range f.Words() {
		for from := 0; from < k.n; from += 64 {
			var square [64]uint64
			copy(square[:], codes[word*k.n+from:word*k.n+min(from+64, k.n)])
			transpose(&square)
			for j := range min(64, f.Bits-64*word) {
				columns[64*word+j][from/64] = square[j]
			}
		}
	}
	return columns
}

// transpose swaps bit i of word j with bit j of word i, for all i and j: first halves, then
// quarters, and so on.
func transpose(square *[64]uint64) {
	mask := uint64(math.MaxUint32)
	for step := 32; step > 0; step, mask = step/2, mask^mask<<(step/2) {
		for i := 0; i < 64; i = (i + step + 1) &^ step {
			swap := (square[i]>>step ^ square[i+step]) & mask
			square[i] ^= swap << step
			square[i+step] ^= swap
		}
	}
}

// correlations returns the correlations of a with four other columns, as ±1 values of n keys: 1 if
// they are equal, -1 if they are complements.
func correlations(a []uint64, others [][]uint64, n int) (c [4]float64) {
	var differ [4]int
	b0, b1, b2, b3 := others[0][:len(a)], others[1][:len(a)], others[2][:len(a)], others[3][:len(a)]
	for i, word := range a {
		differ[0] += bits.OnesCount64(word ^ b0[i])
		differ[1] += bits.OnesCount64(word ^ b1[i])
		differ[2] += bits.OnesCount64(word ^ b2[i])
		differ[3] += bits.OnesCount64(word ^ b3[i])
	}
	for i, d := range differ {
		c[i] = 1 - 2*float64(d)/float64(n)
	}
	return c
}

// beyondChance returns a bound for the correlations of independent fair bits of n keys. The
// probability that any correlation in a test run exceeds the bound by chance is 1e-6 (normal
// approximation, Bonferroni's inequality).
func beyondChance(n int) float64 {
	return math.Sqrt2 * math.Erfcinv(1e-6/allComparisons) / math.Sqrt(float64(n))
}
