package dedup

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"simhashkit/datasets/text"
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

// Words count, whatever their case and the signs between them; in scripts without spaces characters
// do, those of other words too.
func TestInSequence(t *testing.T) {
	analyzer, err := text.New(text.Options{})
	if err != nil {
		t.Fatal(err)
	}
	of := Measure{Kind: Sequence, Least: 0.9}.Of(analyzer)
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"One, two: THREE four.", "one two three four", 1},
		{"a b c d e f g h i j", "a b c d e f g h i x", 0.9},
		{"one ...................... two", "six ...................... ten", 0},
		{"+++ --", "+++ ==", 0.6},
		{"東京の文書 libabc", "東京の文書 libxyz", 16. / 22},
		{"", "", 0},
	} {
		if got, err := InSequence(t.Context(), of([]byte(c.a)), of([]byte(c.b))); err != nil || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%q and %q: %v, %v, expected %v", c.a, c.b, got, err, c.want)
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
