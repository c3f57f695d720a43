package bench

import (
	"fmt"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

const (
	plantedPairs = 20_000
	// so that hundredths are exact cosines: 95 shared features of 100 are a cosine of 0.95
	plantedFeatures = 100
)

// planted says which part of the pairs of one exact cosine lie at a distance of at most k: recall
// at that cosine, unlike recall of all pairs above it, which depends on how many of those are
// nearer. The vectors have unit weights, and indices spread over 2^64; each pair has its own.
func (c Cell) planted() ([]resultfile.Row, error) {
	cosine, err := strconv.ParseFloat(c.cosine, 64)
	if err != nil {
		return nil, fmt.Errorf("bench: cosine %q: %w", c.cosine, err)
	}
	if err := verifyFamily(c.family); err != nil {
		return nil, err
	}
	s, err := fphash.New(fphash.WithFamily(c.family), fphash.WithEncoding(c.encoding), fphash.WithBits(c.bits), fphash.WithWiden(c.widen))
	if err != nil {
		return nil, err
	}
	shared := int(cosine*plantedFeatures + 0.5)
	each := 2*plantedFeatures - shared // different indices of a pair: y is x moved on among them
	indices := randomWords(9, plantedPairs*each)
	var within [quality.TaskDistances]int // pairs by distance
	var x, y []uint64
	for i := range plantedPairs {
		own := indices[i*each : (i+1)*each]
		if x, _, err = fphash.AppendUnit(s, x[:0], own[:plantedFeatures]); err == nil {
			y, _, err = fphash.AppendUnit(s, y[:0], own[each-plantedFeatures:])
		}
		if err != nil {
			return nil, err
		}
		if d := fphash.Distance(x, y); d < len(within) {
			within[d]++
		}
	}
	var rows exactRows
	hits := 0
	for k, n := range within {
		hits += n
		rows.recall(with(c.Name, "k", k), hits)
	}
	return rows, nil
}

func (rows *exactRows) recall(name benchname.Name, hits int) {
	rows.add(name, terms.Recall, float64(hits)/plantedPairs)
	rows.add(name, "pairs", plantedPairs)
}
