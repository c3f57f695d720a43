package index

import (
	"errors"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// TestDefinitions checks that queries and inserts of fingerprints with another or an unknown
// definition are refused: their distances would be meaningless.
func TestDefinitions(t *testing.T) {
	const a, b = "xxh64,le64,64,tie=zero,order=grouped", "md5,le64,64,tie=zero,order=grouped"
	for _, stored := range []string{a, ""} {
		set := &Set{Bits: 64, Words: []uint64{1, 2, 3}, Definition: stored}
		x, err := New(64, stored, 2)
		if err == nil {
			err = x.Insert(set)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, asked := range []string{a, b, ""} {
			q := set.Query(1)
			q.Definition = asked
			errs := map[string]error{}
			_, errs["index"] = x.Snapshot().AppendWithin(nil, q, 0)
			_, errs["index, nearest"] = x.Snapshot().Nearest(q, 1)
			errs["index, insert"] = x.Insert(&Set{Bits: 64, Definition: asked})
			errs["comparable"] = set.Comparable(&Set{Bits: 64, Definition: asked})
			for how, err := range errs {
				switch {
				case asked == stored && err != nil:
					t.Errorf("%s of %q asked for %q: %v", how, stored, asked, err)
				case asked != stored && !errors.Is(err, fphash.ErrMismatch):
					t.Errorf("%s of %q asked for %q: error %v, expected fphash.ErrMismatch", how, stored, asked, err)
				case asked != stored && (!strings.Contains(err.Error(), asked) || !strings.Contains(err.Error(), stored)):
					t.Errorf("%s: %v, expected both definitions", how, err)
				}
			}
		}
	}
}

// TestSetQuery checks that a set finds its own fingerprints.
func TestSetQuery(t *testing.T) {
	set := &Set{Bits: 100, Words: []uint64{1, 2, 3, 4}, Definition: "a"}
	x, err := New(100, "a", 0)
	if err == nil {
		err = x.Insert(set)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Len() {
		q := set.Query(i)
		if len(q.Words) != 2 || q.Definition != "a" {
			t.Errorf("query %d is %+v", i, q)
		}
		if m, err := x.Snapshot().AppendWithin(nil, q, 0); err != nil || len(m) != 1 || m[0].Position != i {
			t.Errorf("query %d finds %v, %v", i, m, err)
		}
	}
}

// TestNil checks that nil arguments are errors.
func TestNil(t *testing.T) {
	x, err := New(64, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"Insert": x.Insert(nil), "Comparable": (&Set{}).Comparable(nil), "Check": (*Set)(nil).Check(), "Query.Check": (&Query{}).Check(nil, 0, 0),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "index: no ") {
			t.Errorf("%s: error %v, expected one that names what is missing", what, err)
		}
	}
}

// Equal definitions may be written in different forms. All others are a mismatch.
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
		for how, err := range map[string]error{"sets": a.Comparable(&b), "query": q.Check(&a, 0, 64)} {
			if c.same && err != nil || !c.same && !errors.Is(err, fphash.ErrMismatch) {
				t.Errorf("%s of %q and %q: expected the same: %v, got %v", how, c.a, c.b, c.same, err)
			}
		}
	}
}
