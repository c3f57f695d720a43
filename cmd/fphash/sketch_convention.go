package main

import (
	"fmt"

	"simhashkit/datasets"
	textweights "simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
)

// weightsFor returns the type of weights that vectors are read with: what was given or, for a
// convention, what its system takes. MinHash takes none.
func weightsFor(h hasher, weights string, given bool) (string, error) {
	system, ok := h.(*conventions.Sketcher)
	switch {
	case ok && !given:
		switch system.Convention().Weights {
		case conventions.Unweighted:
			return datasets.Unit, nil
		case conventions.Integers:
			return datasets.Int64, nil
		}
		return datasets.Float64, nil
	case h.Definition().Sketch != fphash.MinHash:
		return weights, nil
	case !given:
		return datasets.Unit, nil
	case weights != datasets.Unit && weights != string(textweights.Count):
		return "", fmt.Errorf("--weights %s: expected none with --sketch minhash, which takes sets", weights)
	}
	return weights, nil
}

// byConvention computes the fingerprints of a batch by a convention, one by one, and notes the
// errors of what it refuses.
func byConvention[W datasets.Weight](j *sketchJob, unit bool) computer[W] {
	system := j.sketcher.(*conventions.Sketcher) // the other hasher there is
	return func(dst []uint64, status []fphash.Status, b *vectorBatch[W]) ([]uint64, []fphash.Status, error) {
		for i := range b.lines {
			start, past, before := b.offsets[i], b.offsets[i+1], len(dst)
			var s fphash.Status
			var err error
			if unit {
				dst, s, err = conventions.AppendUnit(system, dst, b.indices[start:past])
			} else {
				dst, s, err = conventions.Append(system, dst, b.indices[start:past], b.weights[start:past])
			}
			if err != nil {
				dst = append(dst[:before], make([]uint64, system.Words())...)
			}
			status, b.refused = append(status, s), append(b.refused, err)
		}
		return dst, status, nil
	}
}
