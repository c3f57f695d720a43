package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"simhashkit/fphash"
)

// Result is what was measured of a case.
type Result struct {
	Pairs     int
	At        []AtCosine // as Cosines
	Strangers []float64  // by each of the Ways: the chance that an unrelated vector is found
}

// AtCosine is what was measured of the pairs of one cosine.
type AtCosine struct {
	Found              []float64 // by each of the Ways: the part of the pairs
	ByDistance, BySums Error
}

// Error is how far estimates of the cosine are off.
type Error struct{ RMSE, Bias float64 }

// seed makes the pairs of all cases the same in every run.
const seed = 61

// Measure draws that many pairs of each cosine, searches and estimates. It fails if the hash is
// narrower than the case, or if the context is done before the end.
func (c Case) Measure(ctx context.Context, pairs int) (*Result, error) {
	m, err := c.measurement(ctx, pairs, Ways(c.Bits))
	if err != nil {
		return nil, fmt.Errorf("unsure: %w", err)
	}
	return m.result(), nil
}

// measurement measures all but strangers.
func (c Case) measurement(ctx context.Context, pairs int, ways []Way) (*measurement, error) {
	s, err := fphash.New(fphash.WithFamily(c.Family), fphash.WithBits(c.Bits))
	if err != nil {
		return nil, err
	}
	m := &measurement{Case: c, ways: ways, sketcher: s.Local(), tallies: make([]tally, len(Cosines))}
	for i, text := range Cosines {
		cosine, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, err
		}
		m.cosines = append(m.cosines, cosine)
		m.tallies[i].found = make([]int, len(ways))
	}
	r := rand.New(rand.NewPCG(seed, uint64(c.Features)))
	for range pairs {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		m.pair.draw(c, r)
		if err := m.add(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// measurement is a case while it is measured.
type measurement struct {
	Case
	ways      []Way
	cosines   []float64
	sketcher  *fphash.Sketcher
	estimator fphash.Estimator
	pair      pair
	queries   []side
	tallies   []tally // by cosine
}

// side is a fingerprint, and masks of its least sure bits: by each of the ways that ignore some.
type side struct {
	fingerprint []uint64
	masks       [][]uint64 // as the ways; nil where nothing is ignored
}

// tally counts and sums up over the pairs of a cosine.
type tally struct {
	found              []int // by way
	byDistance, bySums errorSum
}

type errorSum struct{ sum, squares float64 }

func (e *errorSum) add(x float64) {
	e.sum += x
	e.squares += float64(x * x)
}

func (e errorSum) over(n int) Error { return Error{root(e.squares, n), e.sum / float64(n)} }

// sketch returns the fingerprint of a vector with its masks: all, or those of the ways that have
// masks on both sides.
func (m *measurement) sketch(indices []uint64, weights []float64, stored bool) (s side, err error) {
	if s.fingerprint, _, err = fphash.Append(m.sketcher, nil, indices, weights); err != nil {
		return s, err
	}
	s.masks = make([][]uint64, len(m.ways))
	for i, way := range m.ways {
		if way.Ignored == 0 || stored && !way.Both {
			continue
		}
		if _, s.masks[i], _, err = fphash.AppendMasked(m.sketcher, nil, nil, way.Ignored, indices, weights); err != nil {
			return s, err
		}
	}
	return s, nil
}

// add searches for the vectors of the pair, and estimates their cosines.
func (m *measurement) add() error {
	query, err := m.sketch(m.pair.indices, m.pair.weights, false)
	if err != nil {
		return err
	}
	m.queries = append(m.queries, query)
	if _, err := fphash.Query(m.sketcher, &m.estimator, m.pair.indices, m.pair.weights); err != nil {
		return err
	}
	for i, wanted := range m.cosines {
		indices, weights, cosine := m.pair.at(wanted)
		stored, err := m.sketch(indices, weights, true)
		if err != nil {
			return err
		}
		t := &m.tallies[i]
		for w, way := range m.ways {
			if distance, _ := m.distance(w, query, stored); distance <= way.K {
				t.found[w]++
			}
		}
		t.byDistance.add(fphash.Cosine(fphash.Distance(query.fingerprint, stored.fingerprint), m.Bits) - cosine)
		t.bySums.add(m.estimator.Cosine(stored.fingerprint) - cosine)
	}
	return nil
}

func (m *measurement) result() *Result {
	r := &Result{Pairs: len(m.queries), Strangers: m.strangers()}
	for _, t := range m.tallies {
		at := AtCosine{ByDistance: t.byDistance.over(r.Pairs), BySums: t.bySums.over(r.Pairs)}
		for _, found := range t.found {
			at.Found = append(at.Found, float64(found)/float64(r.Pairs))
		}
		r.At = append(r.At, at)
	}
	return r
}
