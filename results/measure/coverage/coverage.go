package main

import (
	"fmt"

	"simhashkit/bench/quality"
	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

// kind is a kind of workload, and the hashes that are measured on it.
type kind struct {
	pattern quality.Pattern
	weights quality.Weights
	hashes  []keyed
}

// keyed is a family with the encoding of its keys.
type keyed struct {
	family   string
	encoding fphash.Encoding
}

// kinds has hashes with constant and copied bits beside good ones, with weights of both signs and
// of one.
func kinds() []kind {
	hashes := []keyed{
		{"fnv1a64", fphash.BE64}, {"fnv1a64", fphash.Dec}, {"fnv1a64", fphash.LE64}, {"fnv1-64", fphash.BE64}, {"crc32c", fphash.LE64},
		{"xxh64", fphash.LE64}, {"splitmix64", fphash.LE64},
	}
	var list []kind
	for _, pattern := range []quality.Pattern{quality.Dense1e3, quality.Consecutive} {
		for _, weights := range []quality.Weights{quality.Signed, quality.Unit, quality.TFIDF} {
			list = append(list, kind{pattern, weights, hashes})
		}
	}
	return list
}

// row is what comes of a hash on a kind of workload, in one band.
type row struct {
	kind        kind
	keyed       keyed
	band        string
	bits        float64
	intervals   []quality.Interval
	hash, ideal float64 // sums of mean squared errors
}

func (r *row) add(b quality.Band) {
	r.intervals = append(r.intervals, b.Effective)
	r.hash += b.Hash.MSE
	r.ideal += b.Ideal.MSE
}

func (r *row) String() string {
	truth := r.bits * r.ideal / r.hash
	least, most, covered, width := r.intervals[0].Value, r.intervals[0].Value, 0, 0.0
	for _, i := range r.intervals {
		least, most = min(least, i.Value), max(most, i.Value)
		if i.Low <= truth && truth <= i.High {
			covered++
		}
		width += 100 * (i.High - i.Low) / i.Value / float64(len(r.intervals))
	}
	return fmt.Sprintf("%-12s %-9s %-11s %-5s %-6s %8.3g %8.3g %8.3g %4d/%-4d %6.1f", r.kind.pattern, r.kind.weights, r.keyed.family, r.keyed.encoding, r.band, truth, least, most,
		covered, len(r.intervals), width)
}

// measure returns two rows for each hash, over all angles and at cosine 0.9 and above.
func (k kind) measure(seeds int) ([]*row, error) {
	var rows []*row
	for _, h := range k.hashes {
		for _, band := range []string{"all", "cos90"} {
			rows = append(rows, &row{kind: k, keyed: h, band: band})
		}
	}
	for seed := range seeds {
		w, err := quality.Generate(quality.WorkloadOptions{Pattern: k.pattern, Weights: k.weights, Seed: uint64(seed)})
		if err != nil {
			return nil, err
		}
		for i, h := range k.hashes {
			family, err := fphash.Lookup(h.family)
			if err != nil {
				return nil, err
			}
			hash, err := quality.OfFamily(family, h.encoding, min(64, family.Bits), fphash.WidenNone)
			if err != nil {
				return nil, err
			}
			result, err := w.Measure(hash, 0)
			if err != nil {
				return nil, err
			}
			for j, b := range []quality.Band{result.All, result.Cos90} {
				rows[2*i+j].bits = float64(result.Bits)
				rows[2*i+j].add(b)
			}
		}
	}
	return rows, nil
}
