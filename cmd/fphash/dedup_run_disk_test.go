package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mounted returns a folder on a small file system that it mounts.
func mounted(t *testing.T, options string) string {
	t.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("only root can mount a small disk, and only on Linux")
	}
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if err := exec.Command("umount", folder).Run(); err != nil {
			t.Error(err)
		}
	})
	return folder
}

func remount(t *testing.T, folder, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// If the disk is full at any stage, the error names the file, and no half-written file remains.
// With more space, the same command completes the run with the same outputs as elsewhere.
func TestFullDiskUnderACorpus(t *testing.T) {
	files := map[string]string{}
	for i := range 3 {
		var text strings.Builder
		for j := range 2000 {
			for word := range 10 { // so many words that few documents are candidates
				fmt.Fprintf(&text, "f%dn%d ", i, (j+1)*(7+word*word)%(1009+2*word))
			}
			fmt.Fprintf(&text, "%d\n", j)
		}
		files[fmt.Sprintf("%d.txt", i)] = text.String()
	}
	in, whole := corpusOf(t, files), filepath.Join(t.TempDir(), "whole")
	args := func(out string, more ...string) []string {
		return append([]string{"dedup", in, "--documents", "lines", "--run", out, "--remove", out + "/kept"}, more...)
	}
	if code, _, stderr := execute(t, "", args(whole)...); code != exitSuccess {
		t.Fatal(stderr)
	}
	for name, c := range map[string]struct {
		room string
		more []string
		want string
	}{
		"fingerprints":    {"24k", nil, "fphash-run"},
		"temporary files": {"200k", []string{"--memory", "1KiB"}, "fingerprints of more documents than 1KiB of memory can compare need some 48 bytes each on disk"},
		"attributes":      {"200k", nil, ".txt.jsonl"},
		"Parquet":         {"190k", []string{"--format", "parquet"}, ".txt.parquet"},
		"kept":            {"1100k", nil, "kept/"},
	} {
		t.Run(name, func(t *testing.T) {
			out := mounted(t, "size="+c.room)
			code, _, stderr := execute(t, "", args(out, c.more...)...)
			if code != exitFailed || !strings.Contains(stderr, "no space left on device") || !strings.Contains(stderr, out) || !strings.Contains(stderr, c.want) {
				t.Errorf("exit code %d: %q, want %q", code, stderr, c.want)
			}
			for _, file := range filesBelow(t, out) {
				if strings.HasSuffix(file, ".tmp") {
					t.Errorf("%s is left", file)
				}
			}
			remount(t, out, "size=8m")
			if code, _, stderr := execute(t, "", args(out)...); code != exitSuccess {
				t.Error(stderr)
			}
			want, got := filesAndText(t, whole), filesAndText(t, out)
			maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasSuffix(name, ".parquet") })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got\n%.2000s", diff)
			}
		})
	}
}

// A read-only folder is an error before any document is read.
func TestReadOnlyFolderUnderACorpus(t *testing.T) {
	in, out := corpusOf(t, map[string]string{"a.jsonl": "no JSON"}), mounted(t, "size=1m,ro")
	code, _, stderr := execute(t, "", "dedup", in, "--run", out)
	if code != exitFailed || !strings.Contains(stderr, "read-only file system") || !strings.Contains(stderr, out) {
		t.Errorf("exit code %d: %q", code, stderr)
	}
}
