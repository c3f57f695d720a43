package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// An output must not replace the file that is standard input.
func TestStandardInputIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.svm")
	const text = "1 1:1 5:2\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var stdout, stderr bytes.Buffer
	code := exitCode(run([]string{"sketch", "--out", path}, file, &stdout, &stderr), &stderr)
	if code != exitFailed || !strings.Contains(stderr.String(), "same file as the input standard input") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
}

// An output must not replace an input through a file descriptor path or a second name.
func TestInputsByOtherNamesAreNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.svm")
	const text = "1 1:1 5:2\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, path+".link"); err != nil {
		t.Skip(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	opened := fmt.Sprintf("/dev/fd/%d", file.Fd())
	for _, names := range [][2]string{{path, opened}, {opened, path}, {path, path + ".link"}} {
		if _, err := os.Stat(opened); err != nil {
			continue // this system has no paths for open files
		}
		code, _, stderr := execute(t, "", "sketch", names[0], "--force", "--out", names[1])
		if code != exitFailed || !strings.Contains(stderr, "the same file as the input") {
			t.Errorf("%q: exit code %d: %s", names, code, stderr)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
}

// A read error fails at any position in a batch, so that a part is not mistaken for the whole. By
// then, a pipe has received the fingerprints of all vectors before the error.
func TestReadErrorsAreNotLost(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct{ args, line string }{
		{"sketch --weights unit", "1 3:1 4:1\n"},
		{"sketch --weights i32", "1 3:1 4:1\n"},
		{"sketch --weights i64 --keep-going", "1 3:1 4:1\n"},
		{"sketch --weights f32", "1 3:1 4:1\n"},
		{"sketch --weights f64", "1 3:1 4:1\n"},
		{"sketch --documents lines", "a text\n"},
		{"sketch --documents lines --keep-going", "a text\n"},
		{"dedup", "1 3:1 4:1\n"},
		{"dedup --keep-going", "1 3:1 4:1\n"},
		{"dedup --k 3 --bits 64", "00000000000000ff\tone\n"},
		{"dedup --documents lines", "a text\n"},
		{"blocks", "00000000000000ff\tone\n"},
		{"pairs --links", "0:00ff\t00000000000000ff\tone\n"},
		{"clusters", "one\ttwo\t1\n"},
	} {
		for _, n := range []int{1, batchVectors - 1, batchVectors, batchVectors + 1, 2 * batchVectors} {
			var out strings.Builder
			input := io.MultiReader(strings.NewReader(strings.Repeat(c.line, n)), iotest.ErrReader(broken))
			err := run(strings.Fields(c.args), input, &out, io.Discard)
			if !errors.Is(err, broken) || exitCode(err, io.Discard) != exitFailed {
				t.Errorf("%s, broken after %d lines: %v", c.args, n, err)
			}
			if lines := strings.Count(out.String(), "\n"); strings.HasPrefix(c.args, "sketch --weights") && lines != n {
				t.Errorf("%s, broken after %d lines: %d fingerprints", c.args, n, lines)
			}
		}
	}
}

// A single line that is left out makes the answer no, regardless of the number of valid lines.
func TestOneBadLineIsNo(t *testing.T) {
	for _, c := range []struct{ args, good, bad string }{
		{"sketch --keep-going", "1 3:1 4:1\n", "1 3:x\n"},
		{"sketch --keep-going --weights unit", "1 3:1 4:1\n", "1 3:x\n"},
		{"dedup --keep-going", "1 3:1 4:1\n", "1 3:x\n"},
		{"sketch --text t --keep-going", `{"t":"a text"}` + "\n", "{\n"},
		{"dedup --text t --keep-going", `{"t":"a text"}` + "\n", "{\n"},
	} {
		for n, input := range map[string]string{"alone": c.good + c.bad, "among many": strings.Repeat(c.good, 5000) + c.bad + c.good, "none": c.good} {
			code, _, stderr := execute(t, input, strings.Fields(c.args)...)
			want := exitNo
			if n == "none" {
				want = exitSuccess
			}
			if code != want || want == exitNo && !strings.Contains(stderr, " was left out") {
				t.Errorf("%s, %s: exit code %d, expected %d: %q", c.args, n, code, want, stderr)
			}
		}
	}
}

// An id that a read error truncates is not deleted, even if an entry has the truncated id. The
// truncated id would be the last of a batch of 10,000.
func TestTornIDsAreNotDeleted(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, stderr := execute(t, "00000000000000ff\t1\n00000000000000ff\t12\n", "index", "build", "a.index"); code != exitSuccess {
		t.Fatal(stderr)
	}
	broken := errors.New("broken")
	input := io.MultiReader(strings.NewReader(strings.Repeat("0\n", 9999)+"1"), iotest.ErrReader(broken))
	if err := run([]string{"index", "delete", "a.index"}, input, io.Discard, io.Discard); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if code, stdout, stderr := execute(t, "1\n12\n", "index", "delete", "a.index"); code != exitSuccess || !strings.HasPrefix(stdout, "2 of 2 deleted") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

// A process that is killed while it writes leaves a temporary file, which the next one names.
func TestUnfinishedOutputIsNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	c := ownProcess(t, "sketch", "--documents", "lines", "--out", "out.tsv")
	stdin, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(stdin, strings.Repeat("a text\n", 256<<10)); err != nil {
		t.Fatal(err)
	}
	var left []string
	for begun := time.Now(); len(left) == 0; left, _ = filepath.Glob(".out.tsv.*.tmp") {
		if time.Since(begun) > time.Minute {
			t.Fatal("no temporary file after a minute")
		}
		time.Sleep(time.Millisecond)
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	stdin.Close()
	want := "fphash: " + left[0] + " is unfinished output; delete it, unless another process is writing out.tsv now\n"
	if code, _, stderr := execute(t, "a text\n", "sketch", "--out", "out.tsv"); code != exitSuccess || stderr != want {
		t.Errorf("exit code %d, %q, want %q", code, stderr, want)
	}
	if err := os.Remove(left[0]); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := execute(t, "a text\n", "sketch", "--out", "out.tsv", "--force"); code != exitSuccess || stderr != "" {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// longLine writes a compressed file with one vector of this many bytes, whose features all have the
// same index.
func longLine(t *testing.T, bytes int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "long.svm.gz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := gzip.NewWriterLevel(file, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	const feature = " 1:1"
	some := strings.Repeat(feature, megabyte/len(feature))
	_, err = io.WriteString(w, "1")
	for left := (bytes - 1) / len(feature) * len(feature); left > 0 && err == nil; left -= min(left, len(some)) {
		_, err = io.WriteString(w, some[:min(left, len(some))])
	}
	if err := errors.Join(err, w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// A small compressed file with a very long line is refused without using much memory. The longest
// line that is accepted by default takes no more memory than the help says.
func TestMaxLineBoundsMemory(t *testing.T) {
	needsLimits(t)
	const most = 40*16*megabyte + 300*megabyte // plus the memory of the program itself
	tooLong, longest := longLine(t, 256*megabyte), longLine(t, 16*megabyte)
	for _, command := range [][]string{{"data", "info"}, {"sketch"}} {
		code, _, stderr := limited(t, 250*megabyte, append(command, tooLong)...)
		if code != exitFailed || !strings.Contains(stderr, ":1:1: expected a line of at most 16777216 bytes") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s, a line of 256 MiB: exit code %d, %.500s", command, code, stderr)
		}
		code, stdout, stderr := limited(t, most, append(command, longest)...)
		if code != exitSuccess || stdout == "" {
			t.Errorf("%s, a line of 16 MiB: exit code %d, %.500s", command, code, stderr)
		}
	}
	// The limit is effective: the Go runtime crashes. Its message depends on whether an allocation
	// or a thread fails first.
	code, _, stderr := limited(t, most, "data", "info", "--max-line", "256", tooLong)
	if code == exitSuccess || strings.Contains(stderr, "fphash: ") {
		t.Errorf("with a greater --max-line: exit code %d, %.500s", code, stderr)
	}
}

// The Go runtime replaces a closed standard output by /dev/null, where writing succeeds. Lost
// results are reported.
func TestClosedStandardOutput(t *testing.T) {
	if _, err := os.Stat("/proc/self/fdinfo"); err != nil {
		t.Skip("only Linux lists the flags of descriptors")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in.txt", []byte("a text\na text\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for redirection, want := range map[string]string{">&-": "fphash: standard output is closed or /dev/null: 2 bytes were discarded\n", ">/dev/null": "", ">list": ""} {
		c := ownProcess(t, "-c", `exec "$0" dedup in.txt --list drop `+redirection)
		c.Args = slices.Insert(c.Args[1:], 0, "sh")
		c.Args = append(c.Args, c.Path)
		c.Path = "/bin/sh"
		var stderr strings.Builder
		c.Stderr = &stderr
		if err := c.Run(); err != nil || !strings.HasSuffix(stderr.String(), want) || want == "" && strings.Contains(stderr.String(), "discarded") {
			t.Errorf("%s: %v, %s, want %q", redirection, err, stderr.String(), want)
		}
	}
}

// Programs look up the ids in CSV elsewhere. Therefore ids are written unchanged, even if a
// spreadsheet would treat them as formulas, and are read back unchanged.
func TestIDsOfCSVStayAsTheyAre(t *testing.T) {
	ids := []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", `="a""b",c`}
	var input strings.Builder
	for i, id := range ids {
		line, err := json.Marshal(map[string]string{"id": id, "text": strings.Repeat(string(rune('a'+i)), 20) + " text"})
		if err != nil {
			t.Fatal(err)
		}
		input.Write(append(line, '\n'))
	}
	code, sketched, stderr := execute(t, input.String(), "sketch", "--id", "id", "--format", "jsonl")
	if code != exitSuccess {
		t.Fatal(stderr)
	}
	code, kept, stderr := execute(t, sketched, "dedup", "--k", "0", "--list", "keep", "--format", "csv")
	if code != exitSuccess {
		t.Fatal(stderr)
	}
	rows, err := csv.NewReader(strings.NewReader(kept)).ReadAll()
	if err != nil || len(rows) != len(ids)+1 {
		t.Fatalf("%v\n%s", err, kept)
	}
	for i, id := range ids {
		if got := rows[i+1][0]; got != id {
			t.Errorf("the id is %q, want %q", got, id)
		}
	}
}

// Every command names a document whose id is empty by its number, even if documents in a later
// batch have ids.
func TestEmptyIDsAreMadeUp(t *testing.T) {
	var texts, want strings.Builder
	for i := range 5000 {
		id, number := "", fmt.Sprintf("#%d", i+1)
		if i == 4998 {
			id, number = "x", "x"
		}
		fmt.Fprintf(&texts, `{"id":"%s","text":"a%d b%d c%d d%d"}`+"\n", id, i, i, i, i)
		want.WriteString(number + "\n")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "texts.jsonl")
	if err := os.WriteFile(path, []byte(texts.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	ids := func(text string) string {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column := slices.Index(rows[0], "id")
		var all strings.Builder
		for _, row := range rows[1:] {
			all.WriteString(row[column] + "\n")
		}
		return all.String()
	}
	for _, command := range [][]string{
		{"dedup", path, "--id", "id", "--list", "keep", "--format", "csv"},
		{"dedup", path, "--id", "id", "--format", "csv", "--run", filepath.Join(folder, "out")},
	} {
		code, stdout, stderr := execute(t, "", command...)
		if code != exitSuccess {
			t.Fatal(stderr)
		}
		if slices.Contains(command, "--run") {
			attributes, err := os.ReadFile(filepath.Join(folder, "out", "texts.jsonl.csv"))
			if err != nil {
				t.Fatal(err)
			}
			stdout = string(attributes)
		}
		if got := ids(stdout); got != want.String() {
			t.Errorf("%s: ids %.60q … %.60q", command[0], got, got[max(0, len(got)-60):])
		}
	}
}
