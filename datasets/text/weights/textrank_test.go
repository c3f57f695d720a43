package weights

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// The graph of adjacent words in "a b c b" is a–b–c with weights 1 and 2. Its ranks have a closed
// form, since b is the only neighbour of a and c.
func TestTextRankOfAPath(t *testing.T) {
	w := weigher(t, Options{Scheme: TextRank})
	w.count(fields("a b c b"))
	ranks := w.ranks.rank(3, 2)
	// b = 0.15 + 0.85 (a + c), a = 0.15 + 0.85 b/3, c = 0.15 + 0.85 2b/3
	b := (0.15 + 0.85*0.3) / (1 - 0.85*0.85)
	for i, want := range []float64{0.15 + 0.85*b/3, b, 0.15 + 0.85*2*b/3} {
		if got := ranks[i]; math.Abs(got-want) > 1e-3 {
			t.Errorf("%c: %v, want %v", 'a'+i, got, want)
		}
	}
}

// Ranks equal those of the definition, computed with a full matrix.
func TestTextRankOfAMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	w := weigher(t, Options{Scheme: TextRank}) // reused for several texts
	for range 50 {
		var words []string
		for range 1 + r.IntN(60) {
			words = append(words, string(rune('a'+r.IntN(1+r.IntN(20)))))
		}
		window := 2 + r.IntN(6)
		want := naiveRanks(words, window)
		w.counter.reset()
		w.count(fields(strings.Join(words, " ")))
		if len(w.counter.terms) != len(want) {
			t.Fatalf("%d features, want %d", len(w.counter.terms), len(want))
		}
		for i, rank := range w.ranks.rank(len(want), window) {
			if feature := string(w.counter.terms[i].feature); math.Abs(rank-want[feature]) > 2e-3 {
				t.Fatalf("%q, window %d: %s has %v, want %v", words, window, feature, rank, want[feature])
			}
		}
	}
}

func naiveRanks(words []string, window int) map[string]float64 {
	weight := map[[2]string]float64{}
	total, ranks := map[string]float64{}, map[string]float64{}
	for i, a := range words {
		ranks[a] = 1
		for j := i + 1; j < len(words) && j < i+window; j++ {
			if b := words[j]; a != b {
				weight[[2]string{a, b}]++
				weight[[2]string{b, a}]++
				total[a]++
				total[b]++
			}
		}
	}
	for range 300 {
		next := map[string]float64{}
		for a := range ranks {
			sum := 0.0
			for b := range ranks {
				if w := weight[[2]string{a, b}]; w > 0 {
					sum += w / total[b] * ranks[b]
				}
			}
			next[a] = 0.15 + 0.85*sum
		}
		ranks = next
	}
	return ranks
}

// The bits are frozen: ranks are equal on every machine.
func TestTextRankIsPortable(t *testing.T) {
	v := weigher(t, Options{Scheme: TextRank}).Weigh(fields("simple things should be simple complex things should be possible"))
	for i, want := range []uint64{0x3ff35f3b84cf4037, 0x3feb68ef84426715, 0x3fdfe42a9468c7aa, 0x3ff35f3b84cf4037, 0x3ff034cb0a56d9dd, 0x3ff35f3b84cf4037} {
		if got := math.Float64bits(v.Weights[i]); got != want {
			t.Errorf("%s: %#x, want %#x", v.Features[i], got, want)
		}
	}
}
