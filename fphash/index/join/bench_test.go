package join

import (
	"context"
	"fmt"
	"testing"

	"simhashkit/fphash/index"
)

// splitMix64 is the first output of the SplitMix64 generator with state x.
func splitMix64(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// sparselyPlanted returns n random fingerprints. One of a hundred is within 3 bits of another.
func sparselyPlanted(n int) *index.Set {
	s := &index.Set{Bits: 64, Words: make([]uint64, n)}
	for i := range s.Words {
		s.Words[i] = splitMix64(uint64(i))
	}
	for i := range n / 100 {
		r := splitMix64(uint64(i + n))
		x := s.Words[i] ^ 1<<(r&63) ^ 1<<(r>>8&63)
		if r>>30&1 == 1 {
			x ^= 1 << (r >> 16 & 63)
		}
		s.Words[n-1-i] = x
	}
	return s
}

func BenchmarkPairs(b *testing.B) {
	for _, n := range []int{1e6, 1e7} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("workers=%d/n=%d", workers, n), func(b *testing.B) {
				j := &Join{Set: sparselyPlanted(n), K: 3, Workers: workers}
				for b.Loop() {
					pairs := 0
					for range j.Pairs(context.Background()) {
						pairs++
					}
					if pairs < n/100 {
						b.Fatalf("%d pairs", pairs)
					}
				}
			})
		}
	}
}

// tightGroups returns random fingerprints, half of them in ten groups with members within 2 bits of
// a centre.
func tightGroups(n int) *index.Set {
	s := sparselyPlanted(n)
	for i := range n / 2 {
		r := splitMix64(uint64(i + 2*n))
		s.Words[i*2] = splitMix64(r%10+uint64(3*n)) ^ 1<<(r>>8&63) ^ 1<<(r>>16&63)
	}
	return s
}

// versions returns copies of six fingerprints that differ from each other in 4 to 8 bits, like
// versions of one text. All are equally frequent.
func versions(n int) *index.Set {
	s := &index.Set{Bits: 64, Words: make([]uint64, n)}
	for i := range s.Words {
		s.Words[i] = 0x0123456789abcdef ^ 0x1111<<(i%6*8)
	}
	return s
}

// BenchmarkGroups has patterns that would take minutes if all pairs of copies, or of their chains,
// were compared.
func BenchmarkGroups(b *testing.B) {
	for _, c := range []struct {
		pattern string
		set     func(n int) *index.Set
		sizes   []int
	}{
		{"sparse", sparselyPlanted, []int{1e6, 1e7}},
		{"skewed", tightGroups, []int{1e6, 1e7}},
		{"versions", versions, []int{1e5}},
		{"chain", func(n int) *index.Set { return chain(64, n) }, []int{1e6}},
	} {
		for _, n := range c.sizes {
			b.Run(fmt.Sprintf("pattern=%s/n=%d", c.pattern, n), func(b *testing.B) {
				j := &Join{Set: c.set(n), K: 3}
				for b.Loop() {
					if g, err := j.Groups(context.Background()); err != nil || g.Len() < 1 {
						b.Fatal(g.Len(), err)
					}
				}
			})
		}
	}
}
