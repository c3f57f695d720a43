package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/results/measure/comparisons"
)

func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slow.txt")
	measure := func(n string) comparisons.File {
		t.Helper()
		if _, err := fakeRun(t, "-kind", "slow", "-extra", "6", "-seed", "3", "-benchmarks", "6", "-n", n, "-out", path); err != nil {
			t.Fatal(err)
		}
		f, err := comparisons.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	some := measure("3")
	all := measure("8")
	if len(some.Records) != 3 || len(all.Records) != 8 {
		t.Fatalf("%d and %d records", len(some.Records), len(all.Records))
	}
	if diff := cmp.Diff(some.Records, all.Records[:3]); diff != "" {
		t.Errorf("resuming has changed records: %s", diff)
	}
	if diff := cmp.Diff(some.Head, all.Head); diff != "" {
		t.Errorf("resuming has changed the head: %s", diff)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	measure("8")
	if after, err := os.Stat(path); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Error("a file that is complete was written again")
	}
	seeds := map[uint64]bool{}
	alarms := 0
	for i, r := range all.Records {
		seeds[r.Seed] = true
		if r.Alarm() {
			alarms++
		}
		if r.Index != i || r.Extra != 6 || r.Rounds != 12 || r.NaiveP > 0.001 || math.Abs(r.NaiveChange-0.06) > 0.001 {
			t.Errorf("%+v", r)
		}
		if i >= 6 && r.Benchmark != all.Records[i-6].Benchmark {
			t.Errorf("comparison %d is of %s, not of the first benchmark again", i, r.Benchmark)
		}
	}
	if len(seeds) != 8 || alarms == 0 {
		t.Errorf("%d seeds, %d alarms", len(seeds), alarms)
	}
}

// In bursts, the new side has all extra work of 20 samples in one of them, and the naive gate has
// it evenly.
func TestBursts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bursts.txt")
	if _, err := fakeRun(t, "-kind", "bursts", "-extra", "10", "-benchmarks", "3", "-n", "3", "-out", path); err != nil {
		t.Fatal(err)
	}
	f, err := comparisons.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Records {
		if r.Every != burstEvery || r.Extra != 10 || math.Abs(r.NaiveChange-0.1) > 0.001 {
			t.Errorf("%+v", r)
		}
	}
	if text, err := fakeRun(t, "-sum", path); err != nil || !strings.Contains(text, "10% in bursts") {
		t.Errorf("%v\n%s", err, text)
	}
	side := extraWork{10, 20}.setting()
	if len(side) != len(extraWork{0, 20}.setting()) || side != "FPHASH_EXTRA_WORK=10/20" {
		t.Errorf("%q", side)
	}
}

func TestRefusals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "aa.txt")
	aa := []string{"-kind", "aa", "-n", "2", "-out", path}
	if _, err := fakeRun(t, aa...); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		`measured with kind "aa", and this is "slow"`: {"-kind", "slow", "-n", "9", "-out", path},
		`measured with seed "1"`:                      append(aa, "-seed", "2"),
		`measured with benchmarks "40"`:               append(aa, "-benchmarks", "31"),
		`-kind "": expected aa, slow or bursts`:       {"-out", path},
		"-extra 0":                                    {"-kind", "slow", "-extra", "0", "-out", path},
		"-out is missing":                             {"-kind", "aa"},
		"expected flags only":                         append(aa, "more"),
		"-n 0":                                        {"-kind", "aa", "-out", path, "-n", "0"},
		"-budget -1s":                                 {"-kind", "aa", "-out", path, "-budget", "-1s"},
		"10000 benchmarks are wanted":                 {"-kind", "aa", "-out", path + "2", "-benchmarks", "10000"},
		"expected files":                              {"-sum"},
		"no such file":                                {"-sum", path + "2"},
		"1 of 3 comparisons are done":                 {"-kind", "aa", "-n", "3", "-for", "1ns", "-out", path + "3"},
	} {
		if want == "1 of 3 comparisons are done" {
			if err := os.WriteFile(path+"3", text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1], 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := fakeRun(t, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", args, err, want)
		}
	}
	for want, content := range map[string]string{
		"7 settings":                "",
		":1: expected a comparison": "nonsense\n",
		"unknown field":             strings.Replace(string(text), `"exit"`, `"exhibit"`, 1),
		"comparison 1, expected 0":  strings.Replace(string(text), `"index":0`, `"index":1`, 1),
		"have changed since":        strings.Replace(string(text), "Benchmark", "Bankmark", 1),
	} {
		broken := filepath.Join(t.TempDir(), "broken.txt")
		if err := os.WriteFile(broken, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := fakeRun(t, "-kind", "aa", "-n", "3", "-out", broken); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
		if after, err := os.ReadFile(broken); err != nil || string(after) != content {
			t.Error("a file that was refused has changed")
		}
	}
}

// What fphash ab itself refuses, or a benchmark that fails, is no outcome of a comparison.
func TestBrokenPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "aa.txt")
	if _, err := fakeRun(t, "-kind", "aa", "-n", "2", "-out", path, "-budget", "4s"); err == nil || !strings.Contains(err.Error(), "0 comparisons; expected one") || !strings.Contains(err.Error(), "unexpected arguments") {
		t.Errorf("error %v", err)
	}
	p := programs{bench: must(os.Executable())}
	t.Setenv(fakeVariable, "1")
	if _, err := p.operation(t.Context(), "BenchmarkHash/hash=lookup3"); err == nil || !strings.Contains(err.Error(), "--- FAIL: lookup3") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	cancel(gone)
	if err := p.compare(ctx, &comparisons.Record{}, plan{1, 1}, time.Second); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was written: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestPlan(t *testing.T) {
	const short, long = "BenchmarkHash/n=1", "BenchmarkMemoryRead/n=1000000"
	for _, tc := range []struct {
		benchmark string
		operation time.Duration
		extra     int
		run       plan
		naive     plan
	}{
		{short, 1, 6, plan{1_000_000, 60}, plan{100_000_000, 10}},
		{short, 50 * time.Microsecond, 0, plan{20, 60}, plan{2000, 10}},
		{short, time.Millisecond, 6, plan{17, 5}, plan{100, 10}},
		{short, 10 * time.Millisecond, 10, plan{17, 5}, plan{17, 10}},
		{short, 10 * time.Millisecond, 3, plan{34, 5}, plan{34, 10}},
		{long, 250 * time.Microsecond, 6, plan{4, 60}, plan{400, 10}},
		{long, 3 * time.Millisecond, 0, plan{1, 20}, plan{33, 10}},
	} {
		if got := planFor(tc.benchmark, tc.operation, tc.extra); got != tc.run {
			t.Errorf("%v: %+v, want %+v", tc.operation, got, tc.run)
		}
		if got := naivePlanFor(tc.benchmark, tc.operation, tc.extra); got != tc.naive {
			t.Errorf("%v: naive %+v, want %+v", tc.operation, got, tc.naive)
		}
	}
}

func TestPick(t *testing.T) {
	first, err := pick(40, 1)
	if err != nil {
		t.Fatal(err)
	}
	again, err := pick(40, 1)
	if err != nil || !slices.Equal(first, again) {
		t.Errorf("the same seed has given %q and %q, %v", first, again, err)
	}
	if other, err := pick(40, 2); err != nil || slices.Equal(first, other) {
		t.Errorf("another seed has given the same, %v", err)
	}
	kinds := map[string]int{}
	for i, name := range first {
		if slices.Contains(first[:i], name) {
			t.Errorf("%s is there twice", name)
		}
		kind, _, _ := strings.Cut(name, "/")
		kinds[kind]++
	}
	for _, kind := range []string{"BenchmarkHash", "BenchmarkAccumulate", "BenchmarkSketch", "BenchmarkHammingScan", "BenchmarkMemoryRead"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s among %q", kind, first)
		}
	}
}

// The second processor is busy until the end, and a measurement does not go on without that.
func TestKeepBusy(t *testing.T) {
	p := programs{bench: must(os.Executable())}
	t.Setenv(fakeVariable, "1")
	for _, broken := range []bool{false, true} {
		if broken {
			p.bench = filepath.Join(t.TempDir(), "missing")
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		ended, err := p.keepBusy(ctx, cancel)
		if err != nil {
			cancel(nil)
			t.Skip(err)
		}
		if broken {
			<-ended
			if cause := context.Cause(ctx); cause == nil || !strings.Contains(cause.Error(), "keeps the second processor busy has failed") {
				t.Errorf("cause %v", cause)
			}
			continue
		}
		select {
		case <-ended:
			t.Error("it has ended by itself")
		default:
		}
		cancel(nil)
		<-ended
	}
}
