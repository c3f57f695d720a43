package main

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/fphash"
	"simhashkit/results/measure/evidence"
)

// Case is a kind of pairs of sets.
type Case struct {
	Hash     string
	Indices  string // Random or Consecutive
	Features int    // of each set
	Shared   int    // of both
	Trials   int    // pairs
}

// How indices are drawn.
const (
	Random      = "random"
	Consecutive = "consecutive"
)

// Cases returns what is measured.
func Cases() (list []Case) {
	for _, kind := range []struct{ hash, indices string }{
		{"xxh64", Random}, {"splitmix64", Consecutive}, {"fnv1a64", Consecutive}, {"identity", Consecutive},
	} {
		for _, c := range []Case{
			{Features: 1, Shared: 0, Trials: 4000}, {Features: 3, Shared: 0, Trials: 4000}, {Features: 3, Shared: 2, Trials: 4000},
			{Features: 10, Shared: 7, Trials: 4000}, {Features: 10, Shared: 9, Trials: 4000},
			{Features: 100, Shared: 67, Trials: 2000}, {Features: 100, Shared: 95, Trials: 2000},
			{Features: 1000, Shared: 667, Trials: 300},
		} {
			c.Hash, c.Indices = kind.hash, kind.indices
			list = append(list, c)
		}
	}
	return list
}

// Jaccard returns the similarity of the sets.
func (c Case) Jaccard() float64 { return float64(c.Shared) / float64(2*c.Features-c.Shared) }

// Rows measures the candidate.
func (c Case) Rows(candidate Candidate) (rows []resultfile.Row) {
	family, err := fphash.Lookup(c.Hash)
	if err != nil {
		panic(err) // the list above has registered ones
	}
	hash, err := family.New(fphash.Key{})
	if err != nil {
		panic(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	codes := make([]uint64, 2*c.Features-c.Shared)
	indices := make([]uint64, len(codes))
	j := c.Jaccard()
	differ := make([][]uint64, Lanes) // by lane: a bit for each trial
	for lane := range differ {
		differ[lane] = make([]uint64, (c.Trials+63)/64)
	}
	var windows, whole, sum float64 // squared errors, and errors
	for trial := range c.Trials {
		offset := r.Uint64N(1 << 24)
		for i := range indices {
			indices[i] = offset + uint64(i)
			if c.Indices == Random {
				indices[i] = r.Uint64()
			}
		}
		hash.HashUint64s(codes, indices)
		a, b := candidate.Sketch(codes[:c.Features]), candidate.Sketch(codes[c.Features-c.Shared:])
		all := 0
		for w := range a {
			d := a[w] ^ b[w]
			for rest := d; rest != 0; rest &= rest - 1 {
				differ[w*64+bits.TrailingZeros64(rest)][trial/64] |= 1 << (trial % 64)
			}
			n := bits.OnesCount64(d)
			all += n
			windows += square(1 - 2*float64(n)/64 - j)
		}
		e := 1 - 2*float64(all)/Lanes - j
		whole += square(e)
		sum += e
	}
	trials, ideal := float64(c.Trials), 1-j*j
	mean, most := c.pairs(differ)
	name := fmt.Sprintf(evidence.MinHash+"/functions=%s/hash=%s/indices=%s/features=%d/shared=%d", candidate.Name, c.Hash, c.Indices, c.Features, c.Shared)
	add := func(name, unit string, v float64) {
		rows = append(rows, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: v}}})
	}
	add(name+"/bits=64", "effective-bits", ideal/(windows/trials/64))
	add(fmt.Sprintf("%s/bits=%d", name, Lanes), "effective-bits", ideal/(whole/trials))
	add(name, "bias-z", sum/math.Sqrt(trials*ideal/Lanes))
	add(name, "pairs-z2", mean)
	add(name, "pairs-max", most)
	return rows
}

// pairs returns the mean squared correlation of pairs of lanes, and the greatest, in standard
// errors: of each lane with the 256 behind it.
func (c Case) pairs(differ [][]uint64) (mean, most float64) {
	p := (1 - c.Jaccard()) / 2
	scale := 1 / (math.Sqrt(float64(c.Trials)) * p * (1 - p))
	counts := make([]int, Lanes)
	for j, lane := range differ {
		for _, word := range lane {
			counts[j] += bits.OnesCount64(word)
		}
	}
	n := 0
	for j, a := range differ {
		for k := j + 1; k < min(j+257, Lanes); k++ {
			both := 0
			for w, word := range differ[k] {
				both += bits.OnesCount64(a[w] & word)
			}
			z := scale * (float64(both) - p*float64(counts[j]+counts[k]) + p*p*float64(c.Trials))
			mean += z * z
			most = max(most, math.Abs(z))
			n++
		}
	}
	return mean / float64(n), most
}

func square(x float64) float64 { return x * x }
