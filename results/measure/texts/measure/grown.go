package measure

import (
	"context"
	"fmt"
	"math/bits"
	"strconv"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/datasets/text/weights"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/collections"
)

// grownWays are the widths of which it is measured what a larger collection does to them.
var grownWays = []Way{{Bits: 64}, {Bits: 128}, {Bits: 256}}

// GrownDefinitions are those of which it is measured.
var GrownDefinitions = []Definition{{"words", weights.Count}, {"words,fold", weights.LogCount}, {"characters,fold,n=5", weights.LogCount}}

// Grown measures what is left of recall when a collection grows: pairs are as many as the square of
// the documents, so the same k finds ever more that is false. Only what is found is judged.
func Grown(ctx context.Context, c *collections.Collection, d Definition, sizes []int) ([]resultfile.Row, error) {
	list, err := cut(c, d.Features)
	if err != nil {
		return nil, err
	}
	if err := weigh(list, d.Weights); err != nil {
		return nil, err
	}
	g := &grown{measurement{Collection: c}, make([]*collections.Tokens, len(c.Texts)), collections.NewTokenizer(c.Language)}
	for _, way := range grownWays {
		f, err := sketch(list, d.Weights, way)
		if err != nil {
			return nil, err
		}
		for _, size := range append(sizes, len(c.Texts)) {
			curve, err := g.curve(ctx, f, size, way.Bits*3/8)
			if err != nil {
				return nil, fmt.Errorf("measure: %w", err)
			}
			keys := append([]string{"truth", c.Truth, "features", d.Features, "weights", string(d.Weights)}, way.keys()...)
			name := nameOf(evidence.TextsGrown, c, append(keys, "documents", strconv.Itoa(size))...)
			best, ok := most(curve.all(), func(f found) bool { return f.precision >= leastPrecision })
			g.add(name, evidence.Recall+evidence.AtPrecision90, best.recall)
			if ok {
				g.add(name, evidence.Threshold+evidence.AtPrecision90, float64(best.threshold))
			}
		}
	}
	return g.rows, nil
}

type grown struct {
	measurement
	tokens    []*collections.Tokens // made when first needed
	tokenizer *collections.Tokenizer
}

// curve counts the pairs of the first documents, up to the distance from which on more of them are
// false than true: all that is beyond counts as false and not found.
func (g *grown) curve(ctx context.Context, f fingerprints, size, atMost int) (*curve, error) {
	same := make([]int, atMost+1)
	all := make([]int, atMost+1)
	pairs := make([][]collections.Pair, atMost+1) // that are not labelled, up to a limit
	for i := range size {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		a := f.prints[i*f.words : (i+1)*f.words]
		for j := range i {
			d := 0
			for w, word := range f.prints[j*f.words : (j+1)*f.words] {
				d += bits.OnesCount64(word ^ a[w])
			}
			if d > atMost {
				continue
			}
			p := collections.Pair{int32(j), int32(i)}
			if g.Same[p] {
				same[d]++
			} else if all[d]++; len(pairs[d]) < size {
				pairs[d] = append(pairs[d], p)
			}
		}
	}
	c := &curve{same: same, different: all, allSame: size / 2, allElse: size * (size - 1) / 2}
	for d := range pairs {
		if len(pairs[d]) < size { // else there are more than can be right in all
			c.different[d] = g.different(pairs[d])
		}
	}
	return c, nil
}

// different counts the pairs that are no near-duplicates.
func (g *grown) different(pairs []collections.Pair) (n int) {
	for _, p := range pairs {
		for _, i := range p {
			if g.tokens[i] == nil {
				g.tokens[i] = g.tokenizer.Tokens(g.Texts[i])
			}
		}
		if collections.Similarity(g.tokens[p[0]], g.tokens[p[1]], collections.Apart) < collections.Apart {
			n++
		}
	}
	return n
}
