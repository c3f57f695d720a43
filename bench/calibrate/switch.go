package calibrate

import (
	"context"
	"runtime"
	"slices"
	"time"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

// A time is the median of at least leastRuns runs that take at least leastTime together.
const (
	leastRuns = 3
	leastTime = 200 * time.Millisecond
)

// switched compares the two hashes at the wanted width.
func (s *survey[W]) switched(ctx context.Context, c *counts, set *datasets.CSR[W], o Options) (*Switch, error) {
	main, to := &s.columns[s.main], &s.columns[s.to]
	w := &Switch{Thresholds: s.pooled(c, s.to), Near: c.shift[duplicate].shift(), Others: c.shift[other].shift()}
	w.Least = least(w.Thresholds, o.Recall)
	differing := 0
	for i := range s.len() {
		differing += fphash.Distance(main.fingerprints[i*main.words:(i+1)*main.words], to.fingerprints[i*to.words:(i+1)*to.words])
	}
	w.SameVector = float64(differing) / float64(s.len())
	for _, timed := range []struct {
		hash Hash
		time *SketchTime
	}{{o.Hash, &w.From}, {*o.To, &w.To}} {
		var err error
		if *timed.time, err = sketchTime(ctx, timed.hash, set, o); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (d *difference) shift() Shift {
	if d.pairs == 0 {
		return Shift{}
	}
	n := float64(d.pairs)
	return Shift{d.pairs, float64(d.sum) / n, float64(d.absolute) / n, d.most}
}

// sketchTime measures how long the fingerprints of the whole set take.
func sketchTime[W datasets.Weight](ctx context.Context, hash Hash, set *datasets.CSR[W], o Options) (SketchTime, error) {
	sketcher, err := hash.sketcher(o.Bits, o.Workers)
	if err != nil {
		return SketchTime{}, err
	}
	var fingerprints []uint64
	var times []time.Duration
	for began := time.Now(); len(times) < leastRuns || time.Since(began) < leastTime; {
		if err := context.Cause(ctx); err != nil {
			return SketchTime{}, err
		}
		start := time.Now()
		if fingerprints, err = sketched(sketcher, set, set.Weights == nil, nil, fingerprints[:0]); err != nil {
			return SketchTime{}, err
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return SketchTime{set.Len(), times[len(times)/2], workers}, nil
}
