package search

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/hamming"
)

// CI runs every benchmark once, so larger sets are only in fphash bench --suite search --full.
const benched = 1_000_000

var benchedDesigns = []Design{{}, {4, 0}, {2, 1}}

func BenchmarkBuild(b *testing.B) {
	set := newShape(rand.New(rand.NewPCG(1, benched)), shapes[0], 64, benched)
	for _, d := range benchedDesigns {
		b.Run(fmt.Sprintf("index=%s/f=64/k=3/n=%d", d, benched), func(b *testing.B) {
			for b.Loop() {
				s := mustBuild(b, set, d, 0)
				b.ReportMetric(float64(s.Bytes())/benched, "bytes/entry")
			}
		})
	}
}

// BenchmarkQuery measures queries with random fingerprints, whose buckets are not in a cache.
func BenchmarkQuery(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	set := newShape(r, shapes[0], 64, benched)
	for _, d := range benchedDesigns {
		s := mustBuild(b, set, d, 0)
		b.Run(fmt.Sprintf("index=%s/f=64/k=3/n=%d", d, benched), func(b *testing.B) {
			queries := make([]uint64, 1<<16)
			for i := range queries {
				queries[i] = r.Uint64()
			}
			var matches []hamming.Match
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				matches, _ = s.AppendWithin(matches[:0], queries[i%len(queries):][:1], 3)
			}
		})
	}
}
