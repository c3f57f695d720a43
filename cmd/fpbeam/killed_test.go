package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A process that is killed leaves whole files or none, and the same command gives the rest.
func TestKilled(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	files := map[string]string{}
	for i := range 4 {
		var lines strings.Builder
		for j := range 400 {
			fmt.Fprintf(&lines, `{"id":"%d-%d","text":"`, i, j)
			for range 30 {
				fmt.Fprintf(&lines, "word%d ", random.IntN(20)*(j%7))
			}
			lines.WriteString("\"}\n")
		}
		files[fmt.Sprintf("in/%d.jsonl", i)] = lines.String()
	}
	inFolder(t, files)
	const line = "--in in --id id --out "
	if code, _, stderr := fpbeam(t, line+"whole"); code != 0 {
		t.Fatal(stderr)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// The test program is fpbeam itself: see TestMain. Where it is slow the first kills come before
	// it has begun, where it is fast the last find it gone; either way what is there is to be
	// whole.
	for n := range 12 {
		command := exec.Command(program, strings.Fields(line+"out")...)
		command.Env = append(os.Environ(), asProgram+"=1")
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		killed := time.AfterFunc(time.Duration(n)*40*time.Millisecond, func() { command.Process.Kill() })
		_ = command.Wait() // was killed, as a rule
		killed.Stop()
		whole(t, "out")
	}
	if code, _, stderr := fpbeam(t, line+"out"); code != 0 {
		t.Fatal(stderr)
	}
	if n := whole(t, "out"); n != len(files) {
		t.Errorf("%d files of attributes, expected %d", n, len(files))
	}
}

// whole holds the attributes below a folder to those of a run that was not killed, and returns how
// many files there are.
func whole(t *testing.T, folder string) (n int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("whole", filepath.Base(path)))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s after a kill: %d bytes, expected %d, %v", path, len(got), len(want), err)
		}
	}
	return len(paths)
}
