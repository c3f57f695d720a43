package hamming

import (
	"fmt"
	"testing"

	"simhashkit/asm/internal/random"
)

// BenchmarkNearPairs joins buckets of random words, of several sizes, by each kernel and by the
// plain loop; NearRow is one row against as many columns. It reports the time per pair of words.
func BenchmarkNearPairs(b *testing.B) {
	const k, buckets = 3, 64
	for _, n := range []int{15, 150, 760} {
		words := randomWords32(random.Seeded(b), n*buckets)
		dst := make([]NearPair, 0, 1000)
		run := func(name string, comparisons int, call func(words []uint32)) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					call(words[i%buckets*n:][:n])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(comparisons), "ns/pair")
			})
		}
		run("naive", n*(n-1)/2, func(words []uint32) { nearPairsCounted(words, k) })
		for _, kernel := range joins {
			if kernel.Available() {
				run(kernel.Name, n*(n-1)/2, func(words []uint32) { kernel.Call.pairs(dst, words, k) })
			}
		}
		for _, kernel := range joins {
			if kernel.Available() {
				run("row/"+kernel.Name, n, func(columns []uint32) { kernel.Call.rows(dst, words[:1], columns, k) })
			}
		}
	}
}

// BenchmarkPlanes scans planes of 10,240 and of a million fingerprints, beside the scans of the
// other layouts.
func BenchmarkPlanes(b *testing.B) {
	for _, n := range []int{10_240, 1 << 20} {
		r := random.Seeded(b)
		fingerprints := randomWords(r, n)
		query, scanned, p := randomWords(r, 1), hold(fingerprints), planesOf(1, fingerprints)
		dst := make([]Match, 0, 1000)
		run := func(name string, call func()) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				b.SetBytes(int64(8 * n))
				for b.Loop() {
					call()
				}
			})
		}
		run("read", func() { Read(fingerprints) })
		run("whole", func() { wholeDispatch(dst, scanned, query, 3) })
		run("split", func() { splitDispatch(dst, scanned, query, 3) })
		for _, kernel := range planesScans {
			if kernel.Available() {
				run("planes/"+kernel.Name, func() { kernel.Call(dst, p, query, 3) })
			}
		}
	}
}
