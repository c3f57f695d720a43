package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// It is an error if a file has changed before its texts are read again, or changes meanwhile.
func TestTextsAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const lines = "{\"text\": \"one\"}\n\n{\"text\": \"two\"}\n{\"text\": \"three\"}\n"
	write(lines)
	d := dedupInput{progress: newProgress(io.Discard)}
	unchanged, err := d.watch([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	read := d.textsAgain([]string{path}, unchanged)
	got := map[uint64]string{}
	take := func(record uint64, text []byte) error {
		got[record] = string(text)
		return nil
	}
	if err := read(t.Context(), []uint64{0, 2}, take); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[uint64]string{0: "one", 2: "three"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	errStop := errors.New("stop")
	if err := read(t.Context(), []uint64{1}, func(uint64, []byte) error { return errStop }); !errors.Is(err, errStop) {
		t.Errorf("error %v, expected %v", err, errStop)
	}
	later := func() { // replace the file, as an editor does
		write(strings.Replace(lines, "three", "drei!", 1))
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	meanwhile := func(uint64, []byte) error {
		later()
		return nil
	}
	for _, take := range []func(uint64, []byte) error{meanwhile, take} { // in the second call, the file has changed before
		if err := read(t.Context(), []uint64{0}, take); err == nil || !strings.Contains(err.Error(), "texts.jsonl: it has changed since it was read first: run again") {
			t.Errorf("error %v", err)
		}
	}
}

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
		{"dedup-corpus", pipe(), "--out", filepath.Join(t.TempDir(), "out")},
	} {
		if code, stdout, stderr := execute(t, "", args...); code != exitFailed || stdout != "" || !strings.Contains(stderr, "which can be read twice") {
			t.Errorf("%s: exit code %d: %q %s", args, code, stdout, stderr)
		}
	}
}
