package dedup

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// The length is that of the recurrence, also of more than 64 tokens and where tokens come often.
func TestLongestCommonSubsequence(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 3000 {
		lists := [2][]uint64{}
		words := [2][]string{}
		kinds := 1 + r.IntN(20)
		for side := range lists {
			for range r.IntN(200) {
				token := r.Uint64N(uint64(kinds))
				token |= token % 3 << 40 // some have the same upper half
				lists[side], words[side] = append(lists[side], token), append(words[side], fmt.Sprint(token))
			}
		}
		if r.IntN(2) == 0 { // edited copies
			lists[1], words[1] = append([]uint64{7 | 7%3<<40}, lists[0]...), append([]string{fmt.Sprint(uint64(7 | 7%3<<40))}, words[0]...)
		}
		got, err := longestCommonSubsequence(t.Context(), lists[0], lists[1])
		if want := commonByDefinition(words[0], words[1]); err != nil || got != want {
			t.Fatalf("%v and %v: %d, %v, expected %d", lists[0], lists[1], got, err, want)
		}
	}
}

func TestSequenceIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStopped)
	if _, err := longestCommonSubsequence(ctx, []uint64{1, 2}, []uint64{3, 1}); !errors.Is(err, errStopped) {
		t.Error(err)
	}
}
