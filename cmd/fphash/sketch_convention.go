package main

import (
	"fmt"

	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
)

// weightsFor returns the type of weights that vectors are read with: what was given or, for a
// convention, what its system takes.
func weightsFor(h hasher, weights string, given bool) string {
	system, ok := h.(*conventions.Sketcher)
	if !ok || given {
		return weights
	}
	switch system.Convention().Weights {
	case conventions.Unweighted:
		return datasets.Unit
	case conventions.Integers:
		return datasets.Int64
	}
	return datasets.Float64
}

// byConvention computes the fingerprints of a batch by a convention, one by one.
func byConvention[W datasets.Weight](j *sketchJob, unit bool) computer[W] {
	system := j.sketcher.(*conventions.Sketcher) // the other hasher there is
	return func(dst []uint64, status []fphash.Status, b *vectorBatch[W]) ([]uint64, []fphash.Status, error) {
		from := 0
		for i, line := range b.lines {
			start, past := b.offsets[i], b.offsets[i+1]
			var s fphash.Status
			var err error
			if unit {
				dst, s, err = conventions.AppendUnit(system, dst, b.indices[start:past])
			} else {
				dst, s, err = conventions.Append(system, dst, b.indices[start:past], b.weights[start:past])
			}
			if err != nil && line == 0 {
				return dst, status, fmt.Errorf("%s: vector %q: %w", j.source(), b.ids[from:b.idEnds[i]], err)
			}
			if err != nil {
				return dst, status, fmt.Errorf("%s:%d: vector %q: %w", j.name, line, b.ids[from:b.idEnds[i]], err)
			}
			status = append(status, s)
			from = b.idEnds[i]
		}
		return dst, status, nil
	}
}
