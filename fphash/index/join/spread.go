package join

import (
	"math"
	"math/rand/v2"

	"simhashkit/asm/hamming"
	"simhashkit/internal/binomial"
)

// spread describes the distances of all pairs of fingerprints. Unrelated texts share frequent
// words, and in scripts without spaces most characters, so their fingerprints are nearer than
// random ones. Then many more pairs agree in a key, and longer keys are better.
type spread struct {
	shares   []float64    // by distance: share of the pairs
	measured bool         // whether the shares are those of a sample of the fingerprints
	keys     map[int]*met // by number of bits of a key
}

// met describes the pairs whose keys have a number of bits.
type met struct {
	shares []float64 // by number of differing bits of the keys, up to mostErrors: share of all pairs
	differ float64   // probability that another bit differs in pairs whose keys agree
	atMost func(n int) []float64
}

// alike is the probability that a bit differs in a pair of unrelated texts, if they are not
// sampled.
const alike = 0.45

// assumedSpread is the spread of fingerprints whose bits differ with probability differ.
func assumedSpread(width int, differ float64) *spread {
	shares := distribution(width, differ)
	for d := width; d > 0; d-- {
		shares[d] -= shares[d-1]
	}
	return &spread{shares: shares, keys: map[int]*met{}}
}

// rowsOfSpread is the number of fingerprints whose distances are measured.
const rowsOfSpread = 1 << 10

// measuredSpread returns the spread of the join's fingerprints, by a sample of them.
func (j *Join) measuredSpread() *spread {
	s := &spread{shares: make([]float64, j.Set.Bits+1), measured: true, keys: map[int]*met{}}
	r := rand.New(rand.NewPCG(j.Seed, seedOfSpread))
	rows := make([][]uint64, min(j.Set.Len(), rowsOfSpread))
	for i := range rows {
		rows[i] = j.Set.At(r.IntN(j.Set.Len()))
	}
	pairs := float64(len(rows)*(len(rows)-1)) / 2
	for i, row := range rows {
		for _, other := range rows[:i] {
			if distance := hamming.Distance(row, other); distance > 0 { // copies are joined before
				s.shares[distance] += 1 / pairs
			}
		}
	}
	return s
}

// met returns what is known of the pairs whose keys have the given number of bits.
func (s *spread) met(keyBits int) *met {
	if m := s.keys[keyBits]; m != nil {
		return m
	}
	width, m := len(s.shares)-1, &met{differ: 0.5}
	for errors := range mostErrors + 1 {
		share := 0.0
		for distance, of := range s.shares {
			share += of * chance(width, distance, keyBits, errors)
		}
		m.shares = append(m.shares, share)
	}
	agreeing := make([]float64, width+1) // by distance: share of the pairs that agree
	ones := 0.0
	for distance, of := range s.shares {
		if m.shares[0] > 0 {
			agreeing[distance] = of * chance(width, distance, keyBits, 0) / m.shares[0]
			ones += agreeing[distance] * float64(distance)
		}
	}
	if m.shares[0] > 0 && width > keyBits {
		m.differ = ones / float64(width-keyBits)
	}
	known := map[int][]float64{}
	m.atMost = func(n int) []float64 {
		if known[n] == nil {
			known[n] = atMostOf(agreeing, width-keyBits, n)
		}
		return known[n]
	}
	s.keys[keyBits] = m
	return m
}

// atMostOf returns, for each k, the probability that at most k of n bits differ in pairs whose
// distances have the given shares, if any of width bits may differ.
func atMostOf(shares []float64, width, n int) []float64 {
	atMost := make([]float64, n+1)
	sum := 0.0
	for k := range atMost {
		for distance, of := range shares {
			if of > 0 {
				sum += of * chance(width, distance, min(n, width), k)
			}
		}
		atMost[k] = min(sum, 1)
	}
	return atMost
}

// metAtRandom is met for random fingerprints.
func metAtRandom(keyBits int) *met {
	m, before := &met{differ: 0.5, atMost: func(n int) []float64 { return randomDistances()[n] }}, 0.0
	for errors := range mostErrors + 1 {
		upTo := binomial.Ball(keyBits, errors) * math.Exp2(-float64(keyBits))
		m.shares, before = append(m.shares, upTo-before), upTo
	}
	return m
}
