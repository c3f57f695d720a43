package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"simhashkit/bench/gobench/ab/paired"
	"simhashkit/results/measure/comparisons"
)

// factors are by how much the new side is slower.
var factors = []float64{1, 1.06, 1.1}

// outcome counts comparisons of one kind.
type outcome struct{ comparisons, called, unchanged, rounds int }

func (o outcome) share(n int) float64 { return 100 * float64(n) / float64(o.comparisons) }

func (o outcome) String() string {
	return fmt.Sprintf("%d: %.2f%% called, %.2f%% no change, %.1f rounds", o.comparisons,
		o.share(o.called), o.share(o.unchanged), float64(o.rounds)/float64(o.comparisons))
}

// compare draws rounds of recorded runs, new being slower by that factor, until the comparison is
// decided or budget rounds are over, and counts what comes out.
func (o *outcome) compare(b recorded, options paired.Options, factor float64, budget int, random *rand.Rand) error {
	factor = b.slower(factor)
	test := paired.New(options)
	var f paired.Finding
	for decided := false; !decided; {
		if test.Rounds() == budget {
			f = test.Last()
			break
		}
		i, j := b.drawn(random)
		if err := test.Add(b.medians[i], b.medians[j]*factor); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		f, decided = test.Look()
	}
	o.comparisons++
	o.rounds += test.Rounds()
	switch {
	case f.P <= options.Alpha && math.Abs(f.Change) > options.Threshold:
		o.called++
	case f.P > options.Alpha && max(math.Abs(f.Lo), math.Abs(f.Hi)) <= options.Threshold:
		o.unchanged++
	}
	return nil
}

// compared is what comparisons come to if their budget is that many rounds and alpha is divided
// among a family of that many.
type compared struct {
	family, budget int
	factor         float64
	all, noisy     outcome
}

func (c compared) String() string {
	return fmt.Sprintf("%d comparisons a run, %d rounds, %.2f times: %v; noisy ones %v",
		c.family, c.budget, c.factor, c.all, c.noisy)
}

// compareAll makes n comparisons of each kind with a family and a budget.
func compareAll(list []recorded, n, family, budget int) ([]compared, error) {
	options := paired.Options{Threshold: 0.03, Alpha: 0.02 / float64(family)}
	random := rand.New(rand.NewPCG(uint64(family), uint64(budget)))
	var kinds []compared
	for _, factor := range factors {
		c := compared{family: family, budget: budget, factor: factor}
		for i := range n {
			b := list[i%len(list)]
			if err := c.all.compare(b, options, factor, budget, random); err != nil {
				return nil, err
			}
			if !b.noisy() {
				continue
			}
			if err := c.noisy.compare(b, options, factor, budget, random); err != nil {
				return nil, err
			}
		}
		kinds = append(kinds, c)
	}
	return kinds, nil
}

// naive is what most people do: one file of 10 samples of each side, and an alarm where benchstat
// says p < 0.05. It returns how many of n comparisons have one, in percent, for each factor.
func naive(list []recorded, n int) []float64 {
	random := rand.New(rand.NewPCG(3, 3))
	var shares []float64
	for _, factor := range factors {
		called := 0
		for i := range n {
			b := list[i%len(list)]
			old, new := b.drawn(random)
			slower := floats.ScaleTo(make([]float64, len(b.samples[new])), b.slower(factor), b.samples[new])
			p, change := comparisons.Benchstat(b.samples[old], slower)
			if p < 0.05 && (factor == 1 || (change > 0) == !b.rate) {
				called++
			}
		}
		shares = append(shares, 100*float64(called)/float64(n))
	}
	return shares
}
