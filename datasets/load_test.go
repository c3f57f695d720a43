package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGoSource(t *testing.T) {
	root, err := goTree(t.Context())
	if errors.Is(err, ErrNoGoTree) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := Load[float32](t.Context(), GoSourceName, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	if set.Len() < 300 || set.Len() > goSourceSample {
		t.Errorf("%d files, %d wanted", set.Len(), goSourceSample)
	}
	for i, id := range set.IDs {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(id)))
		if err != nil || !strings.HasSuffix(id, ".go") {
			t.Fatalf("%s: %v", id, err)
		}
		_, weights := set.Row(i)
		total := float32(0)
		for _, w := range weights {
			total += w
		}
		if windows := len(AppendWindows(nil, text)); total != float32(windows) {
			t.Errorf("%s: weights come to %v, %d windows", id, total, windows)
		}
	}
}

func TestNogoTree(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("GOROOT", t.TempDir())
	if _, _, err := Load[float32](t.Context(), "go-source", ReadOptions{}); !errors.Is(err, ErrNoGoTree) {
		t.Errorf("got %v", err)
	}
	// Without the go tool, the variable will do.
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "src", "fmt"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"VERSION": "go1.99\ntime 2030\n", "src/fmt/a.go": "package fmt", "src/fmt/a.s": "ignored too"} {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOROOT", root)
	set, description, err := Load[int32](t.Context(), "go-source", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"src/fmt/a.go"}, set.IDs); diff != "" {
		t.Error(diff)
	}
	if want := "8-byte windows of the .go files of go1.99, every k-th by path: 1 vectors, 4 features"; description != want {
		t.Errorf("got %q, want %q", description, want)
	}
}

func TestLoad(t *testing.T) {
	root := writeTree(t)
	path := filepath.Join(t.TempDir(), "x.svm")
	if err := os.WriteFile(path, []byte("1 3:2 3:2 4:1\n2 x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := Load[float32](t.Context(), path, ReadOptions{})
	wantError(t, err, path+`:2:3: expected index:value, got "x"`)
	var seen []error
	keep := ReadOptions{Base: 1, OnError: func(err error) { seen = append(seen, err) }}
	set, description, err := Load[float32](t.Context(), path, keep)
	want := CSR[float32]{Offsets: []int{0, 2}, Indices: []uint64{2, 3}, Weights: []float32{4, 1}, Labels: []string{"1"}}
	if err != nil || !cmp.Equal(want, set) || len(seen) != 1 {
		t.Errorf("%+v, %v, %v", set, err, seen)
	}
	if want := "svmlight file " + path + ": 1 vectors, 2 features"; description != want {
		t.Errorf("got %q, want %q", description, want)
	}
	keep.Unit = true
	if set, _, err = Load[float32](t.Context(), path, keep); err != nil || set.Weights != nil || !cmp.Equal([]uint64{2, 2, 3}, set.Indices) {
		t.Errorf("unit: %+v, %v", set, err)
	}
	_, _, err = Load[float32](t.Context(), path, ReadOptions{MaxLine: 5})
	wantError(t, err, path+`:1:1: expected a line of at most 5 bytes, got "1 3:2 3:2 4:1"`)

	set, description, err = Load[float32](t.Context(), "files:"+root, ReadOptions{Unit: true})
	if err != nil || set.Weights != nil || set.Len() != 5 || set.IDs[1] != "a.txt" || !slices.Contains(set.Indices, window("abcdefgh")) {
		t.Errorf("files: %+v, %v", set, err)
	}
	if want := fmt.Sprintf("8-byte windows of the files of %s: 5 vectors, %d features", root, set.NNZ()); description != want {
		t.Errorf("got %q, want %q", description, want)
	}
	_, _, err = Load[float32](t.Context(), "", ReadOptions{})
	wantError(t, err, "datasets: no data set named")
}

// What is no path of an svmlight file is what Load makes vectors of.
func TestIsFile(t *testing.T) {
	for name, want := range map[string]bool{"": false, "go-source": false, "files:x": false, "x.svm": true, "./go-source": true, "./files:x": true} {
		if IsFile(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
