package hamming

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// TestFrozenOutputs compares scans and joins at every tier with the recorded outputs.
func TestFrozenOutputs(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) {
		t.Run("near", func(t *testing.T) { cases.CheckFrozen(t, "near", frozenNear()) })
		for _, words := range []int{1, 2, 3, 4, 8, 9, 16} {
			op := fmt.Sprintf("scan/words=%d", words)
			t.Run(op, func(t *testing.T) { cases.CheckFrozen(t, op, frozenScan(op, words)) })
		}
	})
}

func frozenScan(op string, words int) (lines []string) {
	var source cases.Source
	var all cases.Code
	scan := func(n int) (count int, one cases.Code) {
		fingerprints, query := make([]uint64, n*words), make([]uint64, words)
		for i := range query {
			query[i] = source.Next()
		}
		for i := range fingerprints {
			flips := ^uint64(0)
			for range 4 {
				flips &= source.Next()
			}
			fingerprints[i] = query[i%words] ^ flips
		}
		for _, k := range []int{0, 3 * words, 4 * words, 64 * words} {
			for _, match := range AppendWithin(nil, fingerprints, query, k) {
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
	var source cases.Source
	var all cases.Code
	join := func(n int) (count int, one cases.Code) {
		words := make([]uint32, n)
		for i := range words {
			word := ^uint64(0)
			for range 3 {
				word &= source.Next()
			}
			words[i] = uint32(word)
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

// withinCounted returns what withinOracle returns, but counts the bits of a whole word at once. So
// ten million inputs are practical. comparison.run compares it with the oracle.
func withinCounted(dst []Match, fingerprints, query []uint64, k int) []Match {
	for i := 0; i < len(fingerprints); i += len(query) {
		d := 0
		for j, q := range query {
			d += bits.OnesCount64(fingerprints[i+j] ^ q)
		}
		if d <= k {
			dst = append(dst, Match{i / len(query), d})
		}
	}
	return dst
}

// comparison holds all kernels, the dispatch and the batch to the oracle, again and again in the
// same memory.
type comparison struct {
	want, got []Match
	pairs     []QueryMatch
}

// run returns an error if the results for an input differ. The dispatch and the batch scan run at
// the tier. The oracle itself checks all short inputs, and one in sixteen of the others.
func (c *comparison) run(tier cpu.Tier, fingerprints, query []uint64, k int) error {
	c.want = withinCounted(c.want[:0], fingerprints, query, k)
	check := func(name string) error {
		if !slices.Equal(c.got, c.want) {
			return fmt.Errorf("%s: %v, want %v\nquery %#x\nk=%d\nfingerprints %#x", name, c.got, c.want, query, k, fingerprints)
		}
		return nil
	}
	if len(fingerprints) <= 2 || fingerprints[0]&15 == 7 {
		c.got = withinOracle(fingerprints, query, k)
		if err := check("the oracle and withinCounted differ"); err != nil {
			return err
		}
	}
	for i, kernel := range scans {
		if !kernel.Available() {
			continue
		}
		registers.Spoil(i%2 == 0)
		c.got = kernel.Call(c.got[:0], fingerprints, query, k)
		if err := check(kernel.Name); err != nil {
			return err
		}
	}
	former, err := cpu.SetTier(tier)
	if err != nil {
		return err
	}
	defer cpu.SetTier(former)
	c.got = AppendWithin(c.got[:0], fingerprints, query, k)
	if err := check("dispatch at " + tier.String()); err != nil {
		return err
	}
	c.pairs = AppendWithinBatch(c.pairs[:0], fingerprints, query, len(query), k)
	c.got = c.got[:0]
	for _, pair := range c.pairs {
		if pair.Query != 0 {
			return fmt.Errorf("batch at %v: a match of query %d, but there is only one", tier, pair.Query)
		}
		c.got = append(c.got, pair.Match)
	}
	return check("batch at " + tier.String())
}

// TestScanOnRandomInput tests fingerprints of all widths, near the query and far from it, with
// limits of all sizes. Half of the inputs have fingerprints of one word.
func TestScanOnRandomInput(t *testing.T) {
	const most = 3000
	r := seeded(t)
	tiers, c := cpu.Supported(), new(comparison)
	words := make([]uint64, most)
	for range cases.Rounds(t, 100, 1500) {
		width := 1
		if r.IntN(2) == 0 {
			width = widths[r.IntN(len(widths))]
		}
		longest := 200
		if r.IntN(40) == 0 {
			longest = most
		}
		query := randomWords(r, width)
		fingerprints := words[:r.IntN(longest)/width*width]
		fill(r, fingerprints, query, 1+r.IntN(60))
		k := r.IntN(10 * width)
		if r.IntN(16) == 0 {
			k = r.IntN(65*width) - 1
		}
		tier := tiers[r.IntN(len(tiers))]
		if err := c.run(tier, fingerprints, query, k); err != nil {
			t.Fatalf("%d words: %v", width, c.shrunk(tier, fingerprints, query, k))
		}
	}
}

// shrunk reduces an input that fails and returns the error for the smaller input. It drops
// fingerprints, or replaces them by zero.
func (c *comparison) shrunk(tier cpu.Tier, fingerprints, query []uint64, k int) error {
	rows := slices.Collect(slices.Chunk(fingerprints, len(query)))
	zero := make([]uint64, len(query))
	run := func(rows [][]uint64) error { return c.run(tier, slices.Concat(rows...), query, k) }
	return run(cases.Shrink(rows, func(row []uint64) (simpler [][]uint64) {
		if !slices.Equal(row, zero) {
			simpler = append(simpler, zero)
		}
		return simpler
	}, func(rows [][]uint64) bool { return run(rows) != nil }))
}
