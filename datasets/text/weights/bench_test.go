package weights

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkWeigh weighs documents of up to 60 words, and one document with the words of all.
func BenchmarkWeigh(b *testing.B) {
	documents := corpus()
	builder := NewBuilder("")
	var all [][]byte
	for _, d := range documents {
		builder.Add(d)
		all = append(all, d...)
	}
	table := builder.List()
	for _, o := range []Options{{Scheme: Count}, {Scheme: TFIDF, List: table}, {Scheme: TextRank}} {
		b.Run("weights="+string(o.Scheme)+"/documents=short", func(b *testing.B) { benchmarkWeigh(b, o, documents) })
		b.Run("weights="+string(o.Scheme)+"/documents=long", func(b *testing.B) { benchmarkWeigh(b, o, [][][]byte{all}) })
	}
}

func benchmarkWeigh(b *testing.B, o Options, documents [][][]byte) {
	w := weigher(b, o)
	features := 0
	for _, d := range documents {
		features += len(d)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range documents {
			w.Weigh(d)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(features), "ns/feature")
}

// corpus returns documents with a Zipf-like distribution of words.
func corpus() [][][]byte {
	r := rand.New(rand.NewPCG(1, 5))
	zipf := rand.NewZipf(r, 1.1, 2, 5000)
	list := make([][][]byte, 400)
	for i := range list {
		for range r.IntN(60) {
			list[i] = append(list[i], fmt.Appendf(nil, "w%d", zipf.Uint64()))
		}
	}
	return list
}
