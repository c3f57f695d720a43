package main

import (
	"context"
	"errors"
	"io"
	"testing"

	"simhashkit/datasets"
	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// interruptingWriter interrupts the work at the first record.
type interruptingWriter struct {
	cancel  context.CancelCauseFunc
	records int
}

func (w *interruptingWriter) Write(fingerprints.Record) error {
	w.records++
	w.cancel(errInterrupted)
	return nil
}

func (w *interruptingWriter) End() error { return nil }

// Vectors that are in memory, as those of a folder of files, come from no reader that could be
// interrupted: the work ends with their batch.
func TestInterruptAmongVectorsInMemory(t *testing.T) {
	sketcher, err := fphash.New()
	if err != nil {
		t.Fatal(err)
	}
	set := datasets.CSR[float64]{Offsets: []int{0}}
	for range 3 * batchVectors {
		if err := set.Append(&datasets.Row[float64]{Indices: []uint64{1}}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	out := &interruptingWriter{cancel: cancel}
	job := &sketchJob{ctx: ctx, sketcher: sketcher, stderr: io.Discard, out: out}
	err = sketchRows(job, &setReader[float64]{set: &set}, func(dst []uint64, status []fphash.Status, b *vectorBatch[float64]) ([]uint64, []fphash.Status, error) {
		return fphash.AppendBatchUnit(sketcher, dst, status, b.offsets, b.indices)
	})
	if !errors.Is(err, errInterrupted) || out.records != batchVectors {
		t.Errorf("%d records, error %v", out.records, err)
	}
}
