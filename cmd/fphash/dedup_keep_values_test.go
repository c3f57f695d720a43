package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A value that is not a number is an error; with --keep-going, it counts as missing. The error
// names an exponent that is too long.
func TestKeepOfBadValues(t *testing.T) {
	const text = `"the same text of some words in each of three documents"`
	in := corpusOf(t, map[string]string{"a.jsonl": `{"n":1,"text":` + text + "}\n" + `{"n":"1e1000","text":` + text + "}\n" + `{"n":2,"text":` + text + "}\n"})
	file, out := filepath.Join(in, "a.jsonl"), filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{
		{"dedup", file, "--text", "text", "--keep", "max:n", "--list", "keep"},
		{"dedup", file, "--text", "text", "--keep", "max:n", "--run", out},
	} {
		const want = `a.jsonl:2: field "n": expected an exponent of at most three digits, got "1e1000"`
		if code, _, stderr := execute(t, "", args...); code != exitFailed || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d: %s", args[0], code, stderr)
		}
		code, stdout, stderr := execute(t, "", append(args, "--keep-going")...)
		if code != 0 || !strings.Contains(stderr, want+"; the value counts as missing") {
			t.Errorf("%s --keep-going: exit code %d: %s", args[0], code, stderr)
		}
		if slices.Contains(args, "--list") && stdout != "3\n" {
			t.Errorf("kept %q", stdout)
		}
	}
}
