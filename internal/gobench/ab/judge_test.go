package ab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/gobench/paired"
)

// sometimes returns a side that prints ten slightly different samples of a benchmark X, and from
// some run on also of a benchmark Late.
func sometimes(late float64, from int) Runner {
	run := 0
	return func(context.Context) ([]byte, error) {
		run++
		time.Sleep(time.Second)
		var out strings.Builder
		for i := range 10 {
			fmt.Fprintf(&out, "BenchmarkX 1 %d ns/op\n", 1000+(7*i+3*run)%11)
			if run >= from {
				fmt.Fprintf(&out, "BenchmarkLate 1 %v ns/op\n", late+float64((7*i+3*run)%11))
			}
		}
		return []byte(out.String()), nil
	}
}

// Alpha is divided among the comparisons of the first round. A benchmark that appears later is a
// gap even after a large change, since the usual test would need an alpha of its own.
func TestLateBenchmarks(t *testing.T) {
	r := mustRun(t, []Task{{Name: "all", Sides: [2]Runner{sometimes(1000, 3), sometimes(3000, 2)}}}, Options{Seed: 1})
	if diff := cmp.Diff([]string{"X sec/op no change", "Late sec/op too few samples"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	want := "samples: Late was not tested, since the first round has no figures of both sides (sec/op)"
	if got := strings.Join(r.Report.GapLines(), "\n"); got != want || r.Report.OpenGaps() != 1 {
		t.Errorf("gaps %s", got)
	}
}

// A failed run has no figures, even if it printed results.
func TestFailingWithFigures(t *testing.T) {
	failing := func(ns int) Runner {
		return func(context.Context) ([]byte, error) {
			time.Sleep(time.Second)
			return []byte(strings.Repeat(fmt.Sprintf("BenchmarkX 1 %d ns/op\n", ns), 10)), errors.New("exit status 3")
		}
	}
	r := mustRun(t, []Task{{Name: "all", Sides: [2]Runner{failing(100), failing(300)}}}, Options{Seed: 1})
	if diff := cmp.Diff([]string{"X sec/op too few samples"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	want := []string{"old: failed: all: exit status 3", "new: failed: all: exit status 3", "samples: X was not tested, since the first round has no figures of both sides (sec/op)"}
	if diff := cmp.Diff(want, r.Report.GapLines()); diff != "" {
		t.Error(diff)
	}
}

// Gaps name their side, but no line numbers, since users do not have the output as a file.
func TestPlacesOfGaps(t *testing.T) {
	old, new := programs(1, 0)
	broken := 0
	new.extra = func(int, float64) string {
		broken++
		if broken == 1 || broken > 5 { // only in the first run
			return ""
		}
		return "\tmany widgets"
	}
	gone, _ := programs(2, 0)
	gone.name = "Gone"
	r := mustRun(t, []Task{taskOf(old, new), {Name: "Gone", Sides: [2]Runner{gone.run}}}, Options{Seed: 1})
	text := strings.Join(r.Report.GapLines(), "\n")
	for _, want := range []string{`new: syntax: parsing measurement: invalid syntax: "BenchmarkFake-8 \t 1000\t`, `many widgets"`, "\nmissing: Gone-8 is missing in new (sec/op)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, g := range r.Report.Gaps {
		if g.Line != 0 {
			t.Errorf("%+v", g)
		}
	}
}

// printing returns a side whose runs take a second each and print samples of a benchmark X. Run i
// prints the i-th list, and later runs print the last list.
func printing(runs ...[]string) Runner {
	n := 0
	return func(context.Context) ([]byte, error) {
		time.Sleep(time.Second)
		samples := runs[min(n, len(runs)-1)]
		n++
		return []byte("Unit recall assume=exact better=higher\nBenchmarkX 1 " + strings.Join(samples, "\nBenchmarkX 1 ") + "\n"), nil
	}
}

// times repeats a sample.
func times(n int, sample string) []string {
	return strings.Split(strings.Repeat(sample+",", n-1)+sample, ",")
}

// Allocations that do not vary on either side are judged without a test, even after few rounds.
// Times that do not vary are tested.
func TestConstants(t *testing.T) {
	for _, tc := range []struct {
		name     string
		old, new [][]string
		rounds   int
		want     string
		gaps     int
	}{
		{"an allocation more", [][]string{times(5, "3 allocs/op")}, [][]string{times(5, "4 allocs/op")}, 2, "X allocs/op REGRESSION", 0},
		{"an allocation less", [][]string{times(5, "4 allocs/op")}, [][]string{times(5, "3 allocs/op")}, 2, "X allocs/op improvement", 0},
		{"one run of each", [][]string{times(6, "100 B/op")}, [][]string{times(6, "200 B/op")}, 1, "X B/op REGRESSION", 0},
		{"from none", [][]string{times(6, "0 allocs/op")}, [][]string{times(6, "1 allocs/op")}, 2, "X allocs/op REGRESSION", 0},
		{"as many", [][]string{times(6, "3 allocs/op")}, [][]string{times(6, "3 allocs/op")}, 1, "X allocs/op no change", 0},
		{"within the threshold", [][]string{times(6, "1000 allocs/op")}, [][]string{times(6, "1001 allocs/op")}, 1, "X allocs/op small", 0},
		{"one sample", [][]string{{"3 allocs/op"}}, [][]string{{"3 allocs/op"}}, 1, "X allocs/op no change", 0},
		{"varies slightly", [][]string{append(times(5, "999 B/op"), "1001 B/op")}, [][]string{append(times(5, "1000 B/op"), "1002 B/op")}, 1, "X B/op no change", 0},
		{"too few samples", [][]string{times(2, "3 allocs/op")}, [][]string{times(2, "4 allocs/op")}, 2, "X allocs/op unclear", 0},
		{"varies within a run", [][]string{append(times(5, "3 allocs/op"), "4 allocs/op")}, [][]string{times(6, "4 allocs/op")}, 2, "X allocs/op unclear", 0},
		{"varies between runs", [][]string{times(6, "3 allocs/op"), times(6, "2 allocs/op")}, [][]string{times(6, "4 allocs/op")}, 2, "X allocs/op unclear", 0},
		{"a clock of few digits", [][]string{times(6, "3 ns/op")}, [][]string{times(6, "4 ns/op")}, 2, "X sec/op unclear", 1},
		{"another figure", [][]string{times(6, "3 widgets")}, [][]string{times(6, "4 widgets")}, 2, "X widgets unclear", 1},
		{"an exact figure", [][]string{{"0.75 recall"}}, [][]string{{"0.5 recall"}}, 1, "X recall REGRESSION", 0},
	} {
		o := Options{Seed: 1, Budget: time.Duration(2*tc.rounds) * time.Second}
		r := mustRun(t, []Task{{Name: "X", Sides: [2]Runner{printing(tc.old...), printing(tc.new...)}}}, o)
		if diff := cmp.Diff([]string{tc.want}, verdicts(r.Report)); diff != "" || rounds(r) != tc.rounds && tc.want != "X allocs/op no change" || r.Report.OpenGaps() != tc.gaps {
			t.Errorf("%s: %d rounds, gaps %v, verdicts %s", tc.name, rounds(r), r.Report.Gaps, diff)
		}
	}
}

// A difference of allocations needs only enough runs to show that they do not vary.
func TestConstantsNeedFewRounds(t *testing.T) {
	side := func(allocations int) Runner { return printing(times(3, fmt.Sprintf("%d allocs/op", allocations))) }
	r := mustRun(t, []Task{{Name: "X", Sides: [2]Runner{side(10), side(11)}}}, Options{Seed: 1})
	if diff := cmp.Diff([]string{"X allocs/op REGRESSION"}, verdicts(r.Report)); diff != "" || rounds(r) != 6 || r.Report.OpenGaps() > 0 {
		t.Errorf("%d rounds, gaps %v, verdicts %s", rounds(r), r.Report.Gaps, diff)
	}
	if e := r.Report.Tables[0].Rows[0].Effect; e.Change != 0.1 || e.Noise || e.P != 0 {
		t.Errorf("%+v", e)
	}
}

// Times with too few rounds are unclear, not a gap of their own. The report says what they need.
func TestTooFewRoundsWithoutNoise(t *testing.T) {
	o := Options{Seed: 1, Budget: 13 * time.Second}
	r := mustRun(t, []Task{{Name: "X", Sides: [2]Runner{printing(times(2, "10 ns/op")), printing(times(2, "11 ns/op"))}}}, o)
	text, notes := strings.Join(r.Report.GapLines(), "\n"), strings.Join(r.Report.Notes, "\n")
	want := "undecided: X sec/op had 6 rounds, needs about 2 more rounds (4s) to see 10%"
	if rounds(r) != 6 || !strings.HasPrefix(text, "unclear: 1 of 1 comparison with noise has no verdict; a larger --budget") || !strings.Contains(notes, want) {
		t.Errorf("%d rounds: %v, gaps %s, notes %s", rounds(r), verdicts(r.Report), text, notes)
	}
}

// agrees reports whether the figures of a row differ by its change.
func agrees(r compare.Row) bool {
	old, new := r.Old.Median, r.New.Median
	return math.Abs(new-old-r.Effect.Change*math.Abs(old)) <= 1e-9*math.Abs(old)
}

// The old and new figures of a row differ by its change, for quartiles and means, and for times,
// rates and negative figures. The medians of all samples differ by another change.
func TestFiguresAgreeWithTheChange(t *testing.T) {
	differ := 0 // number of runs whose medians of all samples differ from the change
	for seed := range uint64(20) {
		old, new := programs(seed, 0.02)
		for _, p := range []*program{old, new} {
			p.modes, p.drift = 0.05, 0.001
			p.extra = func(run int, ns float64) string {
				return fmt.Sprintf("\t%.4f MB/s\t%.4f balance\t%d allocs/op", 1e6/ns, (ns-1010)/10, 3+run%2)
			}
		}
		if seed%2 == 1 {
			new.bursts = 0.3 // the means show this
		}
		r := mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1})
		for _, table := range r.Report.Tables {
			row := table.Rows[0]
			if row.Verdict.Compared() && !agrees(row) {
				t.Errorf("seed %d: %s: %v to %v is not a change of %v", seed, table.Unit, row.Old.Median, row.New.Median, row.Effect.Change)
			}
			if row.Old.Lo > row.Old.Median || row.Old.Hi < row.Old.Median || row.New.Lo > row.New.Median || row.New.Hi < row.New.Median {
				t.Errorf("seed %d: %s: %+v, %+v", seed, table.Unit, row.Old, row.New)
			}
		}
		from := func(text []byte) compare.Input {
			return compare.Input{Label: fmt.Sprint(len(text)), Text: text}
		}
		usual, err := compare.Compare([]compare.Input{from(r.engine.sides[0].text.Bytes()), from(append(r.engine.sides[1].text.Bytes(), '\n'))}, compare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if row := usual.Tables[0].Rows[0]; math.Abs(row.New.Median/row.Old.Median-1-r.Report.Tables[0].Rows[0].Effect.Change) > 0.01 {
			differ++
		}
	}
	if differ < 5 {
		t.Errorf("the medians of all samples differ from the change in only %d of 20 runs: the test is too weak", differ)
	}
}

// If means are judged, means are shown.
func TestShownMeans(t *testing.T) {
	for _, ofMeans := range []bool{false, true} {
		h := newHypothesis(0, place{})
		h.ofMeans = ofMeans
		h.add(figure{value: 10, mean: 1000}, figure{value: 20, mean: 2000})
		want := compare.Judgement{Effect: compare.Effect{Change: 1}, Old: []float64{10}, New: []float64{20}}
		if ofMeans {
			want.Old, want.New = []float64{1000}, []float64{2000}
		}
		if diff := cmp.Diff(want, h.judgement(want.Effect), cmpopts.IgnoreUnexported(compare.Effect{})); diff != "" {
			t.Errorf("of means: %v: %s", ofMeans, diff)
		}
	}
}

// A slowdown of a minority of the samples is found, in most runs early, although the better
// quartile does not change.
func TestBurstsAreFound(t *testing.T) {
	for seed := range uint64(20) {
		old, new := programs(seed, 0)
		new.bursts = 0.3 // the mean is 12% larger
		r := mustRun(t, []Task{taskOf(old, new)}, Options{Seed: 1})
		if got := verdicts(r.Report); !slices.Equal(got, []string{"Fake-8 sec/op REGRESSION"}) || !r.engine.judge.hypotheses[0].ofMeans {
			t.Errorf("seed %d: %v, %+v", seed, got, r.engine.judge.hypotheses[0].finding)
		}
		if !strings.Contains(strings.Join(r.Report.Notes, "\n"), "the mean of all samples") {
			t.Errorf("seed %d: no note on the means: %q", seed, r.Report.Notes)
		}
	}
}

func TestWeigh(t *testing.T) {
	h := hypothesis{share: 0.02, threshold: 0.03}
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
