package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"simhashkit/fphash"
)

// goroutines is the number of concurrent goroutines in these tests.
const goroutines = 8

// document returns the words of document i and their counts.
func document(i int) (words []string, counts []int) {
	for j := range 5 + i%60 {
		words, counts = append(words, fmt.Sprintf("word%d", i*j%997)), append(counts, 1+j%4)
	}
	return words, counts
}

// Goroutines that share a Sketcher, or each use its Local, get the same fingerprints as a single
// goroutine.
func TestGoroutines(t *testing.T) {
	shared, err := fphash.New(fphash.Definition{Bits: 256, Widen: fphash.WidenMix})
	if err != nil {
		t.Fatal(err)
	}
	const documents = 200
	var want [documents][]uint64
	for i := range want {
		words, counts := document(i)
		if want[i], _, err = fphash.Append(shared, nil, words, counts); err != nil {
			t.Fatal(err)
		}
	}
	check := func(s *fphash.Sketcher) {
		var got []uint64
		for i := range want {
			words, counts := document(i)
			var err error
			if got, _, err = fphash.Append(s, got[:0], words, counts); err != nil || !slices.Equal(got, want[i]) {
				t.Errorf("document %d: %x, %v, want %x", i, got, err, want[i])
				return
			}
		}
	}
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() { check(shared) })
		all.Go(func() { check(shared.Local()) })
	}
	all.Wait()
}

// misuse uses an object in two goroutines that is not safe for concurrent use.
func misuse(what string) error {
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		return err
	}
	local, accumulator := s.Local(), fphash.NewAccumulator[int64](s)
	// whole registers, so that assembly does all the work
	indices, weights := make([]uint64, 128), make([]int64, 128)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 100 {
				if what == "sketcher" {
					fphash.AppendUnit(local, nil, indices)
				} else {
					fphash.AddVector(accumulator, indices, weights)
				}
			}
		})
	}
	all.Wait()
	return nil
}

// The race detector, which exits with code 66, detects that two goroutines use the Local of a
// Sketcher or an Accumulator, although assembly writes to their memory.
func TestMisuseIsSeen(t *testing.T) {
	if !raceDetector {
		t.Skip("built without the race detector")
	}
	for _, what := range []string{"sketcher", "accumulator"} {
		if out, code, _ := process("misuse", what); code != 66 || !strings.Contains(out, "WARNING: DATA RACE") {
			t.Errorf("%s: exit code %d, expected 66\n%s", what, code, out)
		}
	}
}

// If a hash panics in a batch on several cores, the panic reaches the caller, and the Sketcher
// still works.
func TestPanicsReachTheCaller(t *testing.T) {
	family := fphash.FromFunc("moody", 64, func(dst []uint64, key []byte) {
		if string(key) == "bad" {
			panic("I take no such word")
		}
		for _, b := range key {
			dst[0] = dst[0]*0x9E3779B97F4A7C15 + uint64(b)
		}
	})
	s, err := fphash.New(fphash.Definition{}, fphash.WithFamily(family), fphash.WithWorkers(4))
	if err != nil {
		t.Fatal(err)
	}
	words, offsets := []string(nil), []int{0}
	for i := range 3000 {
		more, _ := document(i)
		words = append(words, more...)
		offsets = append(offsets, len(words))
	}
	want, _, err := fphash.AppendBatchUnit(s, nil, nil, offsets, words)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, len(words) / 2, len(words) - 1} {
		good := words[at]
		words[at] = "bad"
		func() {
			defer func() {
				if got := recover(); got != "I take no such word" {
					t.Errorf("word %d: the caller got %v", at, got)
				}
			}()
			fphash.AppendBatchUnit(s, nil, nil, offsets, words)
		}()
		words[at] = good
	}
	if got, _, err := fphash.AppendBatchUnit(s, nil, nil, offsets, words); err != nil || !slices.Equal(got, want) {
		t.Errorf("after the panics the batch has other fingerprints (%v)", err)
	}
}
