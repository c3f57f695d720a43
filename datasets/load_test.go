package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	set, _, err := Load[float32](t.Context(), goSourceName, ReadOptions{})
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
		collapsed := bytes.Join(bytes.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) }), []byte(" "))
		if shingles := max(0, len(collapsed)-7); total != float32(shingles) {
			t.Errorf("%s: weights come to %v, %d shingles", id, total, shingles)
		}
	}
}

func TestNogoTree(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("GOROOT", t.TempDir())
	if _, _, err := Load[float32](t.Context(), "go-source", ReadOptions{}); !errors.Is(err, ErrNoGoTree) {
		t.Errorf("got %v", err)
	}
	// Without the go tool, the environment variable is enough.
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
	path := filepath.Join(t.TempDir(), "x.svm")
	if err := os.WriteFile(path, []byte("1 3:2 3:2 4:1\n2 x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := Load[float32](t.Context(), path, ReadOptions{})
	wantError(t, err, path+`:2:3: expected index:value, got "x"`)
	var seen []error
	keep := ReadOptions{Base: 1, OnError: func(err error) { seen = append(seen, err) }}
	set, description, err := Load[float32](t.Context(), path, keep)
	want := CSR[float32]{Offsets: []int{0, 2}, Indices: []uint64{2, 3}, Weights: []float32{4, 1}}
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

	_, _, err = Load[float32](t.Context(), "", ReadOptions{})
	wantError(t, err, "datasets: no data set named")
}

func TestSample(t *testing.T) {
	var paths []string
	for i := range 10 {
		paths = append(paths, fmt.Sprint(i))
	}
	all := strings.Join(paths, "")
	for sample, want := range map[int]string{1: "0", 2: "05", 3: "048", 4: "0369", 5: "02468", 6: "02468", 9: "02468", 10: all, 11: all} {
		if got := strings.Join(everyNth(paths, sample), ""); got != want {
			t.Errorf("sample of %d: %s, want %s", sample, got, want)
		}
	}
}
