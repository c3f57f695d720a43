package quality

import (
	"slices"
	"testing"

	"simhashkit/bench/terms"
)

// The ends of the intervals judge, not the values between them: a hash is good only if all of both
// intervals is at least 0.9 f, and weak only if all of one of them is less. 57.6 of 64 bits are 0.9
// f.
func TestTheEndsOfIntervalsJudge(t *testing.T) {
	clear, good, bad := Interval{63, 61, 65}, Interval{58, 57.6, 60}, Interval{57, 56, 57.5}
	for _, c := range []struct {
		name       string
		all, cos90 Interval
		want       Judgement
	}{
		{"both clear", clear, clear, Good},
		{"all angles, the lower end just enough", good, clear, Good},
		{"near, the lower end just enough", clear, good, Good},
		{"all angles, the value enough and the lower end not", Interval{63, 57.5, 66}, clear, Undecided},
		{"near, the value enough and the lower end not", clear, Interval{63, 57.5, 66}, Undecided},
		{"all angles, the value too little and the upper end not", Interval{50, 45, 57.6}, clear, Undecided},
		{"near, the value too little and the upper end not", clear, Interval{50, 45, 57.6}, Undecided},
		{"both, the values too little and the upper ends not", Interval{50, 45, 58}, Interval{40, 30, 58}, Undecided},
		{"all angles, the upper end too little", bad, clear, Weak},
		{"near, the upper end too little", clear, bad, Weak},
		{"all angles too little, near not enough to tell", bad, Interval{63, 57.5, 66}, Weak},
		{"all angles too little, near the value too little and the upper end not", bad, Interval{50, 45, 58}, Weak},
	} {
		r := &Result{Bits: 64, Keyings: terms.LeastKeyings, Keys: 1000, Bit: BitQuality{Tested: true}}
		r.All, r.Cos90 = Band{Pairs: 600, Defined: true, Effective: c.all}, Band{Pairs: 400, Defined: true, Effective: c.cos90}
		v := judge(r)
		if v != c.want {
			t.Errorf("%s: %s, want %s", c.name, v, c.want)
		}
	}
}

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
