package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"time"

	_ "simhashkit/datasets/columnar"
	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash"
	"simhashkit/results/measure/madeup"
	"simhashkit/results/measure/memory"
	"simhashkit/results/measure/peers"
	"simhashkit/textsketch"
)

// stages deduplicates the corpus as fphash dedup-corpus does, from files to attributes and to files
// of what is kept, and writes what each stage took as JSON lines.
func stages(ctx context.Context, c *madeup.Corpus, t tool, folder string, workers int, w io.Writer) error {
	s, err := newSource(t, workers)
	if err != nil {
		return err
	}
	inputs, _, err := corpus.Inputs([]string{c.Folder}, nil, func(string) ([]string, error) { return c.Paths(), nil })
	if err != nil {
		return err
	}
	run := &corpus.Run{Folder: filepath.Join(folder, "attributes"), Inputs: inputs, Source: s, K: cmp.Or(t.k, dedup.DefaultK(fphash.SimHash, s.Bits())), Workers: workers}
	var found *corpus.Result
	out := json.NewEncoder(w)
	for _, part := range []struct {
		name string
		do   func() error
	}{
		{"sketch", func() error { _, err := run.Sketch(ctx, 0, 1); return err }},
		{"join", func() (err error) { found, err = run.Find(ctx, c.Folder, nil); return err }},
		{"attributes", func() error { return found.WriteAttributes(ctx) }},
		{"remove", func() error {
			_, _, err := found.Remove(ctx, filepath.Join(folder, "kept"), func(ctx context.Context, in, out string, copying corpus.Copying) error {
				options := documents.Options{ID: "id", Whole: func() error { return copying.Whole(0) }, Ready: copying.Ready}
				return documents.CopyKept(ctx, in, out, options, copying.Keep)
			})
			return err
		}},
	} {
		_ = memory.ResetPeak() // where it cannot be, memory is not told either
		begin := time.Now()
		if err := part.do(); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		took := peers.Stage{Name: part.name, Time: time.Since(begin)}
		took.Bytes, _ = memory.Peak()
		if err := out.Encode(took); err != nil {
			return err
		}
	}
	return nil
}

// fingerprints are those of the documents of Parquet files.
type fingerprints struct {
	*textsketch.Sketcher
	unsure  int
	workers int
}

func newSource(t tool, workers int) (*fingerprints, error) {
	options, err := text.ParseOptions(t.features)
	if err != nil {
		return nil, err
	}
	sketch := []fphash.Option{fphash.WithWorkers(1)}
	if t.minhash > 0 {
		sketch = append(sketch, fphash.WithSketch(fphash.MinHash), fphash.WithBits(t.minhash))
	}
	hash, err := fphash.New(sketch...)
	if err != nil {
		return nil, err
	}
	s, err := textsketch.New(textsketch.Options{Text: options, Hash: hash, Unsure: t.unsure})
	return &fingerprints{s, t.unsure, workers}, err
}

func (f *fingerprints) Unsure() int { return f.unsure }

// Records returns those of a file.
func (f *fingerprints) Records(ctx context.Context, path string) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		r, err := documents.Open(ctx, path, documents.Options{ID: "id"})
		if err != nil {
			yield(corpus.Record{}, err)
			return
		}
		defer r.Close()
		for d, err := range f.Documents(ctx, r, f.workers) {
			record := corpus.Record{ID: d.ID, Number: d.NumericID, Fingerprint: d.Fingerprint, Mask: d.Mask, Informative: d.Status.Err() == nil}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}
