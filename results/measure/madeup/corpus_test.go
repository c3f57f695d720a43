package madeup

import (
	"bytes"
	"hash/crc32"
	"math"
	"strings"
	"testing"
)

// The corpus must be the same on every machine and never change, so that results can be compared.
func TestFrozenCorpus(t *testing.T) {
	digest, size := crc32.NewIEEE(), 0
	for i := range 1000 {
		text := Append(nil, i)
		digest.Write(text)
		size += len(text)
	}
	const wantSum, wantSize = uint32(0x9e462e02), 1188152
	if got := digest.Sum32(); got != wantSum || size != wantSize {
		t.Errorf("a sum of %08x over %d bytes, expected %08x over %d", got, size, wantSum, wantSize)
	}
}

// A tenth of the documents are copies of earlier originals. All edits are equally frequent, and
// copies differ from their originals according to the edit.
func TestPlanted(t *testing.T) {
	copies, n := map[string]int{}, 30_000
	for i := range n {
		of, e := Planted(i)
		if of < 0 {
			continue
		}
		if again, _ := Planted(of); again >= 0 || of >= i {
			t.Fatalf("%d is a copy of %d, which is a copy of %d", i, of, again)
		}
		copies[e.Name]++
		a, b := strings.Fields(string(Append(nil, of))), strings.Fields(string(Append(nil, i)))
		different := 0
		for j := range min(len(a), len(b)) {
			if a[j] != b[j] {
				different++
			}
		}
		switch {
		case e.Name == "none" && !bytes.Equal(Append(nil, of), Append(nil, i)):
			t.Errorf("%d is no copy of %d", i, of)
		case e.Name == "layout" && !strings.EqualFold(letters(a), letters(b)):
			t.Errorf("%d has other words than %d", i, of)
		case e.Name == "one-word" && (different > 1 || len(a) != len(b)):
			t.Errorf("%d and %d differ in %d words", i, of, different)
		case e.Name == "words-5%" && (different > len(a)/20 || len(a) != len(b)):
			t.Errorf("%d and %d differ in %d of %d words", i, of, different, len(a))
		case e.Name == "longer-10%" && (different > 0 || len(b) != len(a)+len(a)/10):
			t.Errorf("%d has %d words, and %d of them %d of others", i, len(b), of, len(a))
		}
	}
	for _, e := range Edits {
		if want := float64(n) / 10 / float64(len(Edits)); math.Abs(float64(copies[e.Name])-want) > want/5 {
			t.Errorf("%d copies with the edit %s, expected about %.0f", copies[e.Name], e.Name, want)
		}
	}
}

// letters returns words without punctuation.
func letters(words []string) string {
	return strings.NewReplacer(".", "", ",", "").Replace(strings.Join(words, " "))
}
