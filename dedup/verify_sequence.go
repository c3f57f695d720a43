package dedup

import (
	"context"
	"math/bits"
	"slices"
)

// InSequence returns the part of two texts, as hashes of their tokens, that stays where insertions
// and deletions turn one into the other: twice the longest common subsequence, of the tokens of
// both.
func InSequence(ctx context.Context, a, b []uint64) (float64, error) {
	common, err := longestCommonSubsequence(ctx, a, b)
	return 2 * float64(common) / float64(max(len(a)+len(b), 1)), err
}

// longestCommonSubsequence returns its length. It works on 64 tokens of a at a time: bit i of rows
// is 0 where the subsequence of what has been read of b and the first i+1 tokens of a is one longer
// than that of the first i. (Hyyrö: Bit-Parallel LCS-length Computation Revisited, AWOCA 2004.)
//
// Cost: len(a)·len(b)/64 steps of what lies between the first and the last difference.
func longestCommonSubsequence(ctx context.Context, a, b []uint64) (length int, err error) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, length = a[1:], b[1:], length+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, length = a[:len(a)-1], b[:len(b)-1], length+1
	}
	// places has the upper half of each token of a, and below it where it stands, ascending.
	const half = 32
	places := make([]uint64, len(a))
	for i, token := range a {
		places[i] = token>>half<<half | uint64(i)
	}
	slices.Sort(places)
	rows, match := make([]uint64, (len(a)+63)/64), make([]uint64, (len(a)+63)/64)
	for i := range rows {
		rows[i] = ^uint64(0)
	}
	var found []uint32                // where a token stands in a
	frequent := map[uint64][]uint64{} // the matches of tokens that stand in a more often than it has rows
	for _, token := range b {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		if kept, ok := frequent[token]; ok {
			addMatches(rows, kept)
			continue
		}
		found = found[:0]
		from, _ := slices.BinarySearch(places, token>>half<<half)
		for ; from < len(places) && places[from]>>half == token>>half; from++ {
			if i := uint32(places[from]); a[i] == token {
				found = append(found, i)
				match[i/64] |= 1 << (i % 64)
			}
		}
		if len(found) == 0 {
			continue
		}
		addMatches(rows, match)
		if len(found) > len(rows) {
			frequent[token] = slices.Clone(match)
		}
		for _, i := range found {
			match[i/64] = 0
		}
	}
	for i, row := range rows {
		if rest := len(a) - 64*i; rest < 64 {
			row |= ^uint64(0) << rest
		}
		length += bits.OnesCount64(^row)
	}
	return length, nil
}

// addMatches reads a token of b that stands in a where match has ones.
func addMatches(rows, match []uint64) {
	carry := uint64(0)
	for i, row := range rows {
		u := row & match[i]
		var sum uint64
		sum, carry = bits.Add64(row, u, carry)
		rows[i] = sum | row&^u
	}
}
