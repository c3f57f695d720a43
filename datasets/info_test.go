package datasets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Describe gives the same result for a file as for the same vectors in memory.
func TestDescribe(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"weighted.svm": "1 3:0.5 7:2\n2 1:1\n-1\n1 7:2 3:0.5 # id\n",
		"ones.vw":      "1 'a| 3 7\n2 'b| 7 3\n",
		"empty.svm":    "# nothing\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		set, description, err := Load[float64](t.Context(), path, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, said, err := Describe(t.Context(), path, ReadOptions{})
		if diff := cmp.Diff(describe(t, &set), got); err != nil || said != description || diff != "" {
			t.Errorf("%s: %q, %v, expected %q (-want +got):\n%s", name, said, err, description, diff)
		}
	}
	for name, want := range map[string]string{
		"words.txt": "it looks like a list of words", "broken.svm": "broken.svm:2:3: expected index:value",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("one\n1 x:y\n"[:map[bool]int{true: 4, false: 10}[name == "words.txt"]]), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Describe(t.Context(), path, ReadOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %s", name, err, want)
		}
	}
}

func TestInfo(t *testing.T) {
	weighted := CSR[float64]{
		Offsets: []int{0, 2, 4, 4, 6, 8, 8, 10},
		Indices: []uint64{3, 9, 3, 9, 3, 9, 3, 1<<64 - 1, 3, 9},
		Weights: []float64{1, 2, 1, 2, 1, 2.5, 1, 2, 2, 1},
	}
	want := Info{
		Rows: 7, EmptyRows: 2, DuplicateRows: 2, NNZ: 10, MinNNZ: 0, MedianNNZ: 2, MeanNNZ: 10. / 7, MaxNNZ: 2,
		MaxIndex: 1<<64 - 1, DistinctIndices: 3,
	}
	if diff := cmp.Diff(want, describe(t, &weighted)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	even := CSR[int32]{Offsets: []int{0, 1, 3}, Indices: []uint64{1, 2, 3}, Weights: []int32{1, 1, 2}}
	if info := describe(t, &even); info.MedianNNZ != 1.5 || !info.WholeWeights || info.OneWeights {
		t.Errorf("%+v", info)
	}
	if diff := cmp.Diff(Info{WholeWeights: true, OneWeights: true}, describe(t, new(CSR[int32]))); diff != "" {
		t.Error(diff)
	}
}
