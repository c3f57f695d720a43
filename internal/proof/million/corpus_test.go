package main

import (
	"bytes"
	"hash/crc32"
	"math"
	"strings"
	"testing"
)

// The corpus is the same on every machine and in years, or results could not be compared.
func TestFrozenCorpus(t *testing.T) {
	digest, size := crc32.NewIEEE(), 0
	for i := range 1000 {
		text := document(nil, i)
		digest.Write(text)
		size += len(text)
	}
	const wantSum, wantSize = uint32(0x9e462e02), 1188152
	if got := digest.Sum32(); got != wantSum || size != wantSize {
		t.Errorf("a sum of %08x over %d bytes, expected %08x over %d", got, size, wantSum, wantSize)
	}
}

// A tenth of the documents are copies of texts of their own before them, of each edit as many, and
// differ from these as the edit says.
func TestPlanted(t *testing.T) {
	copies, n := map[string]int{}, 30_000
	for i := range n {
		of, e := planted(i)
		if of < 0 {
			continue
		}
		if again, _ := planted(of); again >= 0 || of >= i {
			t.Fatalf("%d is a copy of %d, which is one of %d", i, of, again)
		}
		copies[e.name]++
		a, b := strings.Fields(string(document(nil, of))), strings.Fields(string(document(nil, i)))
		different := 0
		for j := range min(len(a), len(b)) {
			if a[j] != b[j] {
				different++
			}
		}
		switch {
		case e.name == "none" && !bytes.Equal(document(nil, of), document(nil, i)):
			t.Errorf("%d is no copy of %d", i, of)
		case e.name == "layout" && !strings.EqualFold(letters(a), letters(b)):
			t.Errorf("%d has other words than %d", i, of)
		case e.name == "one-word" && (different > 1 || len(a) != len(b)):
			t.Errorf("%d and %d differ in %d words", i, of, different)
		case e.name == "words-5%" && (different > len(a)/20 || len(a) != len(b)):
			t.Errorf("%d and %d differ in %d of %d words", i, of, different, len(a))
		case e.name == "longer-10%" && (different > 0 || len(b) != len(a)+len(a)/10):
			t.Errorf("%d has %d words, and %d of them %d of others", i, len(b), of, len(a))
		}
	}
	for _, e := range edits {
		if want := float64(n) / 10 / float64(len(edits)); math.Abs(float64(copies[e.name])-want) > want/5 {
			t.Errorf("%d copies with the edit %s, expected about %.0f", copies[e.name], e.name, want)
		}
	}
}

// letters are words without marks.
func letters(words []string) string {
	return strings.NewReplacer(".", "", ",", "").Replace(strings.Join(words, " "))
}
