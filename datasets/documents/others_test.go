package documents

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"simhashkit/internal/testing/tools"
)

// Files from other writers, created by testdata/make.py, are read exactly.
func TestFilesOfOthers(t *testing.T) {
	checkFiles(t, "testdata")
}

// Files from the installed versions of these writers are read exactly.
func TestFilesOfOthersMadeAnew(t *testing.T) {
	folder := t.TempDir()
	tools.Python(t, []string{"pandas", "duckdb"}, filepath.Join("testdata", "make.py"), folder)
	checkFiles(t, folder)
}

func checkFiles(t *testing.T, folder string) {
	t.Helper()
	want := "1=plain \"quoted\", a/b\nb=\né=two\nlines\tand \U0001f600 \u2028 美国\n4= spaces \\ 'x' \n"
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(paths) < 8 {
		t.Fatalf("%q, %v", paths, err)
	}
	for _, path := range paths {
		if filepath.Ext(path) == ".py" {
			continue
		}
		r, err := Open(t.Context(), path, Options{ID: "id"})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		var d Document
		for err == nil {
			if err = r.Read(&d); err == nil {
				got += fmt.Sprintf("%s=%s\n", d.ID, d.Text)
			}
		}
		if err != io.EOF || got != want {
			t.Errorf("%s: %q, expected %q, %v", path, got, want, err)
		}
		r.Close()
		checkCopy(t, path)
	}
}

// checkCopy compares a file with a copy of all its records.
func checkCopy(t *testing.T, path string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	if err := CopyKept(t.Context(), path, out, Options{ID: "id"}, func(int) bool { return true }); err != nil {
		t.Fatal(err)
	}
	copied, err := os.ReadFile(out)
	if err != nil || string(copied) != contents(t, path) {
		t.Errorf("%s is copied as %q, %v", path, copied, err)
	}
}
