package ab

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sometimes returns a side that prints ten samples of a benchmark X, a little apart, and of one
// Late from some run on.
func sometimes(c *clock, late float64, from int) Runner {
	run := 0
	return func(context.Context) ([]byte, error) {
		run++
		c.now = c.now.Add(time.Second)
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

// Alpha is divided among the comparisons of the first round. What turns up later is a gap, however
// much it has changed: the usual test would have an alpha of its own.
func TestLateBenchmarks(t *testing.T) {
	c := newClock()
	o := c.options()
	o.Control = true // as many rounds as there is time for
	r := mustRun(t, []Task{{Name: "all", Old: sometimes(c, 1000, 3), New: sometimes(c, 3000, 2)}}, o)
	if diff := cmp.Diff([]string{"X sec/op no change", "Late sec/op unclear"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	want := "samples: Late has no figures of both sides in the first round, and only what that has is tested (sec/op)"
	if got := strings.Join(r.Report.GapLines(), "\n"); got != want || r.Report.OpenGaps() != 1 {
		t.Errorf("gaps %s", got)
	}
	if e := r.Report.Tables[0].Rows[1].Effect; e.P != 1 || e.Change < 1.9 || e.Change > 2.1 {
		t.Errorf("%+v", e)
	}
}

// A run that fails has no figures, also if it has printed many.
func TestFailingWithFigures(t *testing.T) {
	c := newClock()
	failing := func(ns int) Runner {
		return func(context.Context) ([]byte, error) {
			c.now = c.now.Add(time.Second)
			return []byte(strings.Repeat(fmt.Sprintf("BenchmarkX 1 %d ns/op\n", ns), 10)), errors.New("exit status 3")
		}
	}
	r := mustRun(t, []Task{{Name: "all", Old: failing(100), New: failing(300)}}, c.options())
	if diff := cmp.Diff([]string{"X sec/op unclear"}, verdicts(r.Report)); diff != "" {
		t.Error(diff)
	}
	want := []string{"old: failed: all: exit status 3", "new: failed: all: exit status 3", "samples: X has no figures of both sides in the first round, and only what that has is tested (sec/op)"}
	if diff := cmp.Diff(want, r.Report.GapLines()); diff != "" {
		t.Error(diff)
	}
}

// Places of gaps say what side they are of, and no lines of what nobody has as a file.
func TestPlacesOfGaps(t *testing.T) {
	c := newClock()
	old, new := programs(c, 1, 0)
	broken := 0
	new.extra = func(int, float64) string {
		broken++
		if broken == 1 || broken > 5 { // the others of the first run
			return ""
		}
		return "\tmany widgets"
	}
	gone, _ := programs(c, 2, 0)
	gone.name = "Gone"
	r := mustRun(t, []Task{taskOf(old, new), {Name: "Gone", Old: gone.run}}, c.options())
	text := strings.Join(r.Report.GapLines(), "\n")
	for _, want := range []string{`new: syntax: parsing measurement: invalid syntax: "BenchmarkFake-8 \t 1000\t`, "and 3 more like it: Fake-8, Fake-8,", "\nmissing: Gone-8 is missing in new (sec/op)"} {
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
