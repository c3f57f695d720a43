// Package keys chooses the keys of minima by which engines such as Spark find texts that may be
// similar.
package keys

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/binomial"
	"simhashkit/textsketch"
)

// Keys are the settings of a search by keys of minima.
type Keys struct {
	textsketch.Keys
	K int // largest distance of the fingerprints of candidates, in bits

	// Recall is the share of the pairs at exactly the required similarity that the search is
	// expected to find at least: they share a key, and their fingerprints are within K bits.
	Recall float64
}

const (
	// usualBytes is the most that New takes for the keys of a text by default, 8 bytes for each.
	usualBytes = 200
	// mostBytes is the most that Choose takes.
	mostBytes = 400
	// mostMinima is the largest number of minima of a key.
	mostMinima = 32

	// keysLose is the part of the pairs that dedup.Spec.Recall allows to lose which the keys may
	// lose. K may lose only the rest: a larger K costs little, because only texts with a common key
	// are compared, and more keys cost 8 bytes each.
	keysLose = 0.9
)

// New returns the keys with which a search finds at least the share spec.Recall of the pairs whose
// similarity is spec.Similarity or more. The features are those of spec.Candidates. Each key is
// made of the given number of minima; 0 stands for as many as keys of 200 bytes for each text
// allow. More minima need more keys, and fewer unrelated texts share one. The Measure of the Spec
// must be one of texts.
func New(spec dedup.Spec, minima int) (Keys, error) {
	d, _ := spec.Candidates()
	if d.Kind != fphash.MinHash {
		return Keys{}, fmt.Errorf("keys of minima require texts, got the measure %s", spec.Measure)
	}
	jaccard := spec.LeastJaccard()
	differ := (1 - jaccard) / 2
	count := func(minima int) int {
		miss := (1 - spec.Recall) * keysLose
		return max(1, int(math.Ceil(math.Log(miss)/math.Log1p(-math.Pow(jaccard, float64(minima))))))
	}
	if minima == 0 {
		for minima = 1; minima < mostMinima && 8*count(minima+1) <= usualBytes; minima++ {
		}
	}
	if minima < 1 || minima > mostMinima {
		return Keys{}, fmt.Errorf("keys of %d minima, expected 1 to %d", minima, mostMinima)
	}
	k := Keys{Keys: textsketch.Keys{Minima: minima, Count: count(minima)}}
	if minima*k.Count > fphash.MaxBits {
		return k, fmt.Errorf("keys of %d minima for the similarity %v would need %d minima, expected at most %d", minima, spec.Similarity, minima*k.Count, fphash.MaxBits)
	}
	k.K = binomial.Threshold(d.Bits, differ, 1-(1-spec.Recall)*(1-keysLose))
	shares := 1 - math.Pow(1-math.Pow(jaccard, float64(minima)), float64(k.Count))
	k.Recall = shares + binomial.AtMost(d.Bits, differ)[k.K] - 1
	return k, nil
}

// Sample is a random sample of the texts of a corpus. It estimates how many unrelated texts share a
// key.
type Sample struct {
	spec         dedup.Spec
	usual        Keys // without a sample
	random       *rand.Rand
	texts        int // that were added
	fingerprints [][]uint64
	minima       [][]uint64
}

// SampleKeys are the keys of the texts of a sample: each is a hash of one minimum.
var SampleKeys = textsketch.Keys{Minima: 1, Count: lanes}

const (
	lanes        = 512
	leastSampled = 100 // number of texts from which a sample says something
	// mostSampled is the number of texts that a sample keeps. Choose takes time for all pairs.
	mostSampled = 2000
)

// NewSample returns an empty sample of texts that are searched for near-duplicates by spec.
func NewSample(spec dedup.Spec) (*Sample, error) {
	usual, err := New(spec, 0)
	return &Sample{spec: spec, usual: usual, random: rand.New(rand.NewPCG(1, 1))}, err
}

// Add adds a text with its fingerprint and its SampleKeys. It ignores a text without words, which
// has no keys.
func (s *Sample) Add(fingerprint, keys []uint64) {
	if len(keys) == 0 {
		return
	}
	s.texts++
	if len(s.minima) < mostSampled {
		s.fingerprints, s.minima = append(s.fingerprints, slices.Clone(fingerprint)), append(s.minima, slices.Clone(keys))
	} else if i := s.random.IntN(s.texts); i < mostSampled {
		copy(s.fingerprints[i], fingerprint)
		copy(s.minima[i], keys)
	}
}

// Len returns the number of texts in the sample.
func (s *Sample) Len() int { return len(s.minima) }

// mostShared is the number of unrelated texts that may share a key with a text, so that comparing
// their fingerprints takes no longer than reading the line of the key.
const mostShared = 100

// Choose returns the keys for a corpus of n texts like those of the sample, and the expected number
// of unrelated texts that share a given key with a text. The keys have the fewest minima for which
// this number is at most 100, or as many as 400 bytes for each text allow. For a sample of fewer
// than 100 texts, Choose returns the keys of New by default, and NaN.
func (s *Sample) Choose(n int) (k Keys, shared float64) {
	if s.Len() < leastSampled {
		return s.usual, math.NaN()
	}
	equal := s.equal()
	for minima := 1; minima <= mostMinima; minima++ {
		next, err := New(s.spec, minima)
		if err != nil || minima > 1 && 8*next.Count > mostBytes {
			break
		}
		if k, shared = next, float64(n)*probability(equal, minima); shared <= mostShared {
			break
		}
	}
	return k, shared
}

// equal counts the pairs of unrelated texts by the number of equal minima. Pairs within K bits are
// related: whatever the keys are, they are linked.
func (s *Sample) equal() (counts [lanes + 1]int) {
	for i, a := range s.minima {
		for j, b := range s.minima[:i] {
			if fphash.Distance(s.fingerprints[i], s.fingerprints[j]) <= s.usual.K {
				continue
			}
			n := 0
			for lane, key := range a {
				if key == b[lane] {
					n++
				}
			}
			counts[n]++
		}
	}
	return counts
}

// probability returns the estimated probability that a number of minima, chosen at random among all
// lanes, are equal in a pair.
func probability(equal [lanes + 1]int, minima int) float64 {
	pairs, sum := 0, 0.0
	for n, count := range equal {
		share := 1.0
		for i := range minima {
			share *= float64(max(0, n-i)) / float64(lanes-i)
		}
		pairs, sum = pairs+count, sum+share*float64(count)
	}
	return sum / float64(max(1, pairs))
}
