package ab

import (
	"context"
	"runtime"
	"slices"
	"testing"

	"simhashkit/bench/gobench/compare"
)

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
	report, err := compare.Compare([]compare.Input{{Label: "a", Name: "a", Text: text}, {Label: "b", Name: "b", Text: text}}, compare.Options{Ignore: "/kernel"})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, table := range report.Tables {
		for _, row := range table.Rows {
			rows++
			if !slices.ContainsFunc(got, func(f figure) bool { return f.at == placeOf(table, row) }) {
				t.Errorf("%q is not among %v", placeOf(table, row), got)
			}
		}
	}
	if rows != 3 || len(got) != 3 {
		t.Errorf("%d rows, %d figures", rows, len(got))
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
	} {
		if _, err := Commands(context.Background(), tc.old, tc.new, defaultBudget); err == nil || err.Error() != tc.want {
			t.Errorf("error %v, want %s", err, tc.want)
		}
	}
	task, err := Commands(context.Background(), "echo BenchmarkX 1 2 ns/op; echo BenchmarkY 1 2 ns/op", "echo BenchmarkX 1 3 ns/op; echo BenchmarkZ 1 3 ns/op", defaultBudget)
	if err != nil || task.Benchmarks != 3 || task.Round == 0 {
		t.Fatalf("%+v, %v", task, err)
	}
	for i, want := range []string{"BenchmarkX 1 2 ns/op\nBenchmarkY 1 2 ns/op\n", "BenchmarkX 1 3 ns/op\nBenchmarkZ 1 3 ns/op\n"} {
		if text, err := task.Sides[i](context.Background()); string(text) != want || err != nil {
			t.Errorf("side %d: %q, %v", i, text, err)
		}
	}
}
