package main

import (
	"context"
	"io"
	"strconv"

	"simhashkit/datasets"
	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// batch is how many vectors go to the kernels at a time.
const (
	batchFeatures = 1 << 16
	batchVectors  = 4096
)

// vectorBatch holds the vectors that are next, and what their fingerprints will be called.
type vectorBatch[W datasets.Weight] struct {
	offsets []int
	indices []uint64
	weights []W
	ids     []byte
	idEnds  []int
	lines   []int   // in the file; 0 where there is none
	refused []error // of vectors that have no fingerprint; nil where all have one
}

func (b *vectorBatch[W]) reset() {
	b.offsets, b.indices, b.weights = append(b.offsets[:0], 0), b.indices[:0], b.weights[:0]
	b.ids, b.idEnds, b.lines, b.refused = b.ids[:0], b.idEnds[:0], b.lines[:0], b.refused[:0]
}

func (b *vectorBatch[W]) full() bool {
	return len(b.indices) >= batchFeatures || len(b.lines) >= batchVectors
}

// add copies the row, which is number counted from 1.
func (b *vectorBatch[W]) add(row *datasets.Row[W], number int) {
	b.indices, b.weights = append(b.indices, row.Indices...), append(b.weights, row.Weights...)
	b.offsets = append(b.offsets, len(b.indices))
	if len(row.ID) > 0 {
		b.ids = append(b.ids, row.ID...)
	} else {
		b.ids = strconv.AppendInt(b.ids, int64(number), 10)
	}
	b.idEnds, b.lines = append(b.idEnds, len(b.ids)), append(b.lines, row.Line)
}

// sketchAll reads all vectors and writes their fingerprints. With unit weights, there are none of
// any type.
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

// sketchRows is the loop: a batch is read, computed and written. Lines that are left out are
// counted in the numbers of those after them.
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
				err = readErr // which says better what is wrong
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
			return readErr // after the vectors before it have been written
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
		r := fingerprints.Record{ID: id, Fingerprint: computed[i*words : (i+1)*words], Informative: status[i] == fphash.Informative}
		if err := j.out.Write(r); err != nil {
			return err
		}
	}
	return nil
}
