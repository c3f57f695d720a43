package gotest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/gobench/ab"
	"simhashkit/internal/testing/long"
)

func prepare(t *testing.T, o Options) *Benchmarks {
	t.Helper()
	b, err := Prepare(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// Two revisions and uncommitted edits, in a module that is not at the top of the repository.
func TestRevisions(t *testing.T) {
	r := newRepository(t)
	r.benchmark("a", "1")
	r.benchmark("gone", "7")
	r.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch hook-was-here\nexit 1\n")
	if err := os.Chmod(filepath.Join(r.top, ".git/hooks/post-checkout"), 0o777); err != nil {
		t.Fatal(err)
	}
	r.commit()
	r.benchmark("a", "2")
	r.benchmark("b", "5")
	r.git("rm", "-q", "-r", "module/gone")
	r.commit()
	r.benchmark("a", "3")
	r.write("module/a/untracked.txt", "")
	before := r.state()

	old := "example.com/m/a BenchmarkNumber/n=1"
	cases := []struct {
		old, new string
		want     []string
	}{
		{"HEAD~1", "", []string{old + " 1.000 3.000", "example.com/m/gone BenchmarkNumber/n=1 7.000 -", "example.com/m/b BenchmarkNumber/n=1 - 5.000"}},
		{"HEAD~1", "main", []string{old + " 1.000 2.000", "example.com/m/gone BenchmarkNumber/n=1 7.000 -", "example.com/m/b BenchmarkNumber/n=1 - 5.000"}},
		{"main", "main", []string{old + " 2.000 2.000", "example.com/m/b BenchmarkNumber/n=1 5.000 5.000"}},
	}
	if !long.Enabled() {
		cases = cases[:1]
	}
	for _, tc := range cases {
		b := prepare(t, Options{Folder: r.module(), Packages: []string{"./..."}, Old: tc.old, New: tc.new, Same: true})
		if diff := cmp.Diff(tc.want, numbers(t, b)); diff != "" {
			t.Errorf("%s to %q: %s", tc.old, tc.new, diff)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(before, r.state()); diff != "" {
			t.Errorf("something was left behind: %s", diff)
		}
	}
}

// From sources to verdicts: a loop with ten times as much work is a regression, and allocations are
// counted.
func TestSlowerRevision(t *testing.T) {
	text := `package x

import "testing"

var sink []byte

func BenchmarkWork(b *testing.B) {
	for range b.N {
		for range WORK {
			sink = make([]byte, 100)
		}
	}
}
`
	r := newRepository(t)
	r.write("module/x_test.go", strings.ReplaceAll(text, "WORK", "10"))
	r.commit()
	r.write("module/x_test.go", strings.ReplaceAll(text, "WORK", "100"))
	b := prepare(t, Options{Folder: r.module(), Old: "main"})
	result, err := ab.Run(context.Background(), b.Tasks, ab.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	units := 0
	for _, table := range result.Report.Tables {
		for _, row := range table.Rows {
			units++
			if row.Verdict != "REGRESSION" || row.Effect.Change < 3 {
				t.Errorf("%s: %s %v", table.Unit, row.Verdict, row.Effect)
			}
		}
	}
	if units != 3 || result.Report.OpenGaps() > 0 {
		t.Errorf("%d units, gaps %v", units, result.Report.Gaps)
	}
}

func TestErrors(t *testing.T) {
	r := newRepository(t)
	r.benchmark("a", "1")
	r.write("module/none/none.go", "package none\n")
	r.commit()
	r.git("tag", "good")
	r.benchmark("a", "nonsense")
	r.commit()
	r.git("tag", "bad")
	r.benchmark("a", "1")
	before := r.state()
	for _, tc := range []struct {
		o    Options
		want []string
	}{
		{Options{Old: "bad"}, []string{"a/x.go:3:16: undefined: nonsense", "building the benchmarks of example.com/m/a in bad"}},
		{Options{Old: "absent"}, []string{`there is no revision "absent"`, "fetch-depth: 0"}},
		{Options{Old: "--help"}, []string{`there is no revision "--help"`}},
		{Options{Old: "good", Packages: []string{"./none"}}, []string{"no benchmarks in good", "func Benchmark"}},
		{Options{Old: "good", Packages: []string{"./absent"}}, []string{"gotest: good: ", "absent"}},
		{Options{Old: "good", Bench: "Nothing", Same: true}, []string{`no benchmark of ./... matches "Nothing"`}},
		{Options{Old: "good", Bench: "("}, []string{"missing closing )"}},
	} {
		tc.o.Folder = r.module()
		if tc.o.Packages == nil {
			tc.o.Packages = []string{"./..."}
		}
		b, err := Prepare(context.Background(), tc.o)
		if err == nil || b != nil {
			t.Errorf("%+v: %v, %v", tc.o, b, err)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: error %v, want %s", tc.o, err, want)
			}
		}
	}
	if diff := cmp.Diff(before, r.state()); diff != "" {
		t.Errorf("something was left behind: %s", diff)
	}
	o := Options{Folder: t.TempDir(), Old: "main"}
	if _, err := Prepare(context.Background(), o); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("error %v", err)
	}
}

// A preparation that is interrupted at any step leaves nothing behind.
func TestInterrupted(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	r.benchmark("a", "1")
	r.commit()
	before := r.state()
	for _, step := range []string{"checking out", "building", "listing", "calibrating"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		reason := errors.New("enough")
		seen := false
		b, err := Prepare(ctx, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main", Same: true, Progress: func(s string) {
			if strings.HasPrefix(s, step) {
				seen = true
				cancel(reason)
			}
		}})
		if b != nil || !errors.Is(err, reason) || !seen {
			t.Errorf("%s: %v, %v, %v", step, b, err, seen)
		}
		if diff := cmp.Diff(before, r.state()); diff != "" {
			t.Errorf("%s: something was left behind: %s", step, diff)
		}
	}
}

// A benchmark that passes with the single iteration of the listing but fails with many is reported.
// The single iteration does not count as a measurement.
func TestFailingWithManyIterations(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	const head = "package x\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc BenchmarkNo(b *testing.B) {\n"
	// an empty benchmark runs with more than one iteration, even on a busy machine
	const timeless = "\tb.StopTimer()\n\tb.ResetTimer()\n"
	const quiet, fails, prints = "\t_ = fmt.Sprint()\n}\n", timeless + "\tif b.N > 1 {\n\t\tb.Fatal(fmt.Sprint())\n\t}\n}\n", timeless + "\tfmt.Println(\"here I am\")\n}\n"
	for _, tc := range []struct{ old, new, want string }{
		{fails, fails, "BenchmarkNo: exit status 1"},
		{quiet, prints, "does the benchmark print to standard output?"},
	} {
		r.write("module/x_test.go", head+tc.old)
		r.commit()
		r.write("module/x_test.go", head+tc.new+"\n// uncommitted\n")
		// no process counts as hanging
		b := prepare(t, Options{Folder: r.module(), Old: "main", Same: true, Budget: time.Hour})
		result, err := ab.Run(context.Background(), b.Tasks, ab.Options{Seed: 1, Budget: 1})
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(result.Report.GapLines(), "\n")
		if !strings.Contains(text, tc.want) {
			t.Errorf("%q to %q: %s", tc.old, tc.new, text)
		}
		for _, table := range result.Report.Tables {
			for _, row := range table.Rows {
				if row.Verdict.Compared() {
					t.Errorf("%q to %q: %s has the verdict %s", tc.old, tc.new, row.Name, row.Verdict)
				}
			}
		}
	}
}

// A benchmark that fails on one side is reported with its output.
func TestFailingBenchmark(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	r.benchmark("a", "1")
	r.commit()
	r.write("module/a/y_test.go", "package x\n\nimport \"testing\"\n\nfunc BenchmarkNo(b *testing.B) { b.Fatal(\"oh no\") }\n")
	b := prepare(t, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main", Same: true})
	result, err := ab.Run(context.Background(), b.Tasks, ab.Options{Seed: 1, Budget: 1})
	if err != nil {
		t.Fatal(err)
	}
	var gaps []string
	for _, g := range result.Report.Gaps {
		gaps = append(gaps, g.String())
	}
	var old, new strings.Builder
	if err := errors.Join(result.Save(&old, 0), result.Save(&new, 1)); err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(gaps, "\n"); strings.Count(text, "--- FAIL: BenchmarkNo") != 1 || !strings.Contains(new.String(), "oh no") || strings.Contains(old.String(), "FAIL") {
		t.Errorf("%s\n%s", text, new.String())
	}
}
