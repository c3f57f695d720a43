package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

// Every kind of commit builds, and leaves the fingerprint as it is.
func TestCommitsAreSound(t *testing.T) {
	long.Skip(t, "runs the tests of a module for every kind of commit")
	tools.Need(t, "git", "go")
	commits := plan(40, 1)
	r, err := newRepository(filepath.Join(t.TempDir(), "near"), commits)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for i, c := range commits {
		if kinds[c.kind] {
			continue
		}
		kinds[c.kind] = true
		if err := r.git("checkout", "--quiet", branchOf(i)); err != nil {
			t.Fatal(err)
		}
		command := exec.Command("go", "test", "./...")
		command.Dir, command.Env = r.folder, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", c.message, err, out)
		}
	}
	if want := len(idle) + len(slowing); len(kinds) != want {
		t.Errorf("%d kinds of commits, want %d", len(kinds), want)
	}
}

func TestPlan(t *testing.T) {
	commits := plan(40, 1)
	slower := 0
	for _, c := range commits {
		if c.slower == 0 {
			continue
		}
		slower++
		if c.slower < 0.06 || c.slower > 0.125 {
			t.Errorf("%s: %v slower", c.message, c.slower)
		}
	}
	if len(commits) != 40 || slower != 20 {
		t.Errorf("%d commits, %d of them slower", len(commits), slower)
	}
	messages := func(commits []commit) (list []string) {
		for _, c := range commits {
			list = append(list, c.message)
		}
		return list
	}
	if diff := cmp.Diff(messages(commits), messages(plan(40, 1))); diff != "" {
		t.Errorf("the same seed gives another history:\n%s", diff)
	}
	if cmp.Equal(messages(commits), messages(plan(40, 2))) {
		t.Error("another seed gives the same history")
	}
}

const markdown = `
== time
### Benchmarks: 2 regressions

| benchmark | old | ± | new | ± | change | 95% interval | p | verdict |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| KERNEL | 8.793µ | 0% | 10.266µ | 3% | +11.03% | +9.52% to +13.06% | 0.009 | REGRESSION |
| Codes | 1.077µ | 0% | 1.287µ | 0% | +19.80% | +15.76% to +24.63% | 0.009 | REGRESSION |

**Notes**

- 12 to 28 rounds of 4 tasks in 7.9s of at most 8s, in an order drawn by seed 2565997037; decided early: 11 of 12 comparisons

<details><summary>All benchmarks</summary>

| Sketch | 8.793µ | 0% | 8.800µ | 3% | +0.03% | -0.52% to +1.06% | 1.000 | no change |
`

func TestJudgement(t *testing.T) {
	options := cmp.AllowUnexported(judgement{})
	want := judgement{1, true, []string{"Sketch +11.03% (+9.52% to +13.06%) REGRESSION", "Codes +19.80% (+15.76% to +24.63%) REGRESSION"}, "12 to 28 rounds of 4 tasks in 7.9s of at most 8s"}
	if diff := cmp.Diff(want, judgementOf(1, strings.Replace(markdown, "KERNEL", "Sketch", 1)), options); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if j := judgementOf(1, strings.Replace(markdown, "KERNEL", "Parse", 1)); j.kernel {
		t.Errorf("%+v", j)
	}
	_, all, _ := strings.Cut(markdown, "<details>")
	want = judgement{0, false, []string{"Sketch +0.03% (-0.52% to +1.06%) no change"}, ""}
	if diff := cmp.Diff(want, judgementOf(0, "<details>"+all), options); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A log is continued, and counts what it has from before.
func TestLog(t *testing.T) {
	o := options{commits: 40, seed: 1, threshold: "3%", budget: "15s", out: filepath.Join(t.TempDir(), "log.txt")}
	l, err := openLog(o)
	if err != nil {
		t.Fatal(err)
	}
	same, slower := commit{message: "same"}, commit{message: "slower", slower: 0.1}
	for i, tc := range []struct {
		c    commit
		j    judgement
		want string
	}{
		{same, judgement{code: 0}, "right"},
		{same, judgement{code: 1, kernel: true}, "FALSE ALARM"},
		{same, judgement{code: 2}, "not compared"},
		{slower, judgement{code: 1, kernel: true}, "right"},
		{slower, judgement{code: 1}, "MISSED"},
		{slower, judgement{code: 0}, "MISSED"},
		{slower, judgement{code: 2}, "not compared"},
	} {
		line, err := l.add(tc.c, tc.j)
		if err != nil || !strings.Contains(line, ": "+tc.want+"; "+tc.c.message+"; ") {
			t.Errorf("%d: %q, %v; want %s", i, line, err, tc.want)
		}
	}
	if l, err = openLog(o); err != nil || l.done() != 7 {
		t.Fatalf("%+v, %v", l, err)
	}
	var out strings.Builder
	err = l.summary(&out)
	if want := "2 of 7 right: false alarms 1, misses 2, not compared 2\n"; out.String() != want || err == nil {
		t.Errorf("%q, %v; want %q and an error", out.String(), err, want)
	}
	for range 100 {
		if _, err := l.add(same, judgement{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.summary(&out); err != nil { // 102 of 107
		t.Error(err)
	}
	if _, err := l.add(same, judgement{code: 1}); err != nil {
		t.Fatal(err)
	}
	if err := l.summary(&out); err == nil { // 102 of 108
		t.Error("102 of 108 pass for 95 of 100")
	}
	o.seed = 2
	if _, err := openLog(o); err == nil || !strings.Contains(err.Error(), "is about something else") {
		t.Errorf("error %v", err)
	}
}

func TestArguments(t *testing.T) {
	var out strings.Builder
	for _, args := range [][]string{{"-commits", "7"}, {"-commits", "0"}, {"-nothing"}} {
		if err := run(args, &out, &out); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
