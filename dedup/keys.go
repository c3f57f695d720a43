package dedup

import (
	"fmt"
	"math"

	"simhashkit/fphash"
	"simhashkit/internal/binomial"
	"simhashkit/textsketch"
)

// Keys are the settings of a search by keys of minima, for programs that group equal values.
type Keys struct {
	textsketch.Keys
	K int // largest distance of the fingerprints of candidates, in bits

	// Recall is the share of the pairs at exactly the required similarity that the search is
	// expected to find at least: they share a key, and their fingerprints are within K bits.
	Recall float64
}

// keyBytes is the most that Spec.Keys takes for the keys of a text by default, 8 bytes for each.
const keyBytes = 200

// Keys returns the keys with which a search finds at least the share Recall of the pairs whose
// similarity is Similarity or more. The features are those of Candidates. Each key is made of the
// given number of minima; 0 stands for as many as keys of 200 bytes for each text allow. More
// minima need more keys, and fewer unrelated texts share one. The Measure must be one of texts.
func (s Spec) Keys(minima int) (Keys, error) {
	c := s.Candidates()
	if c.Sketch != fphash.MinHash {
		return Keys{}, fmt.Errorf("dedup: keys of minima require texts, got the measure %s", s.Measure)
	}
	jaccard := 1 - 2*c.Differ
	// A pair is missed if it shares no key, or if its fingerprints are too far apart. Each may lose
	// half of the pairs that Recall allows to lose; see Spec.threshold.
	miss := (1 - s.Recall) / 2
	count := func(minima int) int {
		return max(1, int(math.Ceil(math.Log(miss)/math.Log1p(-math.Pow(jaccard, float64(minima))))))
	}
	if minima == 0 {
		for minima = 1; minima < mostMinima && 8*count(minima+1) <= keyBytes; minima++ {
		}
	}
	if minima < 1 || minima > mostMinima {
		return Keys{}, fmt.Errorf("keys of %d minima, expected 1 to %d", minima, mostMinima)
	}
	k := Keys{Keys: textsketch.Keys{Minima: minima, Count: count(minima)}, K: c.K}
	if minima*k.Count > fphash.MaxBits {
		return k, fmt.Errorf("keys of %d minima for the similarity %v would need %d minima, expected at most %d", minima, s.Similarity, minima*k.Count, fphash.MaxBits)
	}
	shares := 1 - math.Pow(1-math.Pow(jaccard, float64(minima)), float64(k.Count))
	k.Recall = shares + binomial.OfJaccard(c.Bits, jaccard)[c.K] - 1
	return k, nil
}

// mostMinima is the largest number of minima of a key.
const mostMinima = 32
