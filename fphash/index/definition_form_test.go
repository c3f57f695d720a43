package index

import (
	"errors"
	"testing"

	"simhashkit/fphash"
)

// Definitions that are equal are so in each form; all others are a mismatch.
func TestFormsOfDefinitions(t *testing.T) {
	const full, features = "xxh64,le64,64,tie=zero,order=grouped", "words,n=1,lang=auto; weights=count; "
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{full, full, true}, {"", "", true}, {full, "", false},
		{full, "xxh64,le64,64", true},
		{"xxh64,le64,64,order=grouped,tie=zero", "xxh64,le64,64,order=grouped", true},
		{features + full, features + "xxh64,le64,64", true},
		{features + full, full, false}, {features + full, "words,n=2,lang=auto; weights=count; " + full, false},
		{full, "xxh64,le64,64,tie=one", false}, {full, "xxh64,le64,63", false}, {"mine", "mine ", false}, {"mine", "mine", true},
	} {
		a, b := Set{Bits: 64, Words: []uint64{1}, Definition: c.a}, Set{Bits: 64, Words: []uint64{2}, Definition: c.b}
		q := b.Query(0)
		for how, err := range map[string]error{"sets": a.Comparable(&b), "query": q.check(&a)} {
			if c.same && err != nil || !c.same && !errors.Is(err, fphash.ErrMismatch) {
				t.Errorf("%s of %q and %q: expected the same: %v, got %v", how, c.a, c.b, c.same, err)
			}
		}
	}
}
