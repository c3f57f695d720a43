package blocks

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
)

// fingerprints returns n fingerprints. Half of them are in a few clusters of copies,
// near-duplicates and chains.
func fingerprints(r *rand.Rand, bits, n, clusters int) *index.Set {
	set := &index.Set{Bits: bits}
	for i := range n {
		words := make([]uint64, set.Stride())
		for j := range words {
			words[j] = r.Uint64()
		}
		if i%2 == 1 && i > clusters*2 {
			copy(words, set.At(r.IntN(clusters)))
			for range r.IntN(5) {
				bit := r.IntN(bits)
				words[bit/64] ^= 1 << (bit % 64)
			}
		}
		if bits%64 != 0 {
			words[len(words)-1] &= 1<<(bits%64) - 1
		}
		set.Words = append(set.Words, words...)
	}
	return set
}

// block is a block as an engine would group it: a key, and positions in a set.
type block struct {
	key     string
	members []int
}

// blocksOf returns all blocks of a set, grouped by key.
func blocksOf(t *Tables, set *index.Set) (list []block) {
	members := map[string][]int{}
	for i := range set.Len() {
		for table := range t.Len() {
			key := string(t.AppendKey(nil, table, set.At(i)))
			members[key] = append(members[key], i)
		}
	}
	for key, m := range members {
		list = append(list, block{key, m})
	}
	slices.SortFunc(list, func(a, b block) int { return strings.Compare(a.key, b.key) })
	return list
}

// wordsOf returns the fingerprints of members.
func wordsOf(set *index.Set, members []int) (words []uint64) {
	for _, m := range members {
		words = append(words, set.At(m)...)
	}
	return words
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface{ Fatal(...any) }

// searchBlocks returns the pairs of all blocks, by positions in the set, sorted.
func searchBlocks(tb fataler, t *Tables, set *index.Set) (pairs []join.Pair) {
	for _, b := range blocksOf(t, set) {
		table, err := t.Table([]byte(b.key))
		if err != nil {
			tb.Fatal(err)
		}
		for p, err := range t.Pairs(context.Background(), table, wordsOf(set, b.members)) {
			if err != nil {
				tb.Fatal(err)
			}
			pairs = append(pairs, join.Pair{A: uint64(b.members[p.A]), B: uint64(b.members[p.B]), Distance: p.Distance})
		}
	}
	slices.SortFunc(pairs, comparePairs)
	return pairs
}

func comparePairs(a, b join.Pair) int {
	return slices.Compare([]uint64{a.A, a.B}, []uint64{b.A, b.B})
}

// joinedPairs returns the pairs that package join finds, sorted.
func joinedPairs(tb fataler, set *index.Set, k int) (pairs []join.Pair) {
	for p, err := range (&join.Join{Set: set, K: k}).Pairs(context.Background()) {
		if err != nil {
			tb.Fatal(err)
		}
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, comparePairs)
	return pairs
}

// All blocks together report each pair that a comparison of all pairs finds, exactly once.
func TestEachPairOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.SampledFrom([]int{1, 7, 16, 63, 64, 65, 100, 128, 300}).Draw(t, "bits")
		k := rapid.IntRange(0, min(bits-1, 9)).Draw(t, "k")
		tables, err := New(bits, k)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		set := fingerprints(r, bits, rapid.IntRange(0, 60).Draw(t, "n"), 1+r.IntN(4))
		var want []join.Pair
		for a := range set.Len() {
			for b := range a {
				if d := fphash.Distance(set.At(a), set.At(b)); d <= k {
					want = append(want, join.Pair{A: uint64(b), B: uint64(a), Distance: d})
				}
			}
		}
		slices.SortFunc(want, comparePairs)
		if diff := cmp.Diff(want, searchBlocks(t, tables, set)); diff != "" {
			t.Fatalf("-want +got\n%s", diff)
		}
	})
}

// Blocks that are too large to compare all pairs have the pairs that package join finds, in any
// table. Only the first table with a pair reports it.
func TestLargeBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct{ bits, shared int }{{64, 48}, {128, 0}} {
		bits := c.bits
		set := fingerprints(r, bits, 3*mostCompared, 20)
		for i := range set.Len() { // all fingerprints share one block
			set.At(i)[c.shared/64] |= (1<<(bits/4) - 1) << (c.shared % 64)
		}
		want := joinedPairs(t, set, 3)
		tables, err := New(bits, 3)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, searchBlocks(t, tables, set)); diff != "" {
			t.Errorf("%d bits, equal from bit %d: -want +got\n%.2000s", bits, c.shared, diff)
		}
	}
}

// Links connect the same fingerprints as pairs. In each block, there are fewer links than
// fingerprints.
func TestLinksFormTheGroupsOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 2, 300, 3 * mostCompared} {
		set := fingerprints(r, 64, n, 1)
		tables, err := New(64, 3)
		if err != nil {
			t.Fatal(err)
		}
		parents := make([]int, n)
		for i := range parents {
			parents[i] = i
		}
		find := func(i int) int {
			for parents[i] != i {
				i = parents[i]
			}
			return i
		}
		for _, b := range blocksOf(tables, set) {
			links, linked := 0, map[int]bool{}
			for p, err := range Links(context.Background(), &index.Set{Bits: set.Bits, Words: wordsOf(set, b.members)}, 3) {
				if err != nil {
					t.Fatal(err)
				}
				links++
				if p.A >= p.B || linked[int(p.A)] || linked[int(p.B)] {
					t.Errorf("a link of %d with %d, expected a link with the first of its group", p.B, p.A)
				}
				linked[int(p.B)] = true
				x, y := find(b.members[p.A]), find(b.members[p.B])
				parents[max(x, y)] = min(x, y)
				if d := fphash.Distance(set.At(b.members[p.A]), set.At(b.members[p.B])); d != p.Distance {
					t.Errorf("distance %d, expected %d", p.Distance, d)
				}
			}
			if links >= len(b.members) {
				t.Errorf("%d links of %d fingerprints", links, len(b.members))
			}
		}
		groups, err := (&join.Join{Set: set, K: 3}).Groups(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		links := 0 // number of links if all were in one block
		for range Links(context.Background(), set, 3) {
			links++
		}
		members := 0
		for _, g := range groups.All() {
			members += len(g)
		}
		if links != members-groups.Len() {
			t.Errorf("%d links of %d members of %d groups", links, members, groups.Len())
		}
		for _, g := range groups.All() {
			for _, m := range g {
				want[m] = int(g[0])
			}
		}
		for i := range want {
			if find(i) != want[i] {
				t.Fatalf("n = %d: %d is with %d, expected %d", n, i, find(i), want[i])
			}
		}
	}
}

// Keys have the documented form and must never change, since files of other systems contain them.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		bits, k int
		words   []uint64
		want    string
	}{
		{64, 3, []uint64{0x0123456789abcdef}, "0:cdef 1:89ab 2:4567 3:0123"},
		{16, 2, []uint64{0xabcd}, "0:0d 1:0f 2:15"},
		{128, 0, []uint64{0x0123456789abcdef, 0xfedcba9876543210}, "0:fedcba98765432100123456789abcdef"},
	} {
		tables, err := New(c.bits, c.k)
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for table := range tables.Len() {
			key := tables.AppendKey([]byte("x"), table, c.words)
			keys = append(keys, string(key[1:]))
			if got, err := tables.Table(key[1:]); got != table || err != nil {
				t.Errorf("%s has table %d, %v", key[1:], got, err)
			}
		}
		if diff := cmp.Diff(c.want, strings.Join(keys, " ")); diff != "" {
			t.Errorf("%d bits, k = %d: -want +got\n%s", c.bits, c.k, diff)
		}
	}
}

// Two fingerprints have the same key if and only if they are equal in the bits of the mask.
func TestKeysTellApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(5, 300).Draw(t, "bits")
		tables, err := New(bits, rapid.IntRange(0, 4).Draw(t, "k"))
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		a := fingerprints(r, bits, 1, 1).Words
		for bit := range bits {
			b := slices.Clone(a)
			b[bit/64] ^= 1 << (bit % 64)
			for table := range tables.Len() {
				same := bytes.Equal(tables.AppendKey(nil, table, a), tables.AppendKey(nil, table, b))
				if key := tables.keys[table]; same == (key.from <= bit && bit < key.end) {
					t.Errorf("bit %d, table %d: same key %v, and the key has the bits %v", bit, table, same, key)
				}
			}
		}
	})
}

func TestMisuse(t *testing.T) {
	for _, c := range []struct {
		bits, k int
		want    string
	}{
		{0, 0, "fingerprints of 0 bits, expected 1 to 4096"},
		{64, 64, "pairs within 64 bits, expected 0 to 63"},
		{64, -1, "pairs within -1 bits"},
	} {
		if _, err := New(c.bits, c.k); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d bits, k = %d: error %v, expected %q", c.bits, c.k, err, c.want)
		}
	}
	tables, err := New(60, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"", "4:0000", "-1:0000", "0", "00:0000", "x:0000"} {
		if table, err := tables.Table([]byte(key)); err == nil {
			t.Errorf("%q has table %d, expected an error", key, table)
		}
	}
	if err := errOf(tables.Pairs(t.Context(), 4, nil)); err == nil || !strings.Contains(err.Error(), "table 4, expected 0 to 3") {
		t.Errorf("error %v", err)
	}
	for name, seq := range map[string]iter.Seq2[join.Pair, error]{
		"pairs": tables.Pairs(t.Context(), 0, []uint64{1 << 60}), "links": Links(t.Context(), &index.Set{Bits: 60, Words: []uint64{1 << 60}}, 3),
	} {
		if err := errOf(seq); err == nil || !strings.Contains(err.Error(), "bits beyond the 60") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func errOf(pairs func(yield func(join.Pair, error) bool)) (err error) {
	for _, e := range pairs {
		err = e
	}
	return err
}

// A search ends when its context is canceled.
func TestCancelled(t *testing.T) {
	tables, err := New(64, 3)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	words := make([]uint64, 4*mostCompared)
	if err := errOf(tables.Pairs(ctx, 0, words)); err == nil {
		t.Error("pairs: no error")
	}
	if err := errOf(Links(ctx, &index.Set{Bits: 64, Words: words}, 3)); err == nil {
		t.Error("links: no error")
	}
}

func BenchmarkPairs(b *testing.B) {
	for _, n := range []int{16, 150, 1000, 10000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			tables, err := New(64, 3)
			if err != nil {
				b.Fatal(err)
			}
			set := fingerprints(rand.New(rand.NewPCG(1, 1)), 64, n, n)
			for i := range set.Words {
				set.Words[i] |= 0xffff
			}
			for b.Loop() {
				if err := errOf(tables.Pairs(context.Background(), 0, set.Words)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The links of a set form the same groups as all pairs, also of a set that is too large to compare
// all pairs.
func TestLinksOfSet(t *testing.T) {
	for _, n := range []int{0, 1, 300, mostCompared, mostCompared + 1, 3000} {
		for _, bits := range []int{64, 128} {
			r := rand.New(rand.NewPCG(uint64(n), uint64(bits)))
			set := fingerprints(r, bits, n, 8)
			if n >= 16 { // a chain in any order: neighbours differ in 4 bits
				for i, at := range r.Perm(16) {
					clear(set.At(at))
					set.At(at)[0] = 1<<(4*i) - 1
				}
			}
			firsts := make([]int, n) // by position: the first of its group
			for i := range firsts {
				firsts[i] = i
			}
			unite := func(a, b int) {
				from, to := max(firsts[a], firsts[b]), min(firsts[a], firsts[b])
				for i, f := range firsts {
					if f == from {
						firsts[i] = to
					}
				}
			}
			if n > 0 {
				for _, p := range joinedPairs(t, set, 5) {
					unite(int(p.A), int(p.B))
				}
			}
			want := 0
			for i, f := range firsts {
				if f != i {
					want++
				}
			}
			got := 0
			for p, err := range Links(context.Background(), set, 5) {
				if err != nil {
					t.Fatal(err)
				}
				if got++; firsts[p.A] != firsts[p.B] || firsts[p.B] != int(p.A) || p.Distance != set.Distance(int(p.A), set, int(p.B)) {
					t.Fatalf("%d fingerprints of %d bits: link %+v", n, bits, p)
				}
			}
			if got != want {
				t.Errorf("%d fingerprints of %d bits: %d links, want %d", n, bits, got, want)
			}
		}
	}
}
