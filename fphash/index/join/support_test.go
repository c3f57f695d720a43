package join

import (
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/testing/long"
)

// sets returns sets of n fingerprints for which searches may fail in different ways.
func sets(width, n int, r *rand.Rand) map[string]*index.Set {
	return map[string]*index.Set{
		"random":    randomSet(width, n, r),
		"planted":   plantedSet(width, n, r),
		"clustered": clusteredSet(width, n, 5, r),
		"equal":     repeated(randomSet(width, 1, r), n),
		"one block": sameBlock(plantedSet(width, n, r), width/3),
		"halves":    joined(repeated(randomSet(width, 1, r), n/2), plantedSet(width, n-n/2, r)),
	}
}

func randomSet(width, n int, r *rand.Rand) *index.Set {
	s := &index.Set{Bits: width}
	s.Words = make([]uint64, n*s.Stride())
	for i := range s.Words {
		s.Words[i] = r.Uint64()
	}
	return trimmed(s)
}

// trimmed clears the bits beyond the width.
func trimmed(s *index.Set) *index.Set {
	if s.Bits%64 != 0 {
		for i := s.Stride() - 1; i < len(s.Words); i += s.Stride() {
			s.Words[i] &= 1<<(s.Bits%64) - 1
		}
	}
	return s
}

// plantedSet returns fingerprints, a fifth of which differ from another in at most 7 bits.
func plantedSet(width, n int, r *rand.Rand) *index.Set {
	s := randomSet(width, n, r)
	for i := n - n/5; i < n; i++ {
		copy(s.At(i), s.At(r.IntN(i)))
		flip(s.At(i), width, r.IntN(8), r)
	}
	shuffle(s, r)
	return s
}

// clusteredSet returns groups of fingerprints, each within 4 bits of its group's centre.
func clusteredSet(width, n, groups int, r *rand.Rand) *index.Set {
	centres, s := randomSet(width, groups, r), randomSet(width, n, r)
	for i := range n {
		copy(s.At(i), centres.At(r.IntN(groups)))
		flip(s.At(i), width, r.IntN(5), r)
	}
	return s
}

func flip(words []uint64, width, bits int, r *rand.Rand) {
	for range bits {
		bit := r.IntN(width)
		words[bit/64] ^= 1 << (bit % 64)
	}
}

func shuffle(s *index.Set, r *rand.Rand) {
	r.Shuffle(s.Len(), func(i, j int) {
		a, b := s.At(i), s.At(j)
		for w := range a {
			a[w], b[w] = b[w], a[w]
		}
	})
}

func repeated(s *index.Set, n int) *index.Set {
	return &index.Set{Bits: s.Bits, Words: slices.Repeat(s.Words, n)}
}

// sameBlock gives all fingerprints the same lowest bits.
func sameBlock(s *index.Set, width int) *index.Set {
	for i := range s.Len() {
		for bit := range width {
			s.At(i)[bit/64] &^= 1 << (bit % 64)
		}
	}
	return s
}

func joined(a, b *index.Set) *index.Set {
	return &index.Set{Bits: a.Bits, Words: slices.Concat(a.Words, b.Words)}
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 16)) }

// pairsOracle compares all pairs. It is an oracle: do not change it.
func pairsOracle(j *Join) map[Pair]int {
	pairs := map[Pair]int{}
	for a := range j.Set.Len() {
		for b := a + 1; b < j.Set.Len(); b++ {
			if d := j.Set.Distance(a, j.Set, b); d <= j.K {
				pairs[Pair{j.Set.ID(a), j.Set.ID(b), d}]++
			}
		}
	}
	return pairs
}

// checkEqual fails the test unless got has exactly the wanted pairs, each once.
func checkEqual(t *testing.T, want, got map[Pair]int) {
	t.Helper()
	for p, n := range got {
		if want[p] != n {
			t.Errorf("%v was found %d times, expected %d", p, n, want[p])
			return
		}
	}
	for p := range want {
		if got[p] == 0 {
			t.Errorf("%v was not found; %d of %d were found", p, len(got), len(want))
			return
		}
	}
}

// size returns the size of a set, which is larger in long runs.
func size(few, more int) int {
	if long.Enabled() {
		return more
	}
	return few
}
