package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"simhashkit/datasets"
)

func TestGenerateWithPairs(t *testing.T) {
	dir := t.TempDir()
	vectors, pairs := filepath.Join(dir, "v.svm.gz"), filepath.Join(dir, "p.tsv")
	args := []string{"data", "generate", "--vectors", "60", "--nnz", "200", "--seed", "5", "--plant", "0.95:4,0.8:3", "--pairs", pairs, "-o", vectors}
	if code, _, stderr := execute(t, "", args...); code != exitSuccess {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	set, err := datasets.ReadSVMLightFile[float64](vectors, datasets.SVMLightOptions{})
	if err != nil || set.Len() != 60 {
		t.Fatalf("%d vectors, %v", set.Len(), err)
	}
	text, err := os.ReadFile(pairs)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 7 {
		t.Fatalf("%d pairs, want 7", len(lines))
	}
	for _, line := range lines {
		fields := strings.Split(line, "\t")
		var numbers [4]float64
		for i, f := range fields {
			if numbers[i], err = strconv.ParseFloat(f, 64); err != nil {
				t.Fatal(err)
			}
		}
		aIndices, aWeights := set.Row(int(numbers[0]) - 1)
		bIndices, bWeights := set.Row(int(numbers[1]) - 1)
		if c := datasets.Cosine(aIndices, aWeights, bIndices, bWeights); math.Abs(c-numbers[3]) > 1e-8 || math.Abs(c-numbers[2]) > 0.005 {
			t.Errorf("%s: the cosine is %.9f", line, c)
		}
	}
}
