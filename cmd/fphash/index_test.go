package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"simhashkit/fphash/index/indexfile"
)

// streamed is a number of records that is larger than two batches.
const streamed = 25000

// smallIndex builds an index of one vector with a definition that is not the default.
func smallIndex(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.index")
	if code, _, stderr := execute(t, "1 77777777:1 # zero\n", "index", "build", path, "--hash", "md5"); code != exitSuccess {
		t.Fatal(stderr)
	}
	return path
}

func entriesIn(t *testing.T, path string) int {
	t.Helper()
	r, err := indexfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil {
		t.Fatal(err)
	}
	return info.Entries
}

// Records of all kinds are added and found batch by batch, with their ids and in their order.
func TestIndexStreams(t *testing.T) {
	var vectors, texts, answer strings.Builder
	for i := range streamed {
		fmt.Fprintf(&vectors, "1 %d:1\n", i+1)
		fmt.Fprintf(&texts, "word%d\n", i+1)
		fmt.Fprintf(&answer, "%d\t%d\t0\n", i+1, i+1)
	}
	inputs := map[string]string{"vectors": vectors.String(), "texts": texts.String()}
	for _, format := range formats {
		code, stdout, stderr := execute(t, vectors.String(), "sketch", "--hash", "md5", "--format", format)
		if code != exitSuccess {
			t.Fatal(stderr)
		}
		inputs[format] = stdout
	}
	for name, input := range inputs {
		t.Run(name, func(t *testing.T) {
			path := smallIndex(t)
			var flags []string
			if name == "texts" {
				flags = []string{"--documents", "lines"}
				path = filepath.Join(t.TempDir(), "texts.index")
				if code, _, stderr := execute(t, `{"id":"zero","text":"zero"}`, "index", "build", path, "--hash", "md5"); code != exitSuccess {
					t.Fatal(stderr)
				}
			}
			code, stdout, stderr := execute(t, input, append([]string{"index", "add", path}, flags...)...)
			if want := fmt.Sprintf("%d added; %d entries in the index\n", streamed, streamed+1); code != exitSuccess || stdout != want {
				t.Fatalf("exit code %d, %q, %q, expected %q", code, stdout, stderr, want)
			}
			code, stdout, stderr = execute(t, input, append([]string{"index", "query", path, "--k", "0"}, flags...)...)
			if code != exitSuccess || stdout != answer.String() {
				t.Errorf("exit code %d, %.200q, %q", code, stdout, stderr)
			}
		})
	}
}

// Entries added before an error stay in the index, and the error reports their number.
func TestIndexAddFailsInTheMiddle(t *testing.T) {
	fingerprint := func(i int) string { return fmt.Sprintf("%016x\tid%d\n", i+1, i) }
	for name, c := range map[string]struct {
		line, want string
	}{
		"a malformed line": {"what\n", "standard input:15001: expected a fingerprint"},
		"an id twice":      {fingerprint(3), `id "id3" is already in the index`},
	} {
		var input strings.Builder
		for i := range streamed {
			if i == 15000 {
				input.WriteString(c.line)
			}
			input.WriteString(fingerprint(i))
		}
		path := smallIndex(t)
		code, stdout, stderr := execute(t, input.String(), "index", "add", path)
		if code != exitFailed || stdout != "" || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, "; 10000 entries were added before that") {
			t.Errorf("%s: exit code %d, %q, %q", name, code, stdout, stderr)
		}
		if n := entriesIn(t, path); n != 10001 {
			t.Errorf("%s: %d entries, expected 10001", name, n)
		}
	}
}

// A flag that does not apply to the records is refused before any record is added.
func TestIndexAddRefusesFirst(t *testing.T) {
	var input strings.Builder
	for i := range streamed {
		fmt.Fprintf(&input, `{"id":%d,"fingerprint":"%016x"}`+"\n", i, i+1)
	}
	for _, c := range []struct{ flag, value, want string }{{"--seed", "3", "--seed"}, {"--bits", "32", "all have 32 bits"}, {"--weights", "unit", "--weights"}} {
		path := smallIndex(t)
		code, _, stderr := execute(t, input.String(), "index", "add", path, c.flag, c.value)
		if n := entriesIn(t, path); code != exitFailed || n != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s %s: exit code %d, %d entries, %q", c.flag, c.value, code, n, stderr)
		}
	}
}

// endless returns fingerprints with new ids without end, and makes a call after a number of bytes.
type endless struct {
	bytes.Buffer
	next, given, most int
	at                func() error
}

func (e *endless) Read(p []byte) (int, error) {
	if e.given >= e.most {
		if err := e.at(); err != nil {
			return 0, err
		}
	}
	for e.Len() < len(p) {
		e.next++
		fmt.Fprintf(e, "%016x\tid%d\n", e.next, e.next)
	}
	n, err := e.Buffer.Read(p)
	e.given += n
	return n, err
}

// An interrupt ends index add and index query. Entries added before stay in the index, and the
// error reports their number.
func TestInterruptedIndex(t *testing.T) {
	for _, command := range []string{"add", "query"} {
		path := smallIndex(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		input := &endless{most: 4 << 20, at: func() error { cancel(errInterrupted); return nil }}
		err := runContext(ctx, []string{"index", command, path}, input, io.Discard, io.Discard)
		if !errors.Is(err, errInterrupted) || exitCode(err, io.Discard) != exitFailed {
			t.Errorf("%s: error %v", command, err)
		}
		if command == "query" {
			continue
		}
		n := entriesIn(t, path) - 1
		if want := fmt.Sprintf("; %d entries were added before that", n); n < 10000 || !strings.HasSuffix(fmt.Sprint(err), want) {
			t.Errorf("%d entries, error %v", n, err)
		}
	}
}

// index query writes answers while it still reads queries.
func TestIndexQueryStreams(t *testing.T) {
	path := smallIndex(t)
	var written atomic.Int64
	stdout := writerFunc(func(p []byte) (int, error) {
		written.Add(int64(len(p)))
		return len(p), nil
	})
	before := int64(0)
	input := &endless{most: 4 << 20, at: func() error {
		before = written.Load()
		return io.EOF
	}}
	if err := runContext(t.Context(), []string{"index", "query", path, "--nearest", "1"}, input, stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	if before == 0 || before == written.Load() {
		t.Errorf("%d of %d bytes were written before the end of the input, expected some", before, written.Load())
	}
}

// No command reads an index as texts, also if only the beginning of the file is left. As an index,
// such a file is damaged.
func TestCutOffIndexIsNoText(t *testing.T) {
	whole, err := os.ReadFile(smallIndex(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("some.txt", []byte("some text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 7, 8, 100, len(whole) - 1} {
		if err := os.WriteFile("cut", whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range []string{
			"sketch cut", "sketch cut --charset latin1", "dedup cut --keep-going --charset latin1", "dedup cut", "dedup -",
			"index build new cut", "data frequencies cut", "dedup cut --run run",
		} {
			code, stdout, stderr := execute(t, string(whole[:n]), strings.Fields(args)...)
			if code != exitFailed || stdout != "" || !strings.Contains(stderr, "it looks like an index of fphash index build, which dedup --against and fphash index read\n") {
				t.Errorf("%d bytes: %s: exit code %d, %q, %s", n, args, code, stdout, stderr)
			}
		}
		for _, args := range []string{"dedup some.txt --against cut", "dedup some.txt --run run --against cut", "index query cut some.txt", "index info cut"} {
			code, _, stderr := execute(t, "", strings.Fields(args)...)
			if code != exitFailed || !strings.Contains(stderr, "cut: damaged at byte ") {
				t.Errorf("%d bytes: %s: exit code %d, %s", n, args, code, stderr)
			}
		}
	}
}
