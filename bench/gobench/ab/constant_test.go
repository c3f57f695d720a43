package ab

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// printing returns a side whose runs take a second each and print samples of a benchmark X: those
// of the first run, of the second, and of the last one ever after.
func printing(c *clock, runs ...[]string) Runner {
	n := 0
	return func(context.Context) ([]byte, error) {
		c.now = c.now.Add(time.Second)
		samples := runs[min(n, len(runs)-1)]
		n++
		return []byte("Unit recall assume=exact better=higher\nBenchmarkX 1 " + strings.Join(samples, "\nBenchmarkX 1 ") + "\n"), nil
	}
}

// times repeats a sample.
func times(n int, sample string) []string {
	return strings.Split(strings.Repeat(sample+",", n-1)+sample, ",")
}

// What does not vary on either side is judged without a test where it is counted, in as few rounds
// as there are, and by the statistics where it is timed.
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
		{"within the threshold", [][]string{times(6, "1000 allocs/op")}, [][]string{times(6, "1001 allocs/op")}, 2, "X allocs/op small", 0},
		{"too few samples", [][]string{times(2, "3 allocs/op")}, [][]string{times(2, "4 allocs/op")}, 2, "X allocs/op unclear", 1},
		{"varies within a run", [][]string{append(times(5, "3 allocs/op"), "4 allocs/op")}, [][]string{times(6, "4 allocs/op")}, 2, "X allocs/op unclear", 1},
		{"varies between runs", [][]string{times(6, "3 allocs/op"), times(6, "2 allocs/op")}, [][]string{times(6, "4 allocs/op")}, 2, "X allocs/op unclear", 1},
		{"a clock of few digits", [][]string{times(6, "3 ns/op")}, [][]string{times(6, "4 ns/op")}, 2, "X sec/op unclear", 1},
		{"another figure", [][]string{times(6, "3 widgets")}, [][]string{times(6, "4 widgets")}, 2, "X widgets unclear", 1},
		{"an exact figure", [][]string{{"0.75 recall"}}, [][]string{{"0.5 recall"}}, 1, "X recall REGRESSION", 0},
	} {
		c := newClock()
		o := c.options()
		o.Budget = time.Duration(2*tc.rounds) * time.Second
		r := mustRun(t, []Task{{Name: "X", Old: printing(c, tc.old...), New: printing(c, tc.new...)}}, o)
		if diff := cmp.Diff([]string{tc.want}, verdicts(r.Report)); diff != "" || r.Rounds != tc.rounds && tc.want != "X allocs/op no change" || r.Report.OpenGaps() != tc.gaps {
			t.Errorf("%s: %d rounds, gaps %v, verdicts %s", tc.name, r.Rounds, r.Report.Gaps, diff)
		}
	}
}

// A difference of counts wants processes enough to show that they do not vary, and no more than
// that.
func TestConstantsNeedFewRounds(t *testing.T) {
	c := newClock()
	side := func(allocations int) Runner { return printing(c, times(3, fmt.Sprintf("%d allocs/op", allocations))) }
	r := mustRun(t, []Task{{Name: "X", Old: side(10), New: side(11)}}, c.options())
	if diff := cmp.Diff([]string{"X allocs/op REGRESSION"}, verdicts(r.Report)); diff != "" || r.Rounds != 6 || r.Report.OpenGaps() > 0 {
		t.Errorf("%d rounds, gaps %v, verdicts %s", r.Rounds, r.Report.Gaps, diff)
	}
	if e := r.Report.Tables[0].Rows[0].Effect; e.Change != 0.1 || e.Noise || e.P != 0 {
		t.Errorf("%+v", e)
	}
}

// Times of few digits that have had too few rounds for a verdict are a gap, however little they
// vary.
func TestTooFewRoundsWithoutNoise(t *testing.T) {
	c := newClock()
	o := c.options()
	o.Budget = 13 * time.Second
	r := mustRun(t, []Task{{Name: "X", Old: printing(c, times(2, "10 ns/op")), New: printing(c, times(2, "11 ns/op"))}}, o)
	if text := strings.Join(r.Report.GapLines(), "\n"); r.Rounds != 6 || text != "samples: X has had 6 rounds, too few to find any change; a larger --budget or shorter runs give more (sec/op)" {
		t.Errorf("%d rounds: %v, gaps %s", r.Rounds, verdicts(r.Report), text)
	}
}
