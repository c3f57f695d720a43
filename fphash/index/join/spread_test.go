package join

import (
	"math"
	"math/rand/v2"
	"testing"

	"simhashkit/fphash/index"
)

// Fingerprints whose bits differ with probability one half are met like random ones.
func TestMetOfRandomSpread(t *testing.T) {
	s := assumedSpread(128, 0.5)
	for _, keyBits := range []int{1, 3, 12, 20} {
		got, want := s.met(keyBits), metAtRandom(keyBits)
		if math.Abs(got.differ-0.5) > 1e-9 {
			t.Errorf("%d bits: another bit differs with probability %v, want 0.5", keyBits, got.differ)
		}
		for errors := range want.shares {
			if math.Abs(got.shares[errors]-want.shares[errors]) > 1e-9 {
				t.Errorf("%d bits: %v, want %v", keyBits, got.shares, want.shares)
			}
		}
		for _, n := range []int{1, 32, 50} {
			for k := range n + 1 {
				if a, b := got.atMost(n)[k], want.atMost(n)[k]; math.Abs(a-b) > 1e-9 {
					t.Errorf("%d bits: at most %d of %d bits differ with probability %v, want %v", keyBits, k, n, a, b)
				}
			}
		}
	}
}

// crowdedSet returns fingerprints whose bits differ with probability 0.4.
func crowdedSet(n int) *index.Set {
	set, random := &index.Set{Bits: 128}, rand.New(rand.NewPCG(7, 8))
	for range n {
		var words [2]uint64
		for bit := range 128 { // 2·p·(1-p) = 0.4
			if random.Float64() < 0.276393 {
				words[bit/64] |= 1 << (bit % 64)
			}
		}
		set.Words = append(set.Words, words[:]...)
	}
	return set
}

// A plan with Recall for crowded fingerprints has longer keys, and predicts how many pairs agree in
// them.
func TestPlanOfCrowdedFingerprints(t *testing.T) {
	const n = 100_000
	crowded := &Join{Set: crowdedSet(n), K: 21, Differ: 0.0909, Recall: 0.99}
	random := &Join{Set: randomSet(128, n, newRandom(1)), K: 21, Differ: 0.0909, Recall: 0.99}
	p, q := crowded.plan(), random.plan()
	if p.Tables == 0 || q.Tables > 0 && p.KeyBits <= q.KeyBits || p.Recall() < 0.99 {
		t.Errorf("%d tables with %d bits and a recall of %v, for random fingerprints %d with %d", p.Tables, p.KeyBits, p.Recall(), q.Tables, q.KeyBits)
	}
	s := crowded.measuredSpread()
	agree := map[uint64]int{}
	for i := range n {
		agree[crowded.Set.At(i)[0]>>(64-12)]++
	}
	pairs := 0
	for _, count := range agree {
		pairs += count * (count - 1) / 2
	}
	if share := float64(pairs) / (float64(n) * (n - 1) / 2); math.Abs(s.met(12).shares[0]/share-1) > 0.1 {
		t.Errorf("%v of the pairs agree in 12 bits, predicted %v", share, s.met(12).shares[0])
	}
}
