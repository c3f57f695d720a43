package ab

import (
	"context"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/compare"
)

func TestPattern(t *testing.T) {
	for name, want := range map[string]string{
		"BenchmarkA":           "^BenchmarkA$",
		"BenchmarkA-8":         "^BenchmarkA(-8)?$",
		"BenchmarkA/b.c/n=3-8": `^BenchmarkA$/^b\.c$/^n=3(-8)?$`,
		"BenchmarkA-2/b":       "^BenchmarkA-2$/^b$",
		"BenchmarkA/x#01":      "^BenchmarkA$/^x#01$",
	} {
		got := Pattern(name)
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		for i, part := range strings.Split(got, "/") {
			if !regexp.MustCompile(part).MatchString(strings.Split(name, "/")[i]) {
				t.Errorf("%s does not match %s", part, name)
			}
		}
	}
}

func TestUndisturbed(t *testing.T) {
	v := []float64{9, 1, 3, 7, 5}
	for unit, want := range map[string]float64{"sec/op": 3, "sec": 3, "p99-sec/op": 3, "B/s": 7, "hits": 5, "B/op": 5} {
		if got := undisturbed(unit, v); got != want {
			t.Errorf("%s: %v, want %v", unit, got, want)
		}
	}
	if got := quantile([]float64{1, 2}, 0.25); got != 1.25 {
		t.Errorf("%v", got)
	}
	if got := quantile([]float64{4}, 0.75); got != 4 {
		t.Errorf("%v", got)
	}
}

// The places of figures are those of the rows of compare, even if a configuration key appears late.
func TestPlacesAreThoseOfReports(t *testing.T) {
	p, err := newParser("/kernel")
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("pkg: a\nBenchmarkX/kernel=q/n=1-4 10 0 ns/op 5 widgets\ngoos: linux\nBenchmarkY 1 2 MB/s\nBenchmarkY 1 NaN MB/s\n")
	got := p.parse(text)
	report, err := compare.Compare([]compare.Input{{Label: "a", Name: "a", Text: text}, {Label: "b", Name: "b", Text: text}}, compare.Options{Rules: compare.Rules{Ignore: "/kernel"}})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, table := range report.Tables {
		for _, row := range table.Rows {
			rows++
			if _, ok := got.of[placeOf(table, row)]; !ok {
				t.Errorf("%q is not among %v", placeOf(table, row), got.order)
			}
		}
	}
	if rows != 3 || len(got.order) != 3 {
		t.Errorf("%d rows, %d figures", rows, len(got.order))
	}
}

func skipWithoutShell(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a Unix shell")
	}
}

func TestCommands(t *testing.T) {
	skipWithoutShell(t)
	for _, tc := range []struct{ old, new, want string }{
		{"true", "true", `ab: command "true": it printed nothing`},
		{"echo hello", "true", `ab: command "echo hello" printed no benchmark results; expected lines like: BenchmarkName 1000 12.5 ns/op`},
		{"echo oh dear >&2; exit 3", "true", `ab: command "echo oh dear >&2; exit 3": exit status 3: oh dear`},
		{"echo {}", "true", "ab: only one command contains {}; expected it in both or in none"},
	} {
		if _, err := Commands(context.Background(), tc.old, tc.new, ".", defaultBudget); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %s", err, tc.want)
		}
	}
	one, err := Commands(context.Background(), "echo BenchmarkX 1 2 ns/op", "echo BenchmarkX 1 3 ns/op", ".", defaultBudget)
	if err != nil || len(one) != 1 {
		t.Fatalf("%v, %v", one, err)
	}

	// A program with two benchmarks that prints the requested pattern.
	script := `p='{}'; case "$p" in .) echo BenchmarkA-2 1 2 ns/op; echo BenchmarkB/x=1 1 2 ns/op;; *) echo "Benchmark 1 2 $p";; esac`
	tasks, err := Commands(context.Background(), script, strings.Replace(script, "BenchmarkA-2", "BenchmarkC", 1), ".", defaultBudget)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, task := range tasks {
		line := task.Name
		for _, r := range task.Sides {
			if r == nil {
				line += " -"
				continue
			}
			text, err := r(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			line += " " + strings.TrimSpace(strings.TrimPrefix(string(text), "Benchmark 1 2 "))
		}
		got = append(got, line)
	}
	want := []string{"BenchmarkA-2 ^BenchmarkA(-2)?$ -", "BenchmarkB/x=1 ^BenchmarkB$/^x=1$ ^BenchmarkB$/^x=1$", "BenchmarkC - ^BenchmarkC$"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
