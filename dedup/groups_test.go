package dedup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found is the result of fingerprints with ids, by components.
func found(t *testing.T, k int, ids []string, fingerprints ...uint64) *Result {
	t.Helper()
	records := &Records{Name: "test"}
	records.Set.Bits = 64
	for i, fingerprint := range fingerprints {
		var id []byte
		if ids != nil {
			id = []byte(ids[i])
		}
		records.Add(id, []uint64{fingerprint}, true)
	}
	r, err := Find(t.Context(), records, Options{Spec: Spec{K: k, By: Components}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Of groups of one size the first comes first, and more than are asked for are not listed.
func TestLargestGroups(t *testing.T) {
	const a, b, c, d = 0xff, 0xff00, 0xff0000, 0xff000000
	groups := found(t, 1, nil, a, a, b, b, c, c, c, d, d).Groups
	for n, want := range [][]int{nil, {2}, {2, 0}, {2, 0, 1}, {2, 0, 1, 3}, {2, 0, 1, 3}} {
		if diff := cmp.Diff(want, groups.largest(n)); diff != "" {
			t.Errorf("the %d largest: -want +got\n%s", n, diff)
		}
	}
}

// A group is a chain where a member is more than 2k bits from the one to keep: with 2k, one in the
// middle may be within k of both.
func TestChains(t *testing.T) {
	for _, c := range []struct {
		fingerprints []uint64
		want         int
	}{
		{[]uint64{0, 1, 3}, 0}, {[]uint64{0, 1, 3, 7}, 1}, {[]uint64{1, 0, 3, 7}, 0}, {[]uint64{0, 1, 3, 7, 0xffff << 40, 0xffff<<40 | 1, 0xffff<<40 | 3, 0xffff<<40 | 7}, 2},
	} {
		if got := found(t, 1, nil, c.fingerprints...).Groups.chains(1); got != c.want {
			t.Errorf("%x: %d chains, expected %d", c.fingerprints, got, c.want)
		}
	}
}

// An id counts once, however many records have it, if one of them has a near-duplicate.
func TestSharedID(t *testing.T) {
	r := found(t, 1, []string{"alone", "thrice", "twice", "thrice", "alone", "twice", "thrice"}, 0xff, 0, 1, 0xff00, 0xff0000, 0xff000000, 0xff00000000)
	if id, n := r.SharedID(); id != "thrice" || n != 2 {
		t.Errorf("%q and %d in all, expected thrice, and 2", id, n)
	}
	if id, n := found(t, 1, nil, 0, 1).SharedID(); id != "" || n != 0 {
		t.Errorf("numbers are shared: %q, %d", id, n)
	}
}
