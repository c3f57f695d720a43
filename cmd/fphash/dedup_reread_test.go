package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// Flags that read texts twice give the same results for standard input as for a file.
func TestStandardInputAsFile(t *testing.T) {
	const texts = `{"id": "a", "text": "one two three four five six seven eight nine ten eleven", "score": 1}
{"id": "b", "text": "one two three four five six seven eight nine ten twelve"}
{"id": "c", "text": "eleven ten nine eight seven six five four three two one"}
{"id": "d", "text": "One, two, three, four, five, six, seven, eight, nine, ten: eleven.", "score": 2}
`
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := io.WriteString(z, texts); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	const vectors = "1:1 2:2 3:3\n1:1 2:2 3:4\n3:1 4:9\n1:1 2:2 3:3\n"
	for _, c := range []struct{ name, input, args string }{
		{"texts.jsonl", texts, ""},
		{"texts.jsonl", texts, "--keep max:score"},
		{"texts.jsonl", texts, "--show 3 --keep longest"},
		{"texts.jsonl", texts, "--k 3 --keep longest"},
		{"texts.jsonl", texts, "--similarity 0.6 --measure jaccard"},
		{"texts.jsonl", "{}\n" + texts, "--keep-going --text text --show 1"},
		{"texts.jsonl.gz", packed.String(), "--show 1"},
		{"lines.txt", texts, "--documents lines --similarity 0.8 --show 1"},
		{"v.svm", vectors, ""},
		{"v.svm", vectors, "--similarity 0.999"},
		{"v.svm", "1:x\n" + vectors, "--keep-going"},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.input), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, list := range dedup.Lists() {
			args := append([]string{"dedup", "--list", list}, strings.Fields(c.args)...)
			code, want, stderr := execute(t, "", append(args, path)...)
			if want == "" {
				t.Errorf("%s: no list: %s", args, stderr)
			}
			for _, input := range [][]string{nil, {"-"}} {
				gotCode, got, stderr := execute(t, c.input, append(args, input...)...)
				if gotCode != code || got != want {
					t.Errorf("%s: exit code %d, expected %d: %s\n-file +standard input\n%s", args, gotCode, code, stderr, cmp.Diff(want, got))
				}
			}
		}
	}
}

// A single pipe is read in the same way as standard input. Other pipes are refused before any data
// is read.
func TestNamedPipes(t *testing.T) {
	const texts = "{\"text\": \"one two three\"}\n{\"text\": \"One two three!\"}\n"
	pipe := func() string {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = io.WriteString(w, texts)
			_ = w.Close()
		}()
		t.Cleanup(func() { _ = r.Close() })
		name := fmt.Sprintf("/dev/fd/%d", r.Fd())
		if _, err := os.Stat(name); err != nil {
			t.Skip(err)
		}
		return name
	}
	if code, stdout, stderr := execute(t, "", "dedup", pipe(), "--list", "drop"); code != exitSuccess || stdout != "2\n" {
		t.Errorf("exit code %d: %q %s", code, stdout, stderr)
	}
	file := filepath.Join(t.TempDir(), "texts.jsonl")
	if err := os.WriteFile(file, []byte(texts), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"dedup", file, pipe()},
		{"dedup", file, "--against", pipe()},
		{"dedup", pipe(), "--run", filepath.Join(t.TempDir(), "out")},
	} {
		if code, stdout, stderr := execute(t, "", args...); code != exitFailed || stdout != "" || !strings.Contains(stderr, "which can be read twice") {
			t.Errorf("%s: exit code %d: %q %s", args, code, stdout, stderr)
		}
	}
}
