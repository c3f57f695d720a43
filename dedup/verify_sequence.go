package dedup

import (
	"cmp"
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
	places := make([]int32, len(a)) // of the tokens of a, by token
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(i, j int32) int {
		if a[i] != a[j] {
			return cmp.Compare(a[i], a[j])
		}
		return int(i - j)
	})
	rows, match := make([]uint64, (len(a)+63)/64), make([]uint64, (len(a)+63)/64)
	for i := range rows {
		rows[i] = ^uint64(0)
	}
	for _, token := range b {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		from, _ := slices.BinarySearchFunc(places, token, func(i int32, token uint64) int { return cmp.Compare(a[i], token) })
		to := from
		for ; to < len(places) && a[places[to]] == token; to++ {
			match[places[to]/64] |= 1 << (places[to] % 64)
		}
		if from == to {
			continue
		}
		carry := uint64(0)
		for i, row := range rows {
			u := row & match[i]
			var sum uint64
			sum, carry = bits.Add64(row, u, carry)
			rows[i] = sum | row&^u
		}
		for _, i := range places[from:to] {
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
