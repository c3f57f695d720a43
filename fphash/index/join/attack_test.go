package join

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/internal/testing/long"
)

// attacks are sets of n fingerprints on which a search for groups takes the square of n if it does
// not mind.
var attacks = map[string]func(width, n int) *index.Set{
	"block": func(width, n int) *index.Set { // all numbers, in one block
		s := &index.Set{Bits: width, Words: make([]uint64, n*((width+63)/64))}
		for i := range n {
			s.At(i)[0] = 1<<63 | uint64(i)
		}
		return s
	},
	"cube": func(width, n int) *index.Set { return scattered(width, n, 24, newRandom(1)) },
	// hardly any is near another, by bits that a join does not look at first
	"thin":   func(width, n int) *index.Set { return scattered(width, n, 40, newRandom(1)) },
	"lines":  lines,
	"copies": func(width, n int) *index.Set { return repeated(scattered(width, 10, width, newRandom(1)), n/10) },
	"walk":   walk,
}

// scattered returns fingerprints that differ in some bits alone, which are anywhere.
func scattered(width, n, some int, r *rand.Rand) *index.Set {
	s := randomSet(width, n, r)
	mask := make([]uint64, s.Stride())
	for _, bit := range r.Perm(width)[:some] {
		mask[bit/64] |= 1 << (bit % 64)
	}
	for i := range s.Words {
		s.Words[i] &= mask[i%len(mask)]
	}
	return s
}

// lines returns the fingerprints of lines of a log: of one template with fields that vary.
func lines(width, n int) *index.Set {
	sketcher, err := fphash.New(fphash.WithSketch(fphash.MinHash), fphash.WithBits(width))
	if err != nil {
		panic(err)
	}
	s, r := &index.Set{Bits: width}, newRandom(3)
	words := []string{"INFO", "request", "from", "client", "at", "address", "was", "served", "with", "status", "code", "in", "milliseconds", "by", "worker", "of", "the", "pool", "named", "default"}
	for range n {
		line := append(words[:len(words):len(words)], fmt.Sprint("client", r.IntN(1000)), fmt.Sprint("address", r.IntN(1<<20)),
			fmt.Sprint("status", 200+r.IntN(5)), fmt.Sprint("ms", r.IntN(300)), fmt.Sprint("worker", r.IntN(64)))
		if s.Words, _, err = fphash.AppendUnit(sketcher, s.Words, line); err != nil {
			panic(err)
		}
	}
	return s
}

// walk returns a chain that never comes back: each fingerprint differs from the one before in 3
// bits, and in two of ten blocks alone.
func walk(width, n int) *index.Set {
	s := &index.Set{Bits: width, Words: make([]uint64, n*((width+63)/64))}
	r := newRandom(4)
	for i := 1; i < n; i++ {
		copy(s.At(i), s.At(i-1))
		flip(s.At(i), width*3/4, 3, r)
	}
	return s
}

// attackSizes are the sizes of the benchmarks of attacks, which take minutes where tests are long.
func attackSizes() []int {
	if long.Enabled() {
		return []int{2e5, 1e6}
	}
	return []int{20_000}
}

func BenchmarkAttacks(b *testing.B) {
	for _, name := range []string{"block", "cube", "thin", "lines", "copies", "walk"} {
		for _, c := range []struct{ width, k int }{{64, 3}, {64, 7}, {128, 3}, {128, 14}, {128, 26}} {
			for _, n := range attackSizes() {
				j := &Join{K: c.k, Workers: 1}
				b.Run(fmt.Sprintf("pattern=%s/bits=%d/k=%d/n=%d", name, c.width, c.k, n), func(b *testing.B) {
					j.Set = attacks[name](c.width, n)
					b.ResetTimer()
					for b.Loop() {
						if g, err := j.Groups(context.Background()); err != nil || g.Len() < 0 {
							b.Fatal(err)
						} else {
							b.ReportMetric(float64(g.Len()), "groups")
							b.ReportMetric(float64(g.Members()), "members")
						}
					}
				})
			}
		}
	}
}

// BenchmarkFirst has groups that would take the square of their size if each member were compared
// with all that was kept.
func BenchmarkFirst(b *testing.B) {
	for _, name := range []string{"block", "cube", "walk", "lines"} {
		for _, c := range []struct{ width, k int }{{64, 3}, {128, 3}, {128, 26}} {
			for _, n := range attackSizes() {
				b.Run(fmt.Sprintf("pattern=%s/bits=%d/k=%d/n=%d", name, c.width, c.k, n), func(b *testing.B) {
					j := &Join{K: c.k, Workers: 1, Set: attacks[name](c.width, n)}
					g, err := j.Groups(b.Context())
					if err != nil {
						b.Fatal(err)
					}
					b.ResetTimer()
					for b.Loop() {
						kept := 0
						of, err := g.First(b.Context(), nil, 0)
						if err != nil {
							b.Fatal(err)
						}
						for i, f := range of {
							if f == uint32(i) {
								kept++
							}
						}
						b.ReportMetric(float64(kept), "kept")
					}
				})
			}
		}
	}
}

// Random dense sets give the groups that all pairs give, by every plan: of a few fingerprints more
// than make a bucket dense or a crowd, in bits of which a pair may differ in most.
func TestGroupsOfDenseSets(t *testing.T) {
	r := newRandom(12)
	for range size(60, 600) {
		width, k := []int{32, 64, 100, 128}[r.IntN(4)], 1+r.IntN(8)
		n := []int{leastDense, fewLeft + 1, 2*leastDense + r.IntN(64), 4 * leastDense}[r.IntN(4)] + r.IntN(8)
		some := 6 + r.IntN(2*k+6)
		s := scattered(width, n, min(some, width), r)
		if r.IntN(2) == 0 {
			s = joined(s, joined(randomSet(width, n/4, r), scattered(width, n/2, min(width, 2*some), r)))
		}
		shuffle(s, r)
		holdGroups(t, &Join{Set: s, K: k, Workers: 1 + r.IntN(2)})
		if t.Failed() {
			t.Fatalf("of %d bits, %d fingerprints in %d bits, k = %d", width, s.Len(), some, k)
		}
	}
}

// So do crowds that become joins of their own, and giants that are left out of what follows.
func TestGroupsOfAttacks(t *testing.T) {
	for _, c := range []struct{ width, k int }{{64, 3}, {64, 7}, {128, 3}, {128, 26}} {
		for name, attack := range attacks {
			t.Run(fmt.Sprint(name, c), func(t *testing.T) {
				r := newRandom(5)
				s := joined(attack(c.width, leastLarge+leastDense), randomSet(c.width, leastDense, r))
				for range 4 * leastDense { // at most at k from one of them, wherever they differ
					other := &index.Set{Bits: c.width, Words: slices.Clone(s.At(r.IntN(leastLarge)))}
					flip(other.Words, c.width, c.k, r)
					s = joined(s, other)
				}
				shuffle(s, newRandom(6))
				j := &Join{Set: s, K: c.k, Workers: 2}
				want := groupsOracle(j)
				for _, p := range append(plans(j), widePlans(j)...) {
					g, err := j.groups(t.Context(), &p)
					if err != nil {
						t.Fatal(err)
					}
					compareMembers(t, g, want)
				}
			})
		}
	}
}
