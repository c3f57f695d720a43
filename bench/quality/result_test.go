package quality

import (
	"slices"
	"testing"

	"simhashkit/internal/bench/terms"
)

// The verdict depends on the ends of the intervals, not on the values between. A hash is good only
// if both intervals lie above 0.9 f, and weak only if one of them lies below. 0.9 f is 57.6 of 64
// bits.
func TestTheEndsOfIntervalsJudge(t *testing.T) {
	clear, good, bad := Interval{63, 61, 65}, Interval{58, 57.6, 60}, Interval{57, 56, 57.5}
	for _, c := range []struct {
		name       string
		all, cos90 Interval
		want       terms.Judgement
	}{
		{"both clear", clear, clear, terms.Good},
		{"all angles: lower end at the limit", good, clear, terms.Good},
		{"cos90: lower end at the limit", clear, good, terms.Good},
		{"all angles: value above the limit, lower end below", Interval{63, 57.5, 66}, clear, terms.Undecided},
		{"cos90: value above the limit, lower end below", clear, Interval{63, 57.5, 66}, terms.Undecided},
		{"all angles: value below the limit, upper end at it", Interval{50, 45, 57.6}, clear, terms.Undecided},
		{"cos90: value below the limit, upper end at it", clear, Interval{50, 45, 57.6}, terms.Undecided},
		{"both: values below the limit, upper ends above", Interval{50, 45, 58}, Interval{40, 30, 58}, terms.Undecided},
		{"all angles: upper end below the limit", bad, clear, terms.Weak},
		{"cos90: upper end below the limit", clear, bad, terms.Weak},
		{"all angles: upper end below the limit; cos90: lower end below", bad, Interval{63, 57.5, 66}, terms.Weak},
		{"all angles: upper end below the limit; cos90: value below, upper end above", bad, Interval{50, 45, 58}, terms.Weak},
	} {
		r := &Result{Bits: 64, Keyings: terms.LeastKeyings, Keys: 1000, Bit: BitQuality{Tested: true}}
		r.All, r.Cos90 = Band{Pairs: 600, Defined: true, Effective: c.all}, Band{Pairs: 400, Defined: true, Effective: c.cos90}
		v := judge(r)
		if v != c.want {
			t.Errorf("%s: %s, want %s", c.name, v, c.want)
		}
	}
}

// emptyBits returns the bits that are constant, copies or complements.
func emptyBits(r *Result) []int {
	return slices.Sorted(slices.Values(slices.Concat(r.Bit.Constant, r.Bit.Copied)))
}

func TestEmptyBits(t *testing.T) {
	w := generate(t, WorkloadOptions{Pattern: terms.Uniform64, Weights: terms.Unit, Pairs: 40})
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
		if got := emptyBits(r); !slices.Equal(got, c.want) {
			t.Errorf("%s: empty bits %v, want %v", name, got, c.want)
		}
	}
}

func upTo(from, to int) (bits []int) {
	for j := from; j <= to; j++ {
		bits = append(bits, j)
	}
	return bits
}
