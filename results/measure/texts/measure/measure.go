package measure

import (
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/collections"
)

// Rows measures a collection by definitions and all ways. The rows of one name are
//
//	documents, pairs, same-pairs, unjudged-pairs   of the collection, and the median length
//	recall-p90     the most of the near-duplicates that a threshold finds of whose pairs 90 of 100
//	               are right, and threshold-p90, which is a k, or a cosine with by=cosine
//	recall-1ppm    the same where one pair of a million different ones is found, or fewer
//	recall-f1      the same at the highest F1, with precision-f1
//	recall-k3      at the default k of the commands, with precision-k3
//
// by=cosine is the exact cosine of the vectors; f= are fingerprints. With
// truth=cosine0.9 it is the pairs of at least that cosine, by the same vectors, that are to be
// found, whatever the labels say.
func Rows(ctx context.Context, c *collections.Collection, definitions []Definition) (rows []resultfile.Row, err error) {
	pairs, err := c.Judge(ctx)
	if err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	m := &measurement{Collection: c, pairs: pairs}
	m.describe()
	var list []document
	for i, d := range definitions {
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("measure: %w", err)
		}
		if i == 0 || definitions[i-1].Features != d.Features {
			if list, err = cut(c, d.Features); err != nil {
				return nil, err
			}
		}
		if err := m.define(list, d); err != nil {
			return nil, err
		}
	}
	return m.rows, nil
}

// measurement is a collection while it is measured.
type measurement struct {
	*collections.Collection
	pairs []collections.Judged
	rows  []resultfile.Row
}

func (m *measurement) add(name benchname.Name, unit string, value float64) {
	m.rows = append(m.rows, resultfile.Row{Name: name.String(), Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
}

// define measures a definition.
func (m *measurement) define(list []document, d Definition) error {
	if err := weigh(list, d.Weights); err != nil {
		return err
	}
	keys := []string{"features", d.Features, "weights", string(d.Weights)}
	name := func(more ...string) benchname.Name {
		return nameOf(evidence.Texts, m.Collection, append(append([]string{"truth", m.Truth}, keys...), more...)...)
	}
	var exact []uint16
	if d.Weights != Set {
		exact = cosines(list, m.pairs)
		m.thresholds(name("by", "cosine"), curveOf(exact, m.judgement, steps), nil)
		m.rankCorrelation(name("by", "cosine"), exact)
	}
	for _, way := range Ways {
		f, err := sketch(list, d.Weights, way)
		if err != nil {
			return err
		}
		distances := f.distances(m.pairs)
		own := curveOf(distances, m.judgement, way.Bits)
		m.thresholds(name(way.keys()...), own, &way)
		m.rankCorrelation(name(way.keys()...), distances)
		if m.shown(d) {
			m.curve(name(way.keys()...), own, way)
		}
		if !m.Unfit && m.shown(d) {
			m.againstCosine(append(keys, way.keys()...), exact, distances, way)
		}
	}
	return nil
}

func (m *measurement) judgement(n int) collections.Judgement { return m.pairs[n].Judgement }

// enough is how many pairs there must be of a cosine for a figure about them.
const enough = 20

// againstCosine measures how many pairs of a cosine fingerprints find.
func (m *measurement) againstCosine(keys []string, exact, distances []uint16, way Way) {
	for _, least := range []float64{0.9, 0.8} {
		c := curveOf(distances, func(n int) collections.Judgement {
			if exact[n] <= stepsOf(least) {
				return collections.Same
			}
			return collections.Different
		}, way.Bits)
		if c.allSame >= enough {
			name := nameOf(evidence.Texts, m.Collection, append([]string{"truth", "cosine" + strconv.FormatFloat(least, 'g', -1, 64)}, keys...)...)
			m.add(name, evidence.SamePairs, float64(c.allSame))
			m.thresholds(name, c, &way)
		}
	}
}

// rankCorrelation is Spearman's, of scores with what the pairs are found by.
func (m *measurement) rankCorrelation(name benchname.Name, distances []uint16) {
	if m.Truth != collections.ByScores {
		return
	}
	var scores, near []float64
	for n, p := range m.pairs {
		scores, near = append(scores, m.Scores[p.Pair]), append(near, -float64(distances[n]))
	}
	m.add(name, evidence.RankCorrelation, stat.Correlation(ranks(scores), ranks(near), nil))
}
