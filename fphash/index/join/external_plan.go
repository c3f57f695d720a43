package join

import (
	"context"
	"fmt"
	"math"
)

// blockBits returns how many bits of each of K+1 blocks tell fingerprints apart.
func (x *External) blockBits() int { return min(x.Bits/(x.K+1), 2*mostFirst) }

// sampled reports whether fingerprints may be brought together by bits that are drawn.
func (x *External) sampled() bool { return x.Recall > 0 && x.K < x.Bits }

// Plan returns how the join would go about its work: by K+1 blocks, in one of which a pair agrees,
// or by drawn bits, if those are enough and cost less. It reads the source once, to count it.
func (x *External) Plan(ctx context.Context) (Plan, error) {
	p := Plan{Bits: x.Bits, K: x.K, compared: 1, onDisk: true, differ: x.Differ}
	p.recall = p.within()
	if err := x.check(); err != nil {
		return p, err
	}
	err := x.records(ctx, func(Record) error { p.Fingerprints++; return nil })
	if err != nil {
		return p, err
	}
	p.Pairs = float64(p.Fingerprints) * float64(p.Fingerprints-1) / 2
	key := x.blockBits()
	p.byBlocks(x.K+1, key)
	p.first = uint(min(key, mostFirst))
	p.second = uint(key) - p.first
	if p.cost = p.total(); key < leastKeyOnDisk {
		p.cost = math.Inf(1) // there is no exact join on disk
	} else {
		p.exact, p.exactly = p.cost, p.Comparisons
	}
	if x.sampled() {
		p.sample(x.Recall, x.Seed)
	}
	if p.Tables == 0 && key < leastKeyOnDisk {
		return p, fmt.Errorf("join: k = %d of %d bits leaves blocks of %d bits, expected %d or more to partition on disk, or a smaller recall than %v", x.K, x.Bits, x.blockBits(), leastKeyOnDisk, x.Recall)
	}
	p.Bytes = x.memory()
	return p, nil
}
