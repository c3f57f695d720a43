package bench

import (
	"context"
	"errors"
	"time"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
)

// runCells computes the cells one after the other, each with that many goroutines (0 means one for
// each processor). Nothing else should be timed meanwhile. A cell that cannot be computed gets a
// row with an error. runCells fails only if the context is done. The rows are exact, one or more
// for each cell, in order, and depend neither on kernels nor on the number of workers.
func runCells(ctx context.Context, cells []Cell, in *Inputs, workers int, progress func(Progress)) (all []resultfile.Row, err error) {
	start := time.Now()
	var workload *quality.Workload
	var failed error // of the workload
	for i, c := range cells {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		p := Progress{Step: "quality", Case: i + 1, Cases: len(cells), Name: c.Name.String(), Elapsed: time.Since(start)}
		if i > 0 {
			p.Remaining = p.Elapsed / time.Duration(i) * time.Duration(len(cells)-i)
		}
		progress(p)
		if i == 0 || c.key() != cells[i-1].key() {
			workload, failed = c.workload(ctx, in)
		}
		rows, err := c.compute(in.Data, workload, failed, workers)
		if err != nil {
			rows = []resultfile.Row{{Name: c.Name.String(), Unit: terms.EffectiveBits, Err: err.Error()}}
		}
		all = append(all, rows...)
	}
	if err := context.Cause(ctx); err != nil { // what failed may have failed by that
		return nil, err
	}
	return all, nil
}

func (c Cell) compute(data *Data, w *quality.Workload, failed error, workers int) ([]resultfile.Row, error) {
	if failed != nil {
		return nil, failed
	}
	if err := verifyFamily(c.family); err != nil {
		return nil, err
	}
	h, err := quality.OfFamily(c.family, c.encoding, c.bits, c.widen)
	if err != nil {
		return nil, err
	}
	r, err := w.Measure(h, workers)
	if err != nil {
		return nil, err
	}
	return qualityRows(c.Name, r), nil
}

// workload returns the shared workload of the cell. For a data set it has all vectors, not only
// those that are timed, so that near-duplicates are not lost.
func (c Cell) workload(ctx context.Context, in *Inputs) (*quality.Workload, error) {
	if c.pattern != quality.Data {
		return quality.Generate(quality.WorkloadOptions{Pattern: c.pattern, Weights: quality.Weights(c.weights)})
	}
	if in.Data == nil {
		return nil, errors.New("bench: there is no data set")
	}
	set, err := in.Data.Float32()
	if err != nil {
		return nil, err
	}
	if c.weights == datasets.Unit {
		set.Weights = nil
	}
	return quality.FromVectors(ctx, &set, quality.WorkloadOptions{})
}
