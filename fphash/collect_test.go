package fphash

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSorted(t *testing.T) {
	words, counts := Sorted(map[token]count{"b": 2, "": 3, "a": 1})
	if !slices.Equal(words, []token{"", "a", "b"}) || !slices.Equal(counts, []count{3, 1, 2}) {
		t.Errorf("%q, %v", words, counts)
	}
	if indices, weights := Sorted(map[uint64]float64{1 << 63: 1, 5: 2}); !slices.Equal(indices, []uint64{5, 1 << 63}) || !slices.Equal(weights, []float64{2, 1}) {
		t.Errorf("%v, %v", indices, weights)
	}
	if indices, weights := Sorted(map[uint32]int(nil)); len(indices)+len(weights) > 0 {
		t.Errorf("%v, %v", indices, weights)
	}
}

func TestAddSeqAndTokens(t *testing.T) {
	text := "to be or not to be"
	want, _, err := SketchUnit64(strings.Fields(text))
	if err != nil {
		t.Fatal(err)
	}
	bySeq, byTokens := NewAccumulator[int64](mustNew(t)), NewAccumulator[float32](mustNew(t))
	words := bufio.NewScanner(strings.NewReader(text))
	words.Split(bufio.ScanWords)
	if err := errors.Join(AddSeq(bySeq, maps.All(map[string]int64{"to": 2, "be": 2, "or": 1, "not": 1})), AddTokens(byTokens, words)); err != nil {
		t.Fatal(err)
	}
	one, _ := bySeq.Append(nil)
	two, _ := byTokens.Append(nil)
	if one[0] != want || two[0] != want {
		t.Errorf("%x and %x, want %x", one, two, want)
	}
	broken := errors.New("broken")
	if err := AddTokens(byTokens, bufio.NewScanner(io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(broken)))); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	integers := NewAccumulator[int64](mustNew(t, WithHash("splitmix64")))
	if AddSeq(integers, maps.All(map[string]int64{"a": 1})) == nil || AddTokens(integers, bufio.NewScanner(strings.NewReader("a"))) == nil {
		t.Error("splitmix64 takes no byte strings")
	}
}
