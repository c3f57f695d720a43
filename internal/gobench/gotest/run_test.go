package gotest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/process"
	"simhashkit/internal/testing/long"
)

// hangingText has benchmarks that hang in the first iteration or later. They create a file first.
const hangingText = `package x

import (
	"os"
	"testing"
	"time"
)

func hang() {
	os.WriteFile(%q, nil, 0o666)
	time.Sleep(time.Hour)
}

func BenchmarkFirst(b *testing.B) {}

func BenchmarkAlways(b *testing.B) {
	b.Run("no", func(b *testing.B) {})
	b.Run("yes", func(b *testing.B) { hang() })
}

func BenchmarkLater(b *testing.B) {
	b.StopTimer()
	b.ResetTimer()
	if b.N > 1 {
		hang()
	}
}

func BenchmarkLast(b *testing.B) {}
`

// notedHangs makes a program time out as soon as it has created its file. It counts these programs.
func notedHangs(t *testing.T, file string) *atomic.Int32 {
	t.Helper()
	var hangs atomic.Int32
	former := runProcess
	t.Cleanup(func() { runProcess = former })
	runProcess = func(ctx context.Context, command *exec.Cmd, patience time.Duration) ([]byte, error) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		go func() {
			for ctx.Err() == nil {
				if os.Remove(file) == nil {
					hangs.Add(1)
					cancel(fmt.Errorf("%w for %v", process.ErrSilent, patience))
				}
				time.Sleep(time.Millisecond)
			}
		}()
		return process.Output(ctx, command)
	}
	return &hangs
}

// Benchmarks that hang on one side are named, and all others are compared.
func TestHangingBenchmarks(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	file := filepath.Join(t.TempDir(), "hangs")
	hung := notedHangs(t, file)
	text := fmt.Sprintf(hangingText, file)
	r.write("module/x_test.go", strings.ReplaceAll(text, "hang() }", "}"))
	r.commit()
	r.write("module/x_test.go", text)
	for _, cpus := range []int{1, 2} {
		hung.Store(0)
		b := prepare(t, Options{Folder: r.module(), Old: "main", CPU: cpus, Budget: 20 * time.Second})
		suffix := ""
		if cpus > 1 {
			suffix = fmt.Sprintf("-%d", cpus)
		}
		var got []string
		for _, task := range b.Tasks {
			line := strings.TrimPrefix(task.Name, "example.com/m Benchmark")
			for _, side := range task.Sides {
				if side == nil {
					line += " -"
					continue
				}
				// this test does not run the other benchmarks
				ctx, cancel := context.WithCancelCause(context.Background())
				cancel(errors.New("is run"))
				_, err := side(ctx)
				line += ", " + err.Error()
			}
			got = append(got, line)
		}
		const hangs = "nothing was printed for 15s"
		want := []string{"First" + suffix + ", is run, is run", "Always/no" + suffix + ", is run, is run", "Always/yes" + suffix + ", is run, " + hangs,
			"Later" + suffix + ", " + hangs + ", " + hangs, "Last" + suffix + ", is run, is run"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d processors (-want +got):\n%s", cpus, diff)
		}
		if n := hung.Load(); n != 3 { // a benchmark that is known to hang is not run again
			t.Errorf("%d programs hung, want 3", n)
		}
	}
}

// Benchmarks that end the process are named, and those behind them are measured. A benchmark that
// skips itself is noted with its reason.
func TestCrashingBenchmarks(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	const text = `package x

import (
	"os"
	"testing"
)

func BenchmarkFails(b *testing.B)  { b.Fatal("wrong") }
func BenchmarkPanics(b *testing.B) { b.Run("sub", func(b *testing.B) { panic("too far") }) }
func BenchmarkSkips(b *testing.B)  { b.Skip("no network") }
func BenchmarkExits(b *testing.B)  { os.Exit(3) }
func BenchmarkLast(b *testing.B)   { for b.Loop() { } }
`
	r.write("module/x_test.go", strings.Replace(text, `panic("too far")`, "", 1))
	r.commit()
	r.write("module/x_test.go", text)
	b := prepare(t, Options{Folder: r.module(), Old: "main", Budget: 20 * time.Second})
	var got []string
	for _, task := range b.Tasks {
		line := strings.TrimPrefix(task.Name, "example.com/m Benchmark")
		for _, side := range task.Sides {
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(errors.New("is run"))
			_, err := side(ctx)
			line += ", " + strings.Join(strings.Fields(strings.SplitN(err.Error(), "goroutine", 2)[0]), " ")
		}
		got = append(got, line)
	}
	want := []string{"example.com/m, exit status 1, exit status 1", "Panics/sub, is run, exit status 2: panic: too far", "Exits, exit status 3, exit status 3", "Last, is run, is run"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"example.com/m: BenchmarkSkips was skipped: no network"}, b.Notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

func TestPlanFor(t *testing.T) {
	for _, tc := range []struct {
		rate, preparation, start float64
		want                     plan
	}{
		{1e6, 0, 0.01, plan{1000, 60}},        // a microsecond, without preparation
		{1e6, 0, 1, plan{1000, 60}},           // never more than 60 samples
		{10, 0, 0.01, plan{1, 1}},             // 100 ms
		{200, 0, 0.01, plan{1, 12}},           // 5 ms
		{1e6, 0.010, 0.01, plan{5000, 4}},     // 10 ms of preparation for 5 ms of sample
		{1e6, 1, 0.01, plan{20_000, 1}},       // a second of preparation
		{1e6, 0.010, 0.15, plan{5000, 10}},    // a process that takes long to start has longer runs
		{1e12, 0, 0, plan{1_000_000_000, 60}}, // the number of iterations is limited
	} {
		if got := planFor(tc.rate, tc.preparation, tc.start); got != tc.want {
			t.Errorf("%v iterations/s, %v and %v s: %+v, want %+v", tc.rate, tc.preparation, tc.start, got, tc.want)
		}
	}
}

func TestRateOf(t *testing.T) {
	text := "BenchmarkA 1000 100 ns/op\nBenchmarkA 1000 50 ns/op\nBenchmarkB 10 200 ns/op\n"
	if got := rateOf([]byte(text)); math.Abs(got-5e6) > 1 {
		t.Errorf("%v", got)
	}
	if got := rateOf([]byte("BenchmarkA 1000 3 widgets\n")); math.Abs(got-1e6) > 1 {
		t.Errorf("%v", got)
	}
	if got := rateOf(nil); !math.IsInf(got, 1) {
		t.Errorf("%v", got)
	}
}

// Every run has a new copy of its binary, whose pages are elsewhere in memory. Both sides have the
// same path, since its length moves the stack.
func TestRunsHaveNewFiles(t *testing.T) {
	temp := t.TempDir()
	var former *os.File
	for i := range 4 {
		b := &binary{path: filepath.Join(temp, fmt.Sprintf("bin%d", i%2), "0.test")}
		if err := errors.Join(os.MkdirAll(filepath.Dir(b.path), 0o777), os.WriteFile(b.path, []byte(b.path), 0o777)); err != nil {
			t.Fatal(err)
		}
		path, err := b.copy()
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(path) // an open file keeps its place
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if text, err := io.ReadAll(file); err != nil || string(text) != b.path || path != filepath.Join(temp, "run.test") {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		if info, err := file.Stat(); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("%v, %v", info, err)
		} else if former != nil {
			if last, err := former.Stat(); err != nil || os.SameFile(last, info) {
				t.Errorf("run %d has the file of the run before: %v", i, err)
			}
		}
		former = file
	}
	if _, err := (&binary{path: filepath.Join(temp, "bin0", "absent.test")}).copy(); err == nil {
		t.Error("no error")
	}
}

func TestSkips(t *testing.T) {
	output := "BenchmarkA\n    x_test.go:3: no network\n--- SKIP: BenchmarkA\nBenchmarkB\n    x_test.go:9: a log\nBenchmarkB \t 1\t 5 ns/op\n" +
		"BenchmarkC/x\n    x_test.go:5: no network\n    --- SKIP: BenchmarkC/x\nBenchmarkC/y\n    --- SKIP: BenchmarkC/y\n"
	want := []string{"BenchmarkA, BenchmarkC/x were skipped: no network", "BenchmarkC/y was skipped"}
	if diff := cmp.Diff(want, skips([]byte(output+output))); diff != "" {
		t.Error(diff)
	}
}

func TestPatternOf(t *testing.T) {
	for name, want := range map[string]string{
		"BenchmarkA":           "^BenchmarkA$",
		"BenchmarkA-8":         "^BenchmarkA(-8)?$",
		"BenchmarkA/b.c/n=3-8": `^BenchmarkA$/^b\.c$/^n=3(-8)?$`,
		"BenchmarkA-2/b":       "^BenchmarkA-2$/^b$",
		"BenchmarkA/x#01":      "^BenchmarkA$/^x#01$",
	} {
		got := patternOf(name)
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
