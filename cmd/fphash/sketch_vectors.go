package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"simhashkit/datasets"
	textweights "simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/internal/dedup/fingerprints"
)

// sketchOf returns the function that computes fingerprints of vectors with weights of the named
// type.
func sketchOf(weights string) (func(*sketchJob) error, error) {
	of := map[string]func(*sketchJob, bool) error{
		datasets.Unit: sketchAll[float64], datasets.Int32: sketchAll[int32], datasets.Int64: sketchAll[int64], datasets.Float32: sketchAll[float32], datasets.Float64: sketchAll[float64],
	}[weights]
	if of == nil {
		return nil, expectOneOf("--weights", weights, datasets.WeightTypes())
	}
	return func(j *sketchJob) error { return of(j, weights == datasets.Unit) }, nil
}

// sketchAll reads all vectors and writes their fingerprints. With unit, it ignores the weights.
func sketchAll[W datasets.Weight](j *sketchJob, unit bool) error {
	source, err := rows[W](j, unit)
	if err != nil {
		return err
	}
	if native, ok := j.sketcher.(*fphash.Sketcher); ok {
		return sketchRows(j, source, byHash[W](native, unit))
	}
	return sketchRows(j, source, byConvention[W](j, unit))
}

// rows returns a reader of the vectors of the stream.
func rows[W datasets.Weight](j *sketchJob, unit bool) (datasets.VectorReader[W], error) {
	options := datasets.ReadOptions{Name: j.name, Base: j.base, MaxLine: j.maxLine(), Unit: unit}
	if j.keepGoing {
		options.OnError = func(err error) { _ = j.report(err) } // report returns nil with --keep-going
	}
	reader, err := datasets.NewVectorReader[W](j.ctx, j.stream, j.path, options)
	if err != nil {
		return nil, err
	}
	j.reader = reader
	return reader, nil
}

// Limits of a batch.
const (
	batchFeatures = 1 << 16
	batchVectors  = 4096
)

// vectorBatch holds the next vectors with the ids of their fingerprints.
type vectorBatch[W datasets.Weight] struct {
	offsets []int
	indices []uint64
	weights []W
	ids     []byte
	idEnds  []int
	madeUp  []bool  // whether an id is the number of the vector
	lines   []int   // line numbers; 0 if the format has no lines
	refused []error // errors of vectors without a fingerprint; empty if all have one
}

func (b *vectorBatch[W]) reset() {
	b.offsets, b.indices, b.weights = append(b.offsets[:0], 0), b.indices[:0], b.weights[:0]
	b.ids, b.idEnds, b.lines, b.refused = b.ids[:0], b.idEnds[:0], b.lines[:0], b.refused[:0]
	b.madeUp = b.madeUp[:0]
}

func (b *vectorBatch[W]) full() bool {
	return len(b.indices) >= batchFeatures || len(b.lines) >= batchVectors
}

// add copies a row. Its number, from 1, is the default id.
func (b *vectorBatch[W]) add(row *datasets.Row[W], number int) {
	b.indices, b.weights = append(b.indices, row.Indices...), append(b.weights, row.Weights...)
	b.offsets = append(b.offsets, len(b.indices))
	b.madeUp = append(b.madeUp, len(row.ID) == 0)
	if len(row.ID) > 0 {
		b.ids = append(b.ids, row.ID...)
	} else {
		b.ids = strconv.AppendInt(b.ids, int64(number), 10)
	}
	b.idEnds, b.lines = append(b.idEnds, len(b.ids)), append(b.lines, row.Line)
}

// byHash computes the fingerprints of a batch.
func byHash[W datasets.Weight](s *fphash.Sketcher, unit bool) computer[W] {
	return func(dst []uint64, status []fphash.Status, b *vectorBatch[W]) ([]uint64, []fphash.Status, error) {
		if unit {
			return fphash.AppendBatchUnit(s, dst, status, b.offsets, b.indices)
		}
		return fphash.AppendBatch(s, dst, status, b.offsets, b.indices, b.weights)
	}
}

// computer appends the fingerprints of a batch and their statuses.
type computer[W datasets.Weight] func([]uint64, []fphash.Status, *vectorBatch[W]) ([]uint64, []fphash.Status, error)

// sketchRows reads, computes and writes batch by batch. The numbers of vectors also count lines
// that are left out.
func sketchRows[W datasets.Weight](j *sketchJob, source datasets.VectorReader[W], compute computer[W]) error {
	var b vectorBatch[W]
	var row datasets.Row[W]
	var computed []uint64
	var status []fphash.Status
	for number, ended := 0, false; !ended; {
		if err := context.Cause(j.ctx); err != nil {
			return err
		}
		b.reset()
		var readErr error
		for !b.full() && readErr == nil {
			if readErr = source.Read(&row); readErr == nil {
				number++
				b.add(&row, number+source.Bad())
			}
		}
		if err := source.NotVectors(); err != nil && readErr != nil {
			if readErr != io.EOF {
				err = readErr // it describes the input better
			}
			return err
		}
		var err error
		if computed, status, err = compute(computed[:0], status[:0], &b); err != nil {
			return err
		}
		if err := writeBatch(j, &b, computed, status); err != nil {
			return err
		}
		if readErr != nil && readErr != io.EOF {
			return readErr // the vectors before the error have been written
		}
		ended, j.vectors = readErr != nil, number
	}
	return nil
}

func writeBatch[W datasets.Weight](j *sketchJob, b *vectorBatch[W], computed []uint64, status []fphash.Status) error {
	words, from := j.sketcher.Words(), 0
	for i, end := range b.idEnds {
		id := b.ids[from:end]
		from = end
		j.written++
		if len(b.refused) > 0 && b.refused[i] != nil {
			if err := j.refuse(b.lines[i], id, b.refused[i]); err != nil {
				return err
			}
			continue
		}
		if status[i] == fphash.NotFinite {
			if err := j.refuse(b.lines[i], id, errNotFinite); err != nil {
				return err
			}
			continue
		}
		if status[i] == fphash.NoInformation {
			j.uninformative++
		}
		r := fingerprints.Record{ID: id, MadeUp: b.madeUp[i], Fingerprint: computed[i*words : (i+1)*words], Informative: status[i] == fphash.Informative}
		if err := j.out.Write(r); err != nil {
			return err
		}
	}
	return nil
}

// weightsFor returns the type of the weights of vectors. If --weights was not given, it depends on
// the hasher: a convention has the type of its system, and MinHash has no weights.
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
		return "", fmt.Errorf("--weights %s cannot be combined with --sketch minhash, which takes sets", weights)
	}
	return weights, nil
}

// byConvention computes the fingerprints of a batch with a convention, one by one. It records the
// errors of vectors that the convention refuses.
func byConvention[W datasets.Weight](j *sketchJob, unit bool) computer[W] {
	system := j.sketcher.(*conventions.Sketcher) // the only hasher besides fphash.Sketcher
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

var errNotFinite = errors.New("the sums of the weights overflow; expected finite sums")
