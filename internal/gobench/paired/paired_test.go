package paired

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var usual = Options{Threshold: 0.03, Alpha: 0.02}

func repeated(n int, values ...float64) (list []float64) {
	for len(list) < n {
		list = append(list, values...)
	}
	return list[:n]
}

func TestEdges(t *testing.T) {
	inf := math.Inf(1)
	// the share of the last look, doubled
	halved := func(n int) float64 { return 2 * math.Ldexp(2, -n) }
	for _, tc := range []struct {
		name     string
		old, new []float64
		want     Finding
	}{
		{"no round", nil, nil, Finding{0, -inf, inf, 1, inf, true}},
		{"one round", []float64{2}, []float64{3}, Finding{0.5, -1, inf, 1, inf, true}},
		{"equal, but too few", repeated(5, 7), repeated(5, 7), Finding{0, -1, inf, 1, inf, true}},
		{"equal, and enough", repeated(6, 7), repeated(6, 7), Finding{P: 1}},
		{"different, but too few", repeated(6, 4), repeated(6, 5), Finding{0.25, 0.25, 0.25, halved(6), inf, true}},
		{"two rounds", []float64{2, 2}, []float64{2, 4}, Finding{math.Expm1(math.Ln2 / 2), -1, inf, 1, inf, true}},
		{"two rounds with a zero", []float64{2, 2}, []float64{0, 4}, Finding{0, -inf, inf, 1, inf, true}},
		{"equal", repeated(30, 7), repeated(30, 7), Finding{P: 1}},
		{"all zero", repeated(30, 0), repeated(30, 0), Finding{P: 1}},
		{"one allocation more", repeated(20, 4), repeated(20, 5), Finding{0.25, 0.25, 0.25, halved(20), 0, true}},
		{"allocations where there were none", repeated(20, 0), repeated(20, 2), Finding{inf, inf, inf, halved(20), 0, true}},
		{"no allocations any more", repeated(20, 2), repeated(20, 0), Finding{-1, -1, -1, halved(20), 0, true}},
		{"below zero", repeated(20, -2), repeated(20, -1), Finding{0.5, 0.5, 0.5, halved(20), 0, true}},
		{"huge", repeated(20, math.MaxFloat64), repeated(20, -math.MaxFloat64), Finding{-2, -2, -2, halved(20), 0, true}},
		{"tiny and huge", repeated(20, math.SmallestNonzeroFloat64), repeated(20, math.MaxFloat64), Finding{inf, inf, inf, halved(20), 0, true}},
	} {
		got := New(usual).Last(Figures{tc.old, tc.new})
		if diff := cmp.Diff(tc.want, got, cmp.Comparer(near)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// For arbitrary figures, no field is NaN, the estimate is within the interval, and exchanging the
// sides or changing the scale changes the result accordingly.
func TestAnyFigures(t *testing.T) {
	figure := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0.9, 1.1), rapid.SampledFrom([]float64{0, 1, 2, -1, math.MaxFloat64, math.SmallestNonzeroFloat64}))
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(rt, "rounds")
		old, new := rapid.SliceOfN(figure, n, n).Draw(rt, "old"), rapid.SliceOfN(figure, n, n).Draw(rt, "new")
		f, back := New(usual).Last(Figures{old, new}), New(usual).Last(Figures{new, old})
		for _, v := range []float64{f.Change, f.Lo, f.Hi, f.P, f.Detectable} {
			if math.IsNaN(v) {
				rt.Fatalf("%+v", f)
			}
		}
		if f.Lo > f.Change || f.Change > f.Hi || f.P < 0 || f.P > 1 || f.Detectable < 0 {
			rt.Fatalf("%+v", f)
		}
		if f.P != back.P || f.Noise != back.Noise {
			rt.Fatalf("%+v, with the sides exchanged %+v", f, back)
		}
		if n == 0 || min(slices.Min(old), slices.Min(new)) <= 0 {
			return
		}
		// 1+change of one direction is 1/(1+change) of the other.
		if max(f.Change, back.Change) < 10 && math.Abs(math.Log1p(f.Change)+math.Log1p(back.Change)) > 1e-9 {
			rt.Fatalf("%+v, with the sides exchanged %+v", f, back)
		}
	})
}

// Decisions for equal sides, for a clear change, and for a significant change below the threshold.
func TestLook(t *testing.T) {
	for _, tc := range []struct {
		name   string
		factor float64
		rounds int
		called bool
	}{
		{"equal", 1, 7, false},
		{"within the threshold", 1.02, 7, false},
		{"more", 1.06, 9, true},
		{"less", 0.9, 9, true},
	} {
		i := 0.0
		f, rounds := decide(usual, 100, func() (old, new float64) {
			i++
			return 100 + math.Mod(i, 3)/100, tc.factor * (100 + math.Mod(i, 4)/100)
		})
		if rounds != tc.rounds || calls(f, usual) != tc.called || math.Abs(f.Change-(tc.factor-1)) > 0.001 {
			t.Errorf("%s: after %d rounds %+v; want %d rounds, change called %v", tc.name, rounds, f, tc.rounds, tc.called)
		}
	}
	if f, decided := New(usual).Look(Figures{repeated(8, 1), repeated(8, 2)}); decided || f != (Finding{}) {
		t.Errorf("between looks: %+v, %v", f, decided)
	}
}

// An interval with only one end within the threshold does not decide the comparison.
func TestLookAtBothEnds(t *testing.T) {
	// all figures are equal except the last one of a side, which is 50% larger
	alike, unlike := repeated(firstLook, 100), repeated(firstLook, 100)
	unlike[firstLook-1], unlike[firstLook-2] = 150, 150
	for name, sides := range map[string][2][]float64{"above": {alike, unlike}, "below": {unlike, alike}} {
		f, decided := New(usual).Look(Figures{sides[0], sides[1]})
		if within := min(math.Abs(f.Lo), math.Abs(f.Hi)) <= usual.Threshold; !within || max(math.Abs(f.Lo), math.Abs(f.Hi)) <= usual.Threshold || decided {
			t.Errorf("%s: decided %v: %+v", name, decided, f)
		}
	}
}

func BenchmarkLook(b *testing.B) {
	for _, n := range []int{7, 30, 75, 200, 400, 1000, 10000} {
		b.Run(fmt.Sprintf("rounds=%d", n), func(b *testing.B) {
			var old, new []float64
			for i := range n {
				x := math.Mod(float64(i)*math.Phi, 1)
				old, new = append(old, 1+x), append(new, 1.01+math.Mod(x*math.E*10, 1))
			}
			for b.Loop() {
				New(usual).Last(Figures{old, new})
			}
		})
	}
}

func TestLooksSpendAlpha(t *testing.T) {
	for _, alpha := range []float64{0.5, 0.05, 0.02, 0.02 / 51, 1e-9} {
		test := New(Options{Alpha: alpha})
		sum, looks, levels := lastShare*alpha, 0, 0
		for rounds := 1; rounds <= 1_000_000; rounds++ {
			level, ok := test.level(rounds)
			if !ok {
				continue
			}
			looks++
			sum += level
			if level > 0 {
				levels++
				if leastP(rounds) > level {
					t.Errorf("alpha %v: %d rounds cannot reach the level %v", alpha, rounds, level)
				}
			}
		}
		if sum > alpha*(1+1e-12) || sum < 0.9*alpha {
			t.Errorf("alpha %v: %d looks spend %v", alpha, levels, sum)
		}
		if looks < 50 || looks > 60 {
			t.Errorf("alpha %v: %d looks in a million rounds", alpha, looks)
		}
	}
}

// The k-th look that can reach its level has 1/(k(k+1)) of half of alpha.
func TestLevels(t *testing.T) {
	test := New(Options{Alpha: 0.5})
	for i, share := range []float64{2, 6, 12, 20, 30} {
		if got, _ := test.level(test.next); math.Abs(got-0.25/share) > 1e-15 {
			t.Errorf("look %d: %v, want %v", i+1, got, 0.25/share)
		}
	}
}
