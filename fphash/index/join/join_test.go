package join

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/internal/testing/long"
)

// plans returns plans for a join: the usual plan, and plans with blocks and keys of several
// lengths, with and without errors, also for few fingerprints.
func plans(j *Join) (list []Plan) {
	list = append(list, j.plan())
	if j.K >= j.Set.Bits {
		return list
	}
	for _, blocks := range []int{1, j.K/3 + 1, j.K/2 + 1, j.K + 1} {
		for _, key := range []struct{ bits, first int }{{1, 1}, {4, 2}, {10, 8}, {10, 0}} {
			if key.bits > j.Set.Bits/blocks || j.K/blocks > mostErrors {
				continue
			}
			p := j.plan()
			p.byBlocks(blocks, key.bits)
			p.first, p.second = uint(key.first), uint(key.bits-key.first)
			list = append(list, p)
		}
	}
	return list
}

func collect(t *testing.T, j *Join, p Plan) map[Pair]int {
	t.Helper()
	got := map[Pair]int{}
	j.pairs(context.Background(), &p, func(p Pair, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		got[p]++
		return true
	})
	return got
}

// checkPairs fails the test unless all plans find the same pairs as comparing all pairs.
func checkPairs(t *testing.T, j *Join) {
	t.Helper()
	if err := j.check(); err != nil {
		t.Fatal(err)
	}
	want := pairsOracle(j)
	for _, p := range plans(j) {
		checkEqual(t, want, collect(t, j, p))
	}
}

// Joins find the same pairs as comparing all pairs, for every kind of set and every width.
func TestPairs(t *testing.T) {
	t.Parallel()
	for _, width := range []int{8, 63, 64, 100, 256} {
		for _, n := range []int{0, 1, 40, 150} {
			for name, s := range sets(width, n, newRandom(uint64(width*1000+n))) {
				for _, k := range []int{0, 1, 3, 8, 20, width} {
					if !long.Enabled() && (k == 1 || k == 20) {
						continue
					}
					t.Run(fmt.Sprint(width, n, name, k), func(t *testing.T) {
						j := &Join{Set: s, K: k, Workers: 2}
						checkPairs(t, j)
					})
				}
			}
		}
	}
}

// Buckets that are cut once or twice more neither lose nor repeat pairs.
func TestPairsOfLargeBuckets(t *testing.T) {
	for _, width := range []int{64, 128} {
		s := sameBlock(plantedSet(width, 4000, newRandom(7)), width/4)
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			j := &Join{Set: s, K: 3}
			checkPairs(t, j)
		})
	}
}

// Cutting does not separate copies. A join with many copies must end, with every pair once.
func TestPairsOfCopies(t *testing.T) {
	t.Parallel()
	n := size(1400, 2500) // repeated cuts and comparisons would take minutes
	r := newRandom(9)
	halfEqual := randomSet(128, n, r) // equal in the windows of one block, but not of the others
	for i := range halfEqual.Len() {
		halfEqual.At(i)[0] = 7
	}
	for name, j := range map[string]*Join{
		"within":   {Set: repeated(randomSet(64, 1, r), n), K: 3},
		"wide":     {Set: repeated(randomSet(128, 1, r), n), K: 3},
		"in parts": {Set: halfEqual, K: 3},
	} {
		t.Run(name, func(t *testing.T) {
			found := 0
			for p, err := range j.Pairs(context.Background()) {
				if err != nil || p.A >= p.B {
					t.Fatal(p, err)
				}
				found++
			}
			if want := len(pairsOracle(j)); found != want {
				t.Errorf("%d pairs, expected %d", found, want)
			}
		})
	}
	if g, err := (&Join{Set: halfEqual, K: 3}).Groups(context.Background()); err != nil || g.Len() != 0 {
		t.Errorf("%v groups, expected none: %v", g, err)
	}
}

// An error of the last part is not lost, even if it comes late.
func TestErrorsOfParts(t *testing.T) {
	bad := errors.New("bad")
	for range 2000 {
		c := newCrew(context.Background(), 2, 1, nil)
		s := stage{prepare: func(context.Context, int) error { return nil }, parts: 1, run: func(*worker, int, sink) error { return bad }}
		for range c.inOrder(func(yield func(stage) bool) { yield(s) }) {
		}
		if !errors.Is(c.err(), bad) {
			t.Fatalf("error %v, expected the error of the part", c.err())
		}
		c.end()
	}
}

// correlatedSet returns fingerprints in which bits depend on the bit before, so that runs of them
// are equal, as in texts on one topic.
func correlatedSet(width, n int, r *rand.Rand) *index.Set {
	s := plantedSet(width, n, r)
	for i := range n - n/3 {
		words := s.At(i)
		for bit := 1; bit < width; bit++ {
			if before := words[(bit-1)/64] >> ((bit - 1) % 64) & 1; r.IntN(8) > 0 {
				words[bit/64] = words[bit/64]&^(1<<(bit%64)) | before<<(bit%64)
			}
		}
	}
	return s
}

// spreadSet returns fingerprints, a third of which differ from another in up to most bits.
func spreadSet(width, n, most int, r *rand.Rand) *index.Set {
	s := randomSet(width, n, r)
	for i := n - n/3; i < n; i++ {
		copy(s.At(i), s.At(r.IntN(n-n/3)))
		flip(s.At(i), width, r.IntN(most+1), r)
	}
	shuffle(s, r)
	return s
}

// Joins of wide fingerprints by blocks with errors find the same pairs as comparing all pairs, for
// several partitions and buckets with more than a few entries.
func TestWidePairs(t *testing.T) {
	t.Parallel()
	n := size(1100, 2100)
	for _, width := range []int{64, 96, 128, 256, 1000} {
		r := newRandom(uint64(width) + 5)
		for _, k := range []int{0, 5, 14, 21, 42, 64} {
			if !long.Enabled() && (width+k)%5 > 0 || 2*k > width {
				continue
			}
			for name, s := range map[string]*index.Set{
				"spread":     spreadSet(width, n, k+k/4+1, r),
				"correlated": correlatedSet(width, n, r),
				"copies":     joined(repeated(spreadSet(width, 40, k+1, r), n/80), spreadSet(width, n/2, k+1, r)),
			} {
				t.Run(fmt.Sprint(width, " ", k, name), func(t *testing.T) {
					j := &Join{Set: s, K: k, Workers: 2}
					want := pairsOracle(j)
					for _, p := range widePlans(j) {
						checkEqual(t, want, collect(t, j, p))
					}
				})
			}
		}
	}
}

// widePlans returns the usual plan of a join, and plans by blocks with several numbers of errors.
func widePlans(j *Join) []Plan {
	list := []Plan{j.plan()}
	for errors := range mostErrors {
		p := j.plan()
		blocks := j.K/(errors+1) + 1
		if p.byBlocks(blocks, min(9, j.Set.Bits/blocks)); p.Errors == errors {
			p.first = min(3, uint(p.KeyBits))
			p.second = uint(p.KeyBits) - p.first
			list = append(list, p)
		}
	}
	return list
}

// A plan for wide fingerprints uses blocks with errors if they cost less than a scan and than
// blocks that agree.
func TestWidePlan(t *testing.T) {
	s := &index.Set{Bits: 128, Words: make([]uint64, 2e6)}
	for k, errors := range map[int]int{3: 0, 10: 1, 21: 2} {
		p, err := (&Join{Set: s, K: k}).Plan()
		if err != nil || p.Errors != errors || p.Blocks == 0 || p.Comparisons > p.Pairs/10 {
			t.Errorf("k = %d: %+v, %v; expected blocks with %d errors", k, p, err, errors)
		}
	}
}

// attacks are sets of n fingerprints for which a naive search for groups takes quadratic time.
var attacks = map[string]func(width, n int) *index.Set{
	"block": func(width, n int) *index.Set { // all numbers in one block
		s := &index.Set{Bits: width, Words: make([]uint64, n*((width+63)/64))}
		for i := range n {
			s.At(i)[0] = 1<<63 | uint64(i)
		}
		return s
	},
	"cube": func(width, n int) *index.Set { return scattered(width, n, 24, newRandom(1)) },
	// Hardly any fingerprints are near each other, in bits that a join does not examine first.
	"thin":   func(width, n int) *index.Set { return scattered(width, n, 40, newRandom(1)) },
	"lines":  lines,
	"copies": func(width, n int) *index.Set { return repeated(scattered(width, 10, width, newRandom(1)), n/10) },
	"walk":   walk,
}

// scattered returns fingerprints that differ only in some random bits.
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

// lines returns the fingerprints of the lines of a log: a template with fields that vary.
func lines(width, n int) *index.Set {
	sketcher, err := fphash.New(fphash.Definition{Bits: width, Kind: fphash.MinHash})
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
// bits, all in two of ten blocks.
func walk(width, n int) *index.Set {
	s := &index.Set{Bits: width, Words: make([]uint64, n*((width+63)/64))}
	r := newRandom(4)
	for i := 1; i < n; i++ {
		copy(s.At(i), s.At(i-1))
		flip(s.At(i), width*3/4, 3, r)
	}
	return s
}

// attackSizes returns the sizes for the benchmarks of attacks, which take minutes in long runs.
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
							b.ReportMetric(float64(len(g.members)), "members")
						}
					}
				})
			}
		}
	}
}

// BenchmarkFirst has groups that would take quadratic time if each member were compared with all
// kept members.
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

// For random dense sets, every plan gives the same groups as all pairs. The sets are slightly
// larger than the least sizes of dense buckets and crowds, and pairs may differ in most of their
// bits.
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
		checkGroups(t, &Join{Set: s, K: k, Workers: 1 + r.IntN(2)})
		if t.Failed() {
			t.Fatalf("%d bits, %d fingerprints that vary in %d bits, k = %d", width, s.Len(), some, k)
		}
	}
}

// This also tests crowds that become nested joins, and giants that are skipped later.
func TestGroupsOfAttacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ width, k int }{{64, 3}, {64, 7}, {128, 3}, {128, 26}} {
		for name, attack := range attacks {
			t.Run(fmt.Sprint(name, c), func(t *testing.T) {
				r := newRandom(5)
				s := joined(attack(c.width, leastLarge+leastDense), randomSet(c.width, leastDense, r))
				for range 4 * leastDense { // at most k from one of them, in any bits
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
