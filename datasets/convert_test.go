package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a file of vectors is described by as it is read is what is said of it in memory.
func TestDescribe(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"weighted.svm": "1 3:0.5 7:2\n2 1:1\n-1\n1 7:2 3:0.5 # id\n",
		"ones.vw":      "1 'a| 3 7\n2 'b| 7 3\n",
		"pattern.mtx":  "%%MatrixMarket matrix coordinate pattern general\n3 4 3\n1 1\n1 4\n3 2\n",
		"empty.svm":    "# nothing\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, unit := range []bool{false, true} {
			set, description, err := Load[float64](t.Context(), path, ReadOptions{Unit: unit})
			if err != nil {
				t.Fatal(err)
			}
			got, said, err := Describe[float64](t.Context(), path, ReadOptions{Unit: unit})
			if diff := cmp.Diff(describe(t, &set), got); err != nil || said != description || diff != "" {
				t.Errorf("%s, unit %v: %q, %v, expected %q (-want +got):\n%s", name, unit, said, err, description, diff)
			}
		}
	}
	for name, want := range map[string]string{
		"words.txt": "it looks like a list of words", "broken.svm": "broken.svm:2:3: expected index:value",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("one\n1 x:y\n"[:map[bool]int{true: 4, false: 10}[name == "words.txt"]]), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Describe[float64](t.Context(), path, ReadOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", name, err, want)
		}
	}
	mixed := newDescriber[float64](t.Context(), true)
	if err := errors.Join(mixed.add([]uint64{1}, []float64{2}), mixed.add(nil, nil)); err != nil {
		t.Error(err)
	}
	wantError(t, mixed.add([]uint64{1}, nil), "datasets: rows with and without weights in one set (row 3)")
	root := t.TempDir()
	for i := range 3 {
		if err := os.WriteFile(filepath.Join(root, fmt.Sprint(i)), []byte("some text, and more"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	info, said, err := Describe[float64](t.Context(), FilesPrefix+root, ReadOptions{})
	if err != nil || info.Rows != 3 || info.DuplicateRows != 2 || !strings.HasSuffix(said, ": 3 vectors, 36 features") {
		t.Errorf("%+v, %q, %v", info, said, err)
	}
}
