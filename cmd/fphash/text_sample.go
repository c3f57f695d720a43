package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// textSample is the vectors of some documents, as those who measure on vectors take them: the index
// of a feature is its XXH64.
type textSample struct {
	set                  datasets.CSR[float64]
	features             map[uint64][]byte // by index
	texts                int               // that they were drawn from
	description, weights string
}

// sampler draws documents at random.
type sampler struct {
	*textFlags
	hashes   []string // that are to be measured
	most     int      // documents
	seed     uint64   // of the draw
	progress *progress
	stderr   io.Writer
	onError  func(error) // is told of documents that are left out; nil: the first one ends the work
}

// vectors returns those of a random sample of the documents of data, of all if they are few.
func (s *sampler) vectors(ctx context.Context, data, scheme string) (*textSample, error) {
	if err := s.refuseEncoding(); err != nil {
		return nil, err
	}
	for _, name := range s.hashes {
		if family, err := fphash.Lookup(name); err == nil && family.Integer {
			return nil, fmt.Errorf("--hash %s: expected a hash of byte strings, which features of texts are", name)
		}
	}
	if err := s.take(scheme); err != nil {
		return nil, err
	}
	defer s.progress.clear()
	sample := new(textSample)
	if err := abandon(ctx, func() error { return s.weigh(ctx, data, sample) }); err != nil {
		return nil, err // a sample that may be written to still
	}
	return sample, nil
}

func (f *textFlags) refuseEncoding() error {
	if f.changed("encoding") {
		return errors.New("--encoding: expected only with vectors; features of texts are hashed as they are")
	}
	return nil
}

func (s *sampler) weigh(ctx context.Context, data string, sample *textSample) error {
	analyzer, o, err := s.weighing.load(ctx)
	if err != nil {
		return err
	}
	weigher, err := weights.New(o)
	if err != nil {
		return err
	}
	paths, err := s.paths(data)
	if err != nil {
		return err
	}
	drawn, n, err := s.draw(ctx, paths)
	if err != nil {
		return err
	}
	sample.features = map[uint64][]byte{}
	index := func(feature []byte) (uint64, bool) {
		number := xxhash.Sum64(feature)
		if _, ok := sample.features[number]; !ok {
			sample.features[number] = append([]byte(nil), feature...)
		}
		return number, true
	}
	var features [][]byte
	var row datasets.Row[float64]
	for _, text := range drawn {
		features = analyzer.Append(features[:0], text)
		row.Indices, row.Weights = weigher.Weigh(features).AppendIndexed(row.Indices[:0], row.Weights[:0], index)
		if err := sample.set.Append(&row); err != nil {
			return err
		}
	}
	sample.texts, sample.weights = n, string(o.Scheme)
	sample.description = fmt.Sprintf("%s: %d of %d documents, %s", data, len(drawn), n, analyzer.Options())
	return nil
}

// paths returns the files that data stands for.
func (s *sampler) paths(data string) ([]string, error) {
	return s.expand(data, func(notice string) { fmt.Fprintln(s.stderr, "fphash:", notice) })
}

// draw returns texts of which each document is as likely to be one as any other, and how many
// documents there are.
func (s *sampler) draw(ctx context.Context, paths []string) (sample [][]byte, n int, err error) {
	random := rand.New(rand.NewPCG(s.seed, 1))
	for _, path := range paths {
		reader, err := documents.Open(ctx, path, s.options(s.onError))
		if err != nil {
			return nil, 0, err
		}
		var d documents.Document
		for err = reader.Read(&d); err == nil; err = reader.Read(&d) {
			// those of the first n are a fair sample at any time
			at := len(sample)
			if at < s.most {
				sample = append(sample, nil)
			} else {
				at = int(random.Uint64N(uint64(n + 1)))
			}
			if at < len(sample) {
				sample[at] = append(sample[at][:0], d.Text...)
			}
			n++
			s.progress.show(func() string { return fmt.Sprintf("reading  %d documents", n) })
		}
		reader.Close()
		if err != io.EOF {
			return nil, 0, err
		}
	}
	if n == 0 {
		return nil, 0, errors.New("no documents in " + strings.Join(paths, " "))
	}
	return sample, n, nil
}
