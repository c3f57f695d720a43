package ab

import (
	"slices"
	"strings"
	"testing"

	"simhashkit/bench/gobench/ab/paired"
)

// What makes a minority of the samples slower is found, although the quartile of the better ones
// has nothing to do with it, and in most runs early.
func TestBurstsAreFound(t *testing.T) {
	for seed := range uint64(20) {
		c := newClock()
		old, new := programs(c, seed, 0)
		new.bursts = 0.3 // the mean is 12% more
		r := mustRun(t, []Task{taskOf(old, new)}, c.options())
		if got := verdicts(r.Report); !slices.Equal(got, []string{"Fake-8 sec/op REGRESSION"}) || !r.Comparisons[0].Means {
			t.Errorf("seed %d: %v, %+v", seed, got, r.Comparisons[0].Finding)
		}
		if !strings.Contains(strings.Join(r.Report.Notes, "\n"), "the mean of all samples") {
			t.Errorf("seed %d: no note on it: %q", seed, r.Report.Notes)
		}
	}
}

func TestWeigh(t *testing.T) {
	h := hypothesis{Comparison: Comparison{Share: 0.02, Threshold: 0.03}}
	finding := func(change, half, p float64) paired.Finding {
		return paired.Finding{Change: change, Lo: change - half, Hi: change + half, P: p, Noise: true}
	}
	for _, c := range []struct {
		name             string
		f, g             paired.Finding
		ofMeans, decided bool
		p                float64
	}{
		{"the quartiles tell a change", finding(0.06, 0.01, 0.008), finding(0.05, 0.2, 0.5), false, true, 0.01},
		{"not by their part of alpha", finding(0.06, 0.01, 0.018), finding(0.05, 0.2, 0.5), false, false, 0.0225},
		{"the means tell a change", finding(0, 0.01, 1), finding(0.5, 0.1, 0.002), true, true, 0.01},
		{"not by their part of alpha", finding(0, 0.01, 1), finding(0.5, 0.1, 0.008), true, false, 0.04},
		{"neither tells one", finding(0.001, 0.01, 1), finding(-0.02, 0.1, 0.5), false, true, 1},
		{"the means may hide one", finding(0.001, 0.01, 1), finding(0.04, 0.1, 0.2), true, false, 1},
		{"too noisy", finding(0.001, 0.05, 1), finding(0.04, 0.1, 0.2), false, false, 1},
		{"within the threshold below only", finding(0.02, 0.02, 1), finding(0, 0.1, 0.5), false, false, 1},
		{"within the threshold above only", finding(-0.02, 0.02, 1), finding(0, 0.1, 0.5), false, false, 1},
		{"opposed", finding(-0.06, 0.01, 0.008), finding(0.05, 0.2, 0.1), true, false, 0.5},
		{"opposed and sure", finding(-0.06, 0.01, 0.008), finding(0.3, 0.2, 0.002), true, true, 0.01},
	} {
		got, ofMeans, decided := h.weigh(c.f, c.g)
		want := c.f
		if c.ofMeans {
			want = c.g
		}
		if got.Change != want.Change || ofMeans != c.ofMeans || decided != c.decided || got.P < 0.999*c.p || got.P > 1.001*c.p {
			t.Errorf("%s: %+v, of means %v, decided %v", c.name, got, ofMeans, decided)
		}
	}
}
