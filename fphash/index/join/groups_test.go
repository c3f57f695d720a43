package join

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"simhashkit/fphash/index"
)

// groupsOracle joins groups pair by pair. It is an oracle: do not change it.
func groupsOracle(j *Join) [][]uint32 {
	group := make([]int, j.Set.Len())
	for i := range group {
		group[i] = i
	}
	for a := range group {
		for b := range group {
			if j.Set.Distance(a, j.Set, b) <= j.K && group[a] != group[b] {
				from, to := max(group[a], group[b]), min(group[a], group[b])
				for i := range group {
					if group[i] == from {
						group[i] = to
					}
				}
			}
		}
	}
	var groups [][]uint32
	for g := range group {
		var members []uint32
		for i := range group {
			if group[i] == g {
				members = append(members, uint32(i))
			}
		}
		if len(members) > 1 {
			groups = append(groups, members)
		}
	}
	return groups
}

// firstOracle is the definition of First. It is an oracle: do not change it.
func firstOracle(j *Join) []uint32 {
	var kept, result []uint32
	for i := range j.Set.Len() {
		of := uint32(i)
		for _, other := range kept {
			if j.Set.Distance(i, j.Set, int(other)) <= j.K {
				of = other
				break
			}
		}
		if of == uint32(i) {
			kept = append(kept, of)
		}
		result = append(result, of)
	}
	return result
}

// firstInOrder is the definition of First with an order, in which old positions come first. It is
// an oracle: do not change it.
func firstInOrder(j *Join, positions []uint32, old int) []uint32 {
	var kept []uint32
	result := make([]uint32, len(positions))
	for _, p := range positions {
		result[p] = p
		for _, other := range kept {
			if int(p) >= old && j.Set.Distance(int(p), j.Set, int(other)) <= j.K {
				result[p] = other
				break
			}
		}
		if result[p] == p {
			kept = append(kept, p)
		}
	}
	return result
}

// First agrees with the definition, in any order, for dense sets in which a fingerprint is near
// several kept ones, and for chains with many kept ones.
func TestFirstInOrder(t *testing.T) {
	t.Parallel()
	r := newRandom(8)
	n := size(columnsOfRow/2, 2*columnsOfRow)
	for _, c := range []struct{ width, k int }{{64, 3}, {64, 7}, {100, 5}, {128, 26}} {
		for name, s := range map[string]*index.Set{
			"dense":  scattered(c.width, n, 12, r),
			"sparse": scattered(c.width, n, 11+2*c.k, r),
			"walk":   walk(c.width, n),
			"copies": joined(repeated(walk(c.width, n/4), 2), scattered(c.width, n/2, 14, r)),
		} {
			j := &Join{Set: s, K: c.k}
			g, err := j.Groups(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, old := range []int{0, 1, n / 3, n} {
				order := make([]uint32, n)
				positions := make([]uint32, 0, n)
				for p := range old {
					positions = append(positions, uint32(p))
				}
				for _, p := range r.Perm(n - old) {
					positions = append(positions, uint32(old+p))
				}
				for rank, p := range positions {
					order[p] = uint32(rank)
				}
				t.Run(fmt.Sprint(c, name, old), func(t *testing.T) {
					got, err := g.First(t.Context(), func(a, b uint32) int { return int(order[a]) - int(order[b]) }, old)
					if want := firstInOrder(j, positions, old); err != nil || !slices.Equal(got, want) {
						t.Errorf("First keeps the wrong fingerprints (%v)", err)
					}
				})
			}
		}
	}
}

// Old positions come first also without an order, and are kept even if they are near each other.
func TestFirstOfOldPositions(t *testing.T) {
	s := &index.Set{Bits: 64, Words: []uint64{0, 1, 0xff00, 3, 2, 0xff01, 0xff0000, 0xff0000}}
	g, err := (&Join{Set: s, K: 1}).Groups(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for old, want := range map[int][]uint32{
		0: {0, 0, 2, 3, 0, 2, 6, 6},
		2: {0, 1, 2, 1, 0, 2, 6, 6},
		4: {0, 1, 2, 3, 0, 2, 6, 6},
		8: {0, 1, 2, 3, 4, 5, 6, 7},
	} {
		if got, err := g.First(t.Context(), nil, old); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d old positions: %v, %v, expected %v", old, got, err, want)
		}
	}
}

func TestGroups(t *testing.T) {
	for _, width := range []int{16, 64, 100} {
		for _, n := range []int{0, 1, 40, 200} {
			for name, s := range sets(width, n, newRandom(uint64(width*1000+n))) {
				for _, k := range []int{0, 2, 3, 9} {
					t.Run(fmt.Sprint(width, n, name, k), func(t *testing.T) {
						checkGroups(t, &Join{Set: s, K: k, Workers: 2})
					})
				}
			}
		}
	}
}

// Dense buckets, alone and several at once, give the same groups as all pairs.
func TestGroupsOfDenseBuckets(t *testing.T) {
	r := newRandom(3)
	for name, s := range map[string]*index.Set{
		"one group":            clusteredSet(64, 2000, 1, r),
		"groups and strangers": joined(clusteredSet(64, 1500, 3, r), randomSet(64, 500, r)),
		"in one bucket":        sameBlock(clusteredSet(64, 2000, 40, r), 40),
		"chain":                chain(64, 1000),
		"copies of versions":   sameBlock(repeated(randomSet(64, 6, r), 300), 40),
		"copies of wide ones":  sameBlock(repeated(randomSet(128, 6, r), 300), 100),
	} {
		t.Run(name, func(t *testing.T) { checkGroups(t, &Join{Set: s, K: 3}) })
	}
}

// chain returns fingerprints that differ from the one before in 3 bits. The distance to the first
// one grows until all bits differ, and then shrinks again.
func chain(width, n int) *index.Set {
	s := &index.Set{Bits: width, Words: make([]uint64, n*((width+63)/64))}
	for i := 1; i < n; i++ {
		copy(s.At(i), s.At(i-1))
		for b := range 3 {
			bit := (i*3 + b) % width
			s.At(i)[bit/64] ^= 1 << (bit % 64)
		}
	}
	return s
}

func checkGroups(t *testing.T, j *Join) {
	t.Helper()
	want := groupsOracle(j)
	for _, p := range plans(j) {
		g, err := j.groups(context.Background(), &p)
		if err != nil {
			t.Fatal(err)
		}
		compareGroups(t, j, g, want)
	}
}

func compareMembers(t *testing.T, g *Groups, want [][]uint32) {
	t.Helper()
	if g.Len() != len(want) {
		t.Fatalf("%d groups, expected %d", g.Len(), len(want))
	}
	for i := range want {
		if got := g.At(i); !slices.Equal(got, want[i]) {
			t.Fatalf("group %d has %d members, expected %d", i, len(got), len(want[i]))
		}
	}
}

func compareGroups(t *testing.T, j *Join, g *Groups, want [][]uint32) {
	t.Helper()
	if g.Len() != len(want) {
		t.Fatalf("%d groups, expected %d", g.Len(), len(want))
	}
	for i, group := range g.All() {
		if !slices.Equal(group, want[i]) {
			t.Fatalf("group %d has %v, expected %v", i, group, want[i])
		}
	}
	first, err := g.First(context.Background(), nil, 0)
	if want := firstOracle(j); err != nil || !slices.Equal(first, want) {
		t.Errorf("First keeps %v, expected %v (%v)", first, want, err)
	}
}
