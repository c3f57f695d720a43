package bench

import (
	"context"
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/bench/unsure"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// unsurePart is a kind of vectors, and what else is varied.
type unsurePart struct {
	hashes   []string
	weights  string
	bits     []int
	features []int
}

// unsureParts are vectors as they should be, of which the first are as words have them, and those
// on which unsure bits fail.
var unsureParts = []unsurePart{
	{[]string{fphash.DefaultHash}, terms.LogNormal, []int{64}, []int{100, 10}},
	{[]string{fphash.DefaultHash}, datasets.Unit, []int{64}, []int{100}},
	{[]string{fphash.DefaultHash}, terms.Outlier, []int{64}, []int{100}},
	{[]string{"md5"}, terms.LogNormal, []int{128}, []int{100}},
}

// UnsureWeights returns the names of the kinds of weights of the suite unsure.
func UnsureWeights() (names []string) {
	for _, p := range unsureParts {
		if !slices.Contains(names, p.weights) {
			names = append(names, p.weights)
		}
	}
	return names
}

// leastUnsureBits is the width from which on a part of the bits can be ignored.
const leastUnsureBits = 16

// unsureCells are the cells of the suite unsure. What has hashes narrower than the width is left
// out.
func (o Options) unsureCells() (cells []Cell, err error) {
	for _, p := range unsureParts {
		if len(o.Weights) > 0 && !slices.Contains(o.Weights, p.weights) {
			continue
		}
		for _, name := range choose(o.Hashes, p.hashes) {
			family, err := fphash.Lookup(name)
			if err != nil {
				return nil, err
			}
			for _, bits := range choose(o.Bits, p.bits) {
				for _, features := range choose(o.NNZ, p.features) {
					c := unsure.Case{Family: family, Weights: p.weights, Bits: bits, Features: features}
					there := slices.ContainsFunc(cells, func(other Cell) bool { return other.Name.String() == c.Name().String() })
					if bits >= leastUnsureBits && bits <= family.Bits && !there && o.Matches(c.Name().String()) {
						cells = append(cells, Cell{Name: c.Name(), family: family, unsure: &c})
					}
				}
			}
		}
	}
	return cells, nil
}

// unsureRows measures a cell of the suite unsure.
func (c Cell) unsureRows(ctx context.Context) ([]resultfile.Row, error) {
	if err := verifyFamily(c.family); err != nil {
		return nil, err
	}
	r, err := c.unsure.Measure(ctx, unsure.Pairs)
	if err != nil {
		return nil, err
	}
	return unsure.Rows(*c.unsure, r), nil
}
