package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"

	"simhashkit/bench/calibrate"
	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/datasets/text/weights"
)

// calibrateTexts is calibrate on documents.
func (f *calibrateFlags) calibrateTexts(ctx context.Context, stderr io.Writer) (calibrate.Report, error) {
	if err := f.texts.take(f.weights); err != nil {
		return calibrate.Report{}, err
	}
	p := newProgress(stderr)
	defer p.clear()
	var set datasets.CSR[float64]
	var description string
	err := abandon(ctx, func() (err error) {
		set, description, err = f.vectorsOfTexts(ctx, p, stderr)
		return err
	})
	if err != nil {
		return calibrate.Report{}, err
	}
	return measure(ctx, f, &set, description, p)
}

// vectorsOfTexts returns the vectors of a random sample of the documents, all of them if they are
// few. The index of a feature is its XXH64.
func (f *calibrateFlags) vectorsOfTexts(ctx context.Context, p *progress, stderr io.Writer) (set datasets.CSR[float64], description string, err error) {
	analyzer, o, err := f.texts.weighing.load(ctx)
	if err != nil {
		return set, "", err
	}
	weigher, err := weights.New(o)
	if err != nil {
		return set, "", err
	}
	sample, n, err := f.sampleTexts(ctx, p, stderr)
	if err != nil {
		return set, "", err
	}
	if n == 0 {
		return set, "", errors.New("no documents in " + f.data)
	}
	index := func(feature []byte) (uint64, bool) { return xxhash.Sum64(feature), true }
	var features [][]byte
	var row datasets.Row[float64]
	for _, text := range sample {
		features = analyzer.Append(features[:0], text)
		row.Indices, row.Weights = weigher.Weigh(features).AppendIndexed(row.Indices[:0], row.Weights[:0], index)
		if err := set.Append(&row); err != nil {
			return set, "", err
		}
	}
	f.weights = string(o.Scheme)
	return set, fmt.Sprintf("%s: %d of %d documents, %s", f.data, len(sample), n, analyzer.Options()), nil
}

// sampleTexts returns texts of which each document is as likely to be one as any other, and how
// many documents there are.
func (f *calibrateFlags) sampleTexts(ctx context.Context, p *progress, stderr io.Writer) (sample [][]byte, n int, err error) {
	paths, err := f.texts.expand(f.data, func(notice string) { fmt.Fprintln(stderr, "fphash:", notice) })
	if err != nil {
		return nil, 0, err
	}
	random := rand.New(rand.NewPCG(f.options.Seed, 1))
	for _, path := range paths {
		reader, err := documents.Open(ctx, path, f.texts.options(nil))
		if err != nil {
			return nil, 0, err
		}
		var d documents.Document
		for err = reader.Read(&d); err == nil; err = reader.Read(&d) {
			// those of the first n are a fair sample at any time
			at := len(sample)
			if at < f.options.Vectors {
				sample = append(sample, nil)
			} else {
				at = int(random.Uint64N(uint64(n + 1)))
			}
			if at < len(sample) {
				sample[at] = append(sample[at][:0], d.Text...)
			}
			n++
			p.show(func() string { return fmt.Sprintf("reading  %d documents", n) })
		}
		reader.Close()
		if err != io.EOF {
			return nil, 0, err
		}
	}
	return sample, n, nil
}
