package main

import (
	"bufio"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash"
)

type (
	TermID uint32
	Token  string
	Count  int16
	Score  float32
	Row    int32
)

// Named types give the same results as their underlying types.
func TestNamedTypes(t *testing.T) {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		t.Fatal(err)
	}
	terms, counts, rows := []TermID{3, 5, 8, 13}, []Count{1, -2, 3, 4}, []Row{0, 1, 4}
	got, _, err := fphash.AppendBatch(s, nil, nil, rows, terms, counts)
	want, _, err2 := fphash.AppendBatch(s, nil, nil, []int{0, 1, 4}, []uint32{3, 5, 8, 13}, []int64{1, -2, 3, 4})
	if err != nil || err2 != nil || !slices.Equal(got, want) {
		t.Errorf("%x, %v, want %x, %v", got, err, want, err2)
	}

	named, _, err := fphash.Sketch64([]Token{"alien", "area51", "grey"}, []Score{4.5, 2.25, 1})
	plain, _, err2 := fphash.Sketch64([]string{"alien", "area51", "grey"}, []float32{4.5, 2.25, 1})
	if err != nil || err2 != nil || named != plain {
		t.Errorf("%x, %v, want %x, %v", named, err, plain, err2)
	}
}

// Maps, sequences and scanners of tokens give the same sums.
func TestSourcesOfFeatures(t *testing.T) {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		t.Fatal(err)
	}
	counted := map[Token]Count{"to": 2, "be": 2, "or": 1, "not": 1}
	bySequence, byScanner := fphash.NewAccumulator[Count](s), fphash.NewAccumulator[uint8](s)
	for token, count := range counted {
		if err := fphash.Add(bySequence, count, token); err != nil {
			t.Fatal(err)
		}
	}
	words := bufio.NewScanner(strings.NewReader("to be or\nnot to be"))
	words.Split(bufio.ScanWords)
	for words.Scan() {
		if err := fphash.Add(byScanner, 1, words.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	a, _ := bySequence.Append(nil)
	b, _ := byScanner.Append(nil)
	want, _, err := fphash.Sketch64([]Token{"be", "not", "or", "to"}, []Count{2, 1, 1, 2})
	if err != nil || a[0] != want || b[0] != want {
		t.Errorf("%x by a sequence, %x by a scanner, want %x, %v", a, b, want, err)
	}
}
