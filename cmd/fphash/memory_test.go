package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
)

const megabyte = 1 << 20

// limited runs the program under a memory limit of the system, and returns its exit code and
// output.
func limited(t *testing.T, limit int, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	own := ownProcess(t, args...)
	// The limit is on the data of a process. It includes the stacks of threads, of which Go starts
	// more on a busy machine, but not the large address space that Go only reserves.
	c := exec.Command("sh", append([]string{"-c", `ulimit -S -s 1024 && ulimit -d "$0" && exec "$@"`, strconv.Itoa(limit / 1024)}, own.Args...)...)
	var out, errs bytes.Buffer
	c.Env, c.Stdout, c.Stderr = append(own.Env, "GOMAXPROCS=2"), &out, &errs // each thread takes memory
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

// needsLimits skips the test if memory cannot be limited, or if the race detector needs more of it.
func needsLimits(t *testing.T) {
	t.Helper()
	long.Skip(t, "reads some hundred megabytes")
	if runtime.GOOS != "linux" || strconv.IntSize < 64 {
		t.Skip("memory can be limited only on 64-bit Linux")
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-race" && s.Value == "true" {
				t.Skip("the race detector needs additional memory")
			}
		}
	}
}

// The memory use of data info does not grow with the number of equal vectors.
func TestDataInfoTakesBoundedMemory(t *testing.T) {
	needsLimits(t)
	path := filepath.Join(t.TempDir(), "many.svm")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const rows = 1_500_000
	var line []byte
	var text bytes.Buffer
	for i := range rows {
		line = fmt.Appendf(line[:0], "1 %d:1 %d:0.5 %d:2\n", i%1000, 1000+i%2011, 10_000+i)
		text.Write(line)
		if text.Len() > megabyte || i == rows-1 {
			if _, err := text.WriteTo(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := limited(t, 250*megabyte, "data", "info", path)
	for _, want := range []string{"rows                                1500000\n", "exact duplicates of an earlier row  0\n", "distinct indices                    1503011\n"} {
		if code != exitSuccess || !strings.Contains(stdout, want) {
			t.Errorf("exit code %d, %q, %.500s; expected %q", code, stdout, stderr, want)
		}
	}
}

// In each format, a record takes at most five times its size in memory, in addition to the memory
// of the program. Only one of several records is in memory at a time.
func TestLongRecordsTakeBoundedMemory(t *testing.T) {
	needsLimits(t)
	const size = 32 * megabyte
	record := strings.Repeat("some of the words, être; ", size/26)
	list := filepath.Join(t.TempDir(), "weights.tsv")
	if err := os.WriteFile(list, []byte("words\t2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, content string
		documents     int
		args          []string
	}{
		{"a.txt", strings.Repeat(record+"\n", 3) + "a short line\n", 4, []string{"--documents", "lines", "--features", "words"}},
		{"fold.txt", record + "\n", 1, []string{"--documents", "lines", "--features", "words,n=2,fold"}},
		{"hand.txt", record + "\n", 1, []string{"--documents", "lines", "--features", "words", "--word-weights", list}},
		{"bytes.txt", record + "\n", 1, []string{"--documents", "lines", "--features", "bytes"}},
		{"a.jsonl", `{"text":"` + record + `"}` + "\n" + `{"text":"\n` + record + `"}` + "\n", 2, []string{"--text", "text", "--features", "words"}},
		{"a.text", record, 1, []string{"--documents", "files", "--features", "words"}},
	} {
		path := filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := limited(t, 100*megabyte+5*size, append([]string{"sketch", path}, c.args...)...)
		if code != exitSuccess || strings.Count(stdout, "\n") != c.documents {
			t.Errorf("%s, %q: exit code %d, %q, %.500s; expected %d fingerprints", c.file, c.args, code, stdout, stderr, c.documents)
		}
	}
}
