package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree is a small folder with what may stand in the way.
var tree = map[string]string{
	"b.go":       "abcdefghij abcdefgh",
	"a/z.go":     "abcdefghij",
	"a/short.go": " 1234567 ",
	"a.txt":      "abcdefgh",
	"a-b/c.go":   strings.Repeat("aaaaaaaaa ", 3),
}

func writeTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range tree {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFilesByHand(t *testing.T) {
	root := writeTree(t)
	if err := os.Symlink("b.go", filepath.Join(root, "link.go")); err != nil {
		t.Log("no symbolic links here")
	}
	if err := os.Symlink("a", filepath.Join(root, "linked")); err != nil {
		t.Log("no symbolic links here")
	}
	got, err := filesOf[int64](t.Context(), root, fileChoice{suffix: ".go"})
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a-b/c.go", "a/short.go", "a/z.go", "b.go"}, got.IDs); diff != "" {
		t.Fatalf("-want +got\n%s", diff)
	}
	for i, want := range []map[string]int64{
		// "aaaaaaaaa aaaaaaaaa aaaaaaaaa": three runs of nine, so six windows of a alone
		{
			"aaaaaaaa": 6, "aaaaaaa ": 2, "aaaaaa a": 2, "aaaaa aa": 2, "aaaa aaa": 2, "aaa aaaa": 2, "aa aaaaa": 2, "a aaaaaa": 2, " aaaaaaa": 2,
		},
		{},
		{"abcdefgh": 1, "bcdefghi": 1, "cdefghij": 1},
		{
			"abcdefgh": 2, "bcdefghi": 1, "cdefghij": 1, "defghij ": 1, "efghij a": 1, "fghij ab": 1, "ghij abc": 1, "hij abcd": 1, "ij abcde": 1,
			"j abcdef": 1, " abcdefg": 1,
		},
	} {
		indices, weights := got.Row(i)
		if !strictlyAscending(indices) {
			t.Errorf("row %d is not in order", i)
		}
		counts := map[string]int64{}
		for f, index := range indices {
			counts[string(binary.LittleEndian.AppendUint64(nil, index))] = weights[f]
		}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Errorf("%s: -want +got\n%s", got.IDs[i], diff)
		}
	}
}

func TestSample(t *testing.T) {
	var paths []string
	for i := range 10 {
		paths = append(paths, fmt.Sprint(i))
	}
	all := strings.Join(paths, "")
	for sample, want := range map[int]string{-1: all, 0: all, 1: "0", 2: "05", 3: "048", 4: "0369", 5: "02468", 6: "02468", 9: "02468", 10: all, 11: all} {
		if got := strings.Join(everyNth(paths, sample), ""); got != want {
			t.Errorf("sample of %d: %s, want %s", sample, got, want)
		}
	}
}

func TestFilesErrors(t *testing.T) {
	root := writeTree(t)
	if _, err := filesOf[float32](t.Context(), filepath.Join(root, "none"), fileChoice{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
	// The first file in order is the one reported, however many fail at the same time.
	archive := filepath.Join(t.TempDir(), "x.tar")
	if err := os.WriteFile(archive, tarOf(t, true), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		_, err := filesOf[float32](t.Context(), root, fileChoice{maxBytes: 9})
		wantError(t, err, fmt.Sprintf("datasets: %s: larger than 9 bytes", filepath.Join(root, "a-b", "c.go")))
		_, err = filesOf[float32](t.Context(), archive, fileChoice{maxBytes: 9})
		wantError(t, err, fmt.Sprintf("datasets: %s: b.go: larger than 9 bytes", archive))
	}
	var seen []string
	got, err := filesOf[float32](t.Context(), root, fileChoice{maxBytes: 9, onError: func(err error) { seen = append(seen, err.Error()) }})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.txt", "a/short.go"}, got.IDs); diff != "" {
		t.Error(diff)
	}
	if len(seen) != 3 || !strings.Contains(seen[0], "c.go") || !strings.Contains(seen[1], "z.go") || !strings.Contains(seen[2], "b.go") {
		t.Errorf("errors %q", seen)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
}

func TestUnreadableFiles(t *testing.T) {
	root := writeTree(t)
	if err := os.Chmod(filepath.Join(root, "a", "z.go"), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(filepath.Join(root, "a", "z.go")); err == nil {
		f.Close()
		t.Skip("this user reads everything")
	}
	if _, err := filesOf[float32](t.Context(), root, fileChoice{}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v", err)
	}
}
