package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/testing/tools"
)

// measured runs the command for two rounds and returns its result file.
func measured(t *testing.T, args ...string) (string, error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out.txt")
	if err := run(t.Context(), append([]string{"-o", out, "-rounds", "2", "-documents", "3"}, args...), t.Output()); err != nil {
		return "", err
	}
	text, err := os.ReadFile(out)
	if err == nil {
		_, err = resultfile.Read(strings.NewReader(string(text)), "x")
	}
	return string(text), err
}

// stand returns the path of a program that prints the same lines as the script.
func stand(t *testing.T, script string) string {
	tools.Need(t, "sh")
	tools.NeedExecutable(t)
	path := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho rensa 1, datasketch 2\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each kernel and each call has one sample per round.
func TestRounds(t *testing.T) {
	text, err := measured(t, "-python", stand(t, `while read program call; do echo 12.5; done`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{
		"# python: rensa 1, datasketch 2\n": 1,
		"BenchmarkMinHash/program=simhashkit/call=AppendUnit/features=numbers/kernel=generic/f=128 1 ": 2,
		"BenchmarkMinHash/program=rensa/call=RMinHash.update/features=strings/f=128 1 12.5 ns/nnz\n":   2,
		"BenchmarkMinHash/program=datasketch/call=MinHash.bulk/features=strings/f=128 1 12.5 ns/nnz\n": 2,
	} {
		if strings.Count(text, name) != want {
			t.Errorf("expected %q %d times in\n%s", name, want, text)
		}
	}
}

// A script that ends too early is an error.
func TestScriptThatEnds(t *testing.T) {
	if text, err := measured(t, "-python", stand(t, "read call; echo 1")); err == nil || !strings.Contains(err.Error(), "the script has ended") {
		t.Errorf("%v\n%s", err, text)
	}
}

// All features of a set are different.
func TestFeatures(t *testing.T) {
	for _, set := range features(20) {
		seen := map[string]bool{}
		for _, f := range set {
			if seen[f] || strings.Count(f, " ") != 1 {
				t.Errorf("%q: expected a pair of words, once", f)
			}
			seen[f] = true
		}
	}
}
