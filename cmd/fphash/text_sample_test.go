package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
)

// Documents are drawn from all over the files, each once at most.
func TestSampleOfTexts(t *testing.T) {
	files := map[string]string{}
	for i := range 4 {
		var text strings.Builder
		for j := range 500 {
			fmt.Fprintln(&text, 500*i+j)
		}
		files[fmt.Sprintf("%d.txt", i)] = text.String()
	}
	s := sampler{&textFlags{format: "lines"}, nil, 200, 0, newProgress(io.Discard), io.Discard, nil}
	paths, err := s.paths(corpusOf(t, files))
	if err != nil {
		t.Fatal(err)
	}
	sample, n, err := s.draw(t.Context(), paths)
	if err != nil || n != 2000 || len(sample) != 200 {
		t.Fatalf("%d of %d documents, error %v", len(sample), n, err)
	}
	seen, quarters := map[int]bool{}, [4]int{}
	for _, text := range sample {
		number, err := strconv.Atoi(string(text))
		if err != nil || seen[number] {
			t.Errorf("document %q: drawn twice or made up: %v", text, err)
		}
		seen[number] = true
		quarters[number/500]++
	}
	for i, count := range quarters {
		if count < 25 || count > 80 { // 50 on average, with a deviation of 6
			t.Errorf("%d documents of quarter %d: %d", count, i, quarters)
		}
	}
}
