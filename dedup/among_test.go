package dedup

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// split returns the first n records, and the others.
func (c *collection) split(n int) (before, after *collection) {
	parts := [2]*collection{}
	for p, ends := range [][2]int{{0, n}, {n, len(c.fingerprints)}} {
		part := &collection{records: &Records{Name: "part"}, fingerprints: c.fingerprints[ends[0]:ends[1]], informative: c.informative[ends[0]:ends[1]]}
		part.records.Set.Bits = c.records.Set.Bits
		for i, fingerprint := range part.fingerprints {
			part.records.Add([]byte(c.records.ID(ends[0]+i)), []uint64{fingerprint}, part.informative[i])
		}
		parts[p] = part
	}
	return parts[0], parts[1]
}

// Records that are near none of another set are compared with each other: by first, the same are
// kept as if there had been one set, of which the other was kept; by components, those that are
// kept of what is left alone.
func TestAmong(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, by := range Ways() {
		for k := range 4 {
			const n, first = 150, 50
			all := clustered(random, n, 16+16*k)
			other, c := all.split(first)
			r, err := Find(t.Context(), c.records, Options{K: k, By: by, Against: other.records, Among: true})
			if err != nil {
				t.Fatal(err)
			}
			left := make([]bool, len(c.fingerprints)) // those that are near none of the other set
			for i := range left {
				left[i] = true
				for j := range first {
					left[i] = left[i] && !all.near(j, first+i, k, 0)
				}
			}
			alone := &collection{records: c.records, fingerprints: c.fingerprints, informative: make([]bool, len(left))}
			for i := range left {
				alone.informative[i] = c.informative[i] && left[i]
			}
			var want []string
			among := 0
			for i, of := range alone.canonical(k, by, 0) {
				if left[i] && of == i {
					want = append(want, c.records.ID(i))
				} else if left[i] {
					among++
				}
			}
			if got := list(t, r, ListKeep); !slices.Equal(got, want) || r.among != among || among == 0 && k > 0 {
				t.Errorf("by %s, k = %d: %d of %q are kept and %d near others, expected %q and %d", by, k, len(got), got, r.among, want, among)
			}
			if by == Components {
				continue
			}
			// What is kept does not depend on how records are divided.
			whole, err := Find(t.Context(), all.records, Options{K: k, By: First})
			if err != nil {
				t.Fatal(err)
			}
			one, err := Find(t.Context(), other.records, Options{K: k, By: First})
			if err != nil {
				t.Fatal(err)
			}
			kept := &Records{Name: "kept"}
			kept.Set.Bits = all.records.Set.Bits
			for i := range other.records.Set.Len() {
				if !one.IsDropped(i) {
					kept.Add(nil, other.records.Set.At(i), true)
				}
			}
			two, err := Find(t.Context(), c.records, Options{K: k, By: First, Against: kept, Among: true})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := append(list(t, one, ListKeep), list(t, two, ListKeep)...), list(t, whole, ListKeep); !slices.Equal(got, want) {
				t.Errorf("k = %d: %q are kept of two files, expected %q as of one", k, got, want)
			}
		}
	}
}
