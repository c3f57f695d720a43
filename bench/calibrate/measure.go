package calibrate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

// Measure calibrates fingerprints of the set's vectors; one without weights has unit ones.
//
// Where the vectors are too few or too similar, or no threshold gives what is wanted, Suggestion is
// nil and Note says why. It fails where an option is out of range, a hash cannot be of that width,
// a weight or a sum is not finite (the error names the vector, from 1), and where the context is
// done, with the cause of that. All but times is determined by the set and the options. Cost: for
// 10,000 vectors 50 million pairs, some seconds on one core, plus four billion multiplications at
// most for dense vectors, for which the sample is made smaller; some megabytes besides the set.
func Measure[W datasets.Weight](ctx context.Context, set *datasets.CSR[W], o Options) (*Calibration, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	if o.Hash.Sketch == fphash.MinHash && set.Weights != nil {
		return nil, errors.New("calibrate: expected sets by MinHash, which have no weights")
	}
	if err := set.Validate(); err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	s, skipped, err := newSample(set, o.Vectors, o.Seed, mostWork)
	if err != nil {
		return nil, err
	}
	if s.len() < 2 {
		c := o.calibration(set.Len(), s.len(), skipped)
		c.suggest(o)
		return c, nil
	}
	v := &survey[W]{sample: s, scale: newScale(o.Cosine), sets: o.Hash.Sketch == fphash.MinHash}
	v.nearTo = v.search(o.Cosine)
	hash := o.Hash.widenable(4 * o.Bits)
	if o.Bits > hash.Family.Bits && o.Hash.Widen == fphash.WidenNone {
		// a width that the hash does not have is an error, not a reason to widen it unasked
		hash = o.Hash
	}
	if err := v.sketch(hash, &o); err != nil {
		return nil, err
	}
	counts, err := v.count(ctx, o.Workers, o.Progress)
	if err != nil {
		return nil, err
	}
	c := o.calibration(set.Len(), s.len(), skipped)
	c.Copies = counts.bins[0]
	for _, n := range counts.bins {
		c.Pairs += n
	}
	for _, n := range counts.bins[1 : v.nearTo+1] {
		c.Near += n
	}
	for _, near := range counts.near {
		if near {
			c.Related++
		}
	}
	c.Bands = v.bands(counts)
	if c.Pairs > c.Copies {
		for i := 0; i < len(v.columns); i += 1 + v.columns[i].others {
			c.Widths = append(c.Widths, v.width(counts, i, hash, o))
		}
	}
	c.suggest(o)
	return c, nil
}

// sketch makes the columns: the widths of the hash, each under all keyings.
func (s *survey[W]) sketch(hash Hash, o *Options) error {
	for _, bits := range o.widths(hash) {
		if bits == o.Bits {
			s.main = len(s.columns)
		}
		list := hash.keyed()
		for i, keyed := range list {
			if err := s.addColumn(keyed, bits, o.Workers); err != nil {
				return err
			}
			s.columns[len(s.columns)-1].others = len(list) - 1 - i
		}
	}
	return nil
}

func (s *survey[W]) addColumn(hash Hash, bits, workers int) error {
	sketcher, err := hash.sketcher(bits, workers)
	if err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	fingerprints, err := s.fingerprints(sketcher)
	if err != nil {
		return err
	}
	c := column{bits: bits, words: sketcher.Words(), fingerprints: fingerprints}
	if n := len(s.columns); n > 0 {
		c.from = s.columns[n-1].from + s.columns[n-1].bits + 1
	}
	s.columns = append(s.columns, c)
	return nil
}

// fingerprints returns those of all vectors of the sample.
func (s *sample[W]) fingerprints(sketcher *fphash.Sketcher) (list []uint64, err error) {
	var status []fphash.Status
	if s.unit {
		list, status, err = fphash.AppendBatchUnit(sketcher, nil, nil, s.given.Offsets, s.given.Indices)
	} else {
		list, status, err = fphash.AppendBatch(sketcher, nil, nil, s.given.Offsets, s.given.Indices, s.given.Weights)
	}
	if err != nil {
		return nil, fmt.Errorf("calibrate: %w", err)
	}
	if i := slices.Index(status, fphash.NotFinite); i >= 0 {
		return nil, fmt.Errorf("calibrate: vector %d: %w", s.rows[i]+1, fphash.NotFinite.Err())
	}
	return list, nil
}
