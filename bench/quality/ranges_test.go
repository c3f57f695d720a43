package quality

import (
	"slices"
	"testing"
)

func TestBitRanges(t *testing.T) {
	for _, c := range []struct {
		bits []int
		want string
	}{
		{nil, ""},
		{[]int{7}, "7"},
		{[]int{7, 8}, "7, 8"},
		{[]int{7, 8, 9}, "7–9"},
		{[]int{0, 2, 4, 5, 6, 9, 10, 11, 12, 63}, "0, 2, 4–6, 9–12, 63"},
		{[]int{1, 3, 5, 7, 9, 11}, "1, 3, 5, 7, 9, 11"},
		{[]int{1, 3, 5, 7, 9, 11, 13}, "1, 3, 5, 7, 9, 11 ..."},
	} {
		if got := BitRanges(c.bits); got != c.want {
			t.Errorf("%v: %q, want %q", c.bits, got, c.want)
		}
	}
}

// A code whose upper half is a constant, a copy or a complement says so, and these are its
// empty bits.
func TestEmptyBits(t *testing.T) {
	w := generate(t, WorkloadOptions{Pattern: Uniform64, Weights: Unit, Pairs: 40})
	for name, c := range map[string]struct {
		change func(code []uint64)
		want   []int
	}{
		"ideal":    {nil, nil},
		"constant": {func(code []uint64) { code[0] &= 1<<32 - 1 }, upTo(32, 63)},
		"copies":   {copied(32), upTo(32, 63)},
		"both":     {func(code []uint64) { code[0] = code[0]&(1<<40-1)&^7 | ^code[0]>>20&0xF<<40 }, append([]int{0, 1, 2}, upTo(40, 63)...)},
	} {
		r := measure(t, w, madeHash(64, 0, c.change))
		if got := r.Bit.EmptyBits(); !slices.Equal(got, c.want) {
			t.Errorf("%s: empty are %v, want %v", name, got, c.want)
		}
	}
}

func upTo(from, to int) (bits []int) {
	for j := from; j <= to; j++ {
		bits = append(bits, j)
	}
	return bits
}
