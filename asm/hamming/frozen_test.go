package hamming

import (
	"fmt"
	"testing"

	"simhashkit/asm/internal/frozen"
	"simhashkit/asm/internal/kernels"
)

// TestFrozenOutputs holds the dispatch of the scan, at every tier, to one file.
func TestFrozenOutputs(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) {
		t.Run("split", func(t *testing.T) { frozen.Check(t, "split", frozenScan("split", 1, splitDispatch)) })
		t.Run("near", func(t *testing.T) { frozen.Check(t, "near", frozenNear()) })
		planes := func(dst []Match, fingerprints held, query []uint64, k int) []Match {
			return planesOf(len(query), fingerprints.words).AppendWithin(dst, query, k)
		}
		for _, words := range []int{1, 2, 4} {
			op := fmt.Sprintf("planes/words=%d", words)
			t.Run(op, func(t *testing.T) { frozen.Check(t, op, frozenScan(op, words, planes)) })
		}
		for _, words := range []int{1, 2, 3, 4, 8, 9, 16} {
			op := fmt.Sprintf("scan/words=%d", words)
			t.Run(op, func(t *testing.T) { frozen.Check(t, op, frozenScan(op, words, wholeDispatch)) })
		}
	})
}

func frozenScan(op string, words int, appendWithin scan) (lines []string) {
	var source frozen.Source
	var all frozen.Code
	scan := func(n int) (count int, one frozen.Code) {
		fingerprints, query := make([]uint64, n*words), make([]uint64, words)
		for i := range query {
			query[i] = source.Next()
		}
		for i := range fingerprints {
			fingerprints[i] = query[i%words] ^ source.Next()&source.Next()&source.Next()&source.Next()
		}
		for _, k := range []int{0, 3 * words, 4 * words, 64 * words} {
			for _, match := range appendWithin(nil, hold(fingerprints), query, k) {
				one.Add(uint64(match.Index))
				one.Add(uint64(match.Distance))
				count++
			}
		}
		if words == 1 {
			one.Add(Read(fingerprints))
		}
		all.Add(uint64(one))
		return count, one
	}
	for n := range 65 {
		count, one := scan(n)
		lines = append(lines, fmt.Sprintf("%s n=%d matches=%d code=%016x", op, n, count, uint64(one)))
	}
	for _, n := range []int{127, 128, 129, 1000, 5000} {
		scan(n)
	}
	return append(lines, fmt.Sprintf("%s verification=%016x", op, uint64(all)))
}

func frozenNear() (lines []string) {
	var source frozen.Source
	var all frozen.Code
	join := func(n int) (count int, one frozen.Code) {
		words := make([]uint32, n)
		for i := range words {
			words[i] = uint32(source.Next() & source.Next() & source.Next())
		}
		for _, k := range []int{0, 3, 4, 9, 32} {
			pairs := AppendNearPairs(AppendNear(nil, words[:n/3], words, k), words, k)
			for _, pair := range pairs {
				one.Add(uint64(pair.Row)<<32 | uint64(pair.Column))
			}
			count += len(pairs)
		}
		all.Add(uint64(one))
		return count, one
	}
	for n := range 65 {
		count, one := join(n)
		lines = append(lines, fmt.Sprintf("near n=%d pairs=%d code=%016x", n, count, uint64(one)))
	}
	for _, n := range []int{127, 128, 129, 1100} {
		join(n)
	}
	return append(lines, fmt.Sprintf("near verification=%016x", uint64(all)))
}
