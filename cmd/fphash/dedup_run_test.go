package main

import (
	"errors"
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
)

// A run is killed at several points. Repeating the command then gives the same files as an
// undisturbed run.
func TestKilledRunIsTakenUp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be killed in this way on this system")
	}
	folder := t.TempDir()
	in := filepath.Join(folder, "in")
	if err := os.Mkdir(in, 0o777); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_000_000_000, 0) // all files have the same time, so that runs on copies are equal
	for i := range 12 {
		var text strings.Builder
		for j := range 100 {
			fmt.Fprintf(&text, "document %d of file %d has the words number%d and number%d\n", j%90, i%9, j*7%13, i*5%11)
		}
		path := filepath.Join(in, fmt.Sprintf("%02d.txt", i))
		if err := errors.Join(os.WriteFile(path, []byte(text.String()), 0o666), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	command := func(out string) *exec.Cmd {
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(program, "dedup", in, "--documents", "lines", "--memory", "20KiB", "--run", out+"/out", "--remove", out+"/kept")
		c.Env, c.Stdout, c.Stderr = append(os.Environ(), asProgram+"=1"), io.Discard, io.Discard
		return c
	}
	whole := filepath.Join(folder, "whole")
	if err := command(whole).Run(); err != nil {
		t.Fatal(err)
	}
	killed := 0
	for i, awaited := range []string{"out/fphash-run/03.txt.fingerprints.zst", "out/fphash-run/11.txt.fingerprints.zst", "out/00.txt.jsonl", "out/08.txt.jsonl", "kept/02.txt", "kept/10.txt"} {
		out := filepath.Join(folder, fmt.Sprint(i))
		c := command(out)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		for waiting := true; waiting; {
			select {
			case err := <-ended:
				t.Logf("the run ended before it was killed: %v", err)
				waiting = false
			case <-time.After(time.Millisecond / 4):
				if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(awaited))); err == nil {
					waiting = false
					if c.Process.Kill() == nil {
						killed++
					}
					<-ended
				}
			}
		}
		if err := command(out).Run(); err != nil {
			t.Errorf("killed at %s: %v", awaited, err)
		}
		if diff := cmp.Diff(filesAndText(t, whole), filesAndText(t, out)); diff != "" {
			t.Errorf("killed at %s: -want +got\n%s", awaited, diff)
		}
	}
	t.Logf("%d of 6 runs were killed", killed)
}

// filesAndText returns the contents of the files below a folder by name. It omits notes, since they
// contain the time.
func filesAndText(t *testing.T, folder string) map[string]string {
	files := map[string]string{}
	for _, name := range filesBelow(t, folder) {
		if strings.HasSuffix(name, "/written.log") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}
