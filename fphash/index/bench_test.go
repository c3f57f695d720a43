package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchSet returns random 64-bit fingerprints.
func benchSet(n int) *Set {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	set := &Set{Bits: 64, Words: make([]uint64, n)}
	for i := range set.Words {
		set.Words[i] = r.Uint64()
	}
	return set
}

// millions lists the sizes of sets. CI runs every benchmark once, so larger sets are only in fphash
// bench --suite search --full.
var millions = []int{1}

var benched = []string{"blocks", "manku10", "manku16", "manku20", "split", "scan", "auto"}

func BenchmarkBuild(b *testing.B) {
	for _, name := range benched {
		for _, m := range millions {
			b.Run(fmt.Sprintf("index=%s/f=64/k=3/n=%d", name, m*1e6), func(b *testing.B) {
				set := benchSet(m * 1e6)
				for b.Loop() {
					s, err := build(set, Options{Structure: name, K: 3})
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(s.Bytes())/float64(set.Len()), "bytes/entry")
				}
			})
		}
	}
}

// BenchmarkQuery measures queries with random fingerprints, whose buckets are not in a cache.
func BenchmarkQuery(b *testing.B) {
	for _, name := range benched {
		for _, m := range millions {
			var s Structure
			prefix := fmt.Sprintf("index=%s/f=64/k=3", name)
			for _, batch := range []int{1, 1000} {
				title := prefix
				if batch > 1 {
					title += fmt.Sprintf("/queries=%d", batch)
				}
				b.Run(title+fmt.Sprintf("/n=%d", m*1e6), func(b *testing.B) {
					if s == nil {
						s = mustBuild(b, name, benchSet(m*1e6))
					}
					benchQueries(b, s, batch)
				})
			}
		}
	}
}

func mustBuild(b *testing.B, name string, set *Set) Structure {
	s, err := build(set, Options{Structure: name, K: 3})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func benchQueries(b *testing.B, s Structure, batch int) {
	r := rand.New(rand.NewPCG(3, 4))
	slow := strings.Contains("scan split", s.Name())
	queries := make([]Query, 1<<16)
	if slow {
		queries = queries[:1000]
	}
	for i := range queries {
		queries[i].Words = []uint64{r.Uint64()}
	}
	var matches []Match
	var each []QueryMatch
	i, asked := 0, 0
	for b.Loop() {
		if i+batch > len(queries) {
			i = 0
		}
		if batch == 1 {
			matches, _ = s.AppendWithin(matches[:0], queries[i], 3)
		} else {
			each, _ = s.AppendWithinBatch(each[:0], queries[i:i+batch], 3)
		}
		i, asked = i+batch, asked+batch
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(asked), "ns/query")
}
