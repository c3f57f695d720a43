package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/testing/long"
)

// corpusOf writes files and returns their folder.
func corpusOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "in")
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// packed returns gzip data of lines, each of which is a different document.
func packed(lines int) string {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	for i := range lines {
		fmt.Fprintf(w, `{"text":"document %d of %d"}`+"\n", i*i, i)
	}
	w.Close()
	return buf.String()
}

// An error in an input names its position, and no half-written file remains. With --keep-going, bad
// records are left out if that is possible.
func TestBadInputs(t *testing.T) {
	whole := packed(20_000)
	const good = `{"text":"good"}` + "\n"
	for name, c := range map[string]struct {
		file, text string
		want       string
		leaveOut   bool // only one record is bad
	}{
		"damaged in the middle": {"b.jsonl.gz", whole[:len(whole)/2] + strings.Repeat("\xff", 64) + whole[len(whole)/2+64:], "b.jsonl.gz:", false},
		"cut in the middle":     {"b.jsonl.gz", whole[:len(whole)/2], "b.jsonl.gz: after line ", false},
		"invalid UTF-8":         {"b.jsonl", good + "{\"text\":\"bad \xff\"}\n" + good, "b.jsonl:2:14: expected UTF-8 text", true},
		"a number for a text":   {"b.jsonl", good + `{"text":17}` + "\n" + good, `b.jsonl:2:9: expected a string in the field "text"`, true},
		"a list for an object":  {"b.jsonl", good + `["bad"]` + "\n" + good, "b.jsonl:2:1: expected ", true},
		"no end":                {"b.jsonl", good + `{"text":"bad`, "b.jsonl:2:", true},
		"too few cells":         {"b.csv", "id,text\n1,good\n2\n3,good\n", "b.csv:3:", true},
		"no such column":        {"b.csv", "id,txt\n1,good\n", `expected a column "text"`, false},
		"another format":        {"b.jsonl", "%PDF-1.7\n%more", "it looks like a PDF", false},
	} {
		t.Run(name, func(t *testing.T) {
			in, out := corpusOf(t, map[string]string{"a.jsonl": good, c.file: c.text}), filepath.Join(t.TempDir(), "out")
			args := []string{"dedup", in, "--text", "text", "--run", out, "--remove", out + "-kept"}
			code, stdout, stderr := execute(t, "", args...)
			if code != exitFailed || stdout != "" || !strings.Contains(stderr, c.want) {
				t.Errorf("exit code %d: %q %q, want %q", code, stdout, stderr, c.want)
			}
			// damaged bytes may decompress to an apparently bad record before the checksum is
			// checked
			if name != "damaged in the middle" && strings.Contains(stderr, "--keep-going reports such documents and leaves them out") != c.leaveOut {
				t.Errorf("--keep-going where it would help: %q", stderr)
			}
			want := []string{"fphash-run/a.jsonl.fingerprints.zst", "fphash-run/lock"}
			if strings.Contains(stderr, "--remove: ") { // the error is found before any work
				want = nil
			}
			if diff := cmp.Diff(want, filesIfAny(t, out)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			args = append(args, "--keep-going") // continues with the fingerprints of the first run
			code, _, stderr = execute(t, "", args...)
			if wantCode := map[bool]int{true: exitNo, false: exitFailed}[c.leaveOut]; code != wantCode || !strings.Contains(stderr, c.want) {
				t.Errorf("with --keep-going: exit code %d: %q", code, stderr)
			}
			if !c.leaveOut {
				return
			}
			const before = "1 document was left out, 1 by an earlier run, which reported it"
			if code, _, stderr = execute(t, "", args...); code != exitNo || !strings.Contains(stderr, before) {
				t.Errorf("once more: exit code %d: %q, want %q", code, stderr, before)
			}
		})
	}
}

// filesIfAny returns the files below a folder, or none if the folder does not exist.
func filesIfAny(t *testing.T, folder string) []string {
	if _, err := os.Stat(folder); err != nil {
		return nil
	}
	return filesBelow(t, folder)
}

// A corpus without documents, or with only empty ones, prints a message and does not crash.
func TestEmptyCorpus(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		code  int
		want  string
	}{
		"no documents":    {map[string]string{"a.jsonl": ""}, exitFailed, "no documents in "},
		"no folder":       {nil, exitFailed, "no such file or directory"},
		"empty documents": {map[string]string{"a.jsonl": "{\"text\":\"\"}\n{\"text\":\"\"}\n"}, exitSuccess, "2 documents have no fingerprint (empty) and are kept"},
	} {
		out := t.TempDir()
		code, stdout, stderr := execute(t, "", "dedup", corpusOf(t, c.files), "--text", "text", "--run", out)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d: %q %q, want %q", name, code, stdout, stderr, c.want)
		}
	}
}

// A line of 100 MB is a valid document. The memory that it takes is bounded by its length: its
// words are numbers of 8 bytes.
func TestLongLineOfACorpus(t *testing.T) {
	long.Skip(t, "reads 100 MB")
	in, out := corpusOf(t, map[string]string{"a.txt": strings.Repeat("word after word ", 100<<20/16) + "\nword after word\n"}), t.TempDir()
	peak := peakOf(t, "dedup", in, "--documents", "lines", "--run", out)
	t.Logf("%d bytes", peak)
	text, err := os.ReadFile(filepath.Join(out, "a.txt.jsonl"))
	if err != nil || strings.Count(string(text), "\n") != 2 {
		t.Errorf("%q, error %v", text, err)
	}
	if most := int64(9 * 100 << 20); peak > most {
		t.Errorf("%d bytes, expected %d at most", peak, most)
	}
}

// Memory use grows only by a few bytes per document when there are five times as many documents.
func TestMemoryOfACorpus(t *testing.T) {
	long.Skip(t, "reads 60 MB")
	var peaks []int64
	for _, n := range []int{40_000, 200_000} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "%s %d\n", strings.Repeat("some more words ", 15), i*i)
		}
		in, out := corpusOf(t, map[string]string{"a.txt": text.String()}), t.TempDir()
		peaks = append(peaks, peakOf(t, "dedup", in, "--documents", "lines", "--workers", "2", "--run", out))
	}
	t.Logf("%d bytes", peaks)
	if most := peaks[0] + 160_000*200 + 32<<20; peaks[1] > most {
		t.Errorf("peaks of %d bytes, expected %d at most for the second", peaks, most)
	}
}

// peakOf runs the program and returns its peak memory use.
func peakOf(t *testing.T, args ...string) int64 {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the peak memory use is known only on Linux")
	}
	c := ownProcess(t, args...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for peak := int64(0); ; {
		// the peak that the system reports for an ended process includes the process that started
		// it
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if _, after, ok := strings.Cut(string(status), "VmHWM:"); ok {
			var kilobytes int64
			if _, err := fmt.Sscan(after, &kilobytes); err != nil {
				t.Fatal(err)
			}
			peak = max(peak, kilobytes*1024)
		}
		select {
		case err := <-ended:
			if err != nil || peak == 0 {
				t.Fatalf("%v: %s", err, &stderr)
			}
			return peak
		case <-time.After(time.Millisecond):
		}
	}
}

// ownProcess returns a command that runs the program in a new process.
func ownProcess(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, args...)
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), asProgram+"=1"), io.Discard, io.Discard
	return c
}
