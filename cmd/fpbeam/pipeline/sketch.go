package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	_ "simhashkit/datasets/columnar" // for documents in Parquet
	"simhashkit/datasets/documents"
	_ "simhashkit/datasets/text/ja" // for features with lang=ja
	_ "simhashkit/datasets/text/zh" // for features with lang=zh
	_ "simhashkit/fphash/families"  // for their hashes
	"simhashkit/textsketch"
)

func init() {
	register.DoFn3x1[context.Context, Input, func(Record), error](&sketchFn{})
	register.Emitter1[Record]()
}

// sketchFn reads the documents of an input and computes their fingerprints, a chunk of documents at
// a time on several cores.
type sketchFn struct {
	Texts Texts

	sketcher *textsketch.Sketcher
}

func (f *sketchFn) Setup(ctx context.Context) (err error) {
	f.sketcher, err = f.Texts.Sketcher(ctx)
	return err
}

func (f *sketchFn) ProcessElement(ctx context.Context, in Input, emit func(Record)) (err error) {
	defer mark(&err)
	reader, err := open(ctx, in.Path, f.Texts)
	if err != nil {
		return err
	}
	defer reader.Close()
	for d, err := range f.sketcher.Documents(ctx, reader, f.Texts.Workers) {
		if err != nil {
			return err
		}
		record, err := recordOf(in, f.Texts, d.ID, d.Number, d.NumericID)
		if err != nil {
			return err
		}
		record.Informative = d.Status.Err() == nil
		if record.Informative {
			record.Words = slices.Clone(d.Fingerprint)
		}
		record.count(ctx)
		emit(record)
	}
	return nil
}

// recordOf returns a document without its fingerprint. Without a field for it, the id is the number
// of the document in its input.
func recordOf(in Input, texts Texts, id []byte, number int, numericID bool) (Record, error) {
	position, err := positionOf(in.Number, number)
	if err != nil {
		return Record{}, fmt.Errorf("%s: %w", in.Path, err)
	}
	r := Record{Position: position, ID: slices.Clone(id), Number: numericID}
	if texts.ID == "" && len(id) == 0 {
		r.ID, r.Number = strconv.AppendInt(nil, int64(number), 10), true
	}
	return r, nil
}

func (r Record) count(ctx context.Context) {
	documentsCount.Inc(ctx, 1)
	if !r.Informative {
		withoutCount.Inc(ctx, 1)
	}
}

// open opens the documents of an input: of a path, with everything that package documents reads, or
// the stream of an address such as gs://bucket/file.
func open(ctx context.Context, path string, texts Texts) (documents.Reader, error) {
	options := texts.options(func(err error) {
		leftOutCount.Inc(ctx, 1)
		log.Warnf(ctx, "left out: %v", err)
	})
	if !IsAddress(path) {
		return documents.Open(ctx, path, options)
	}
	return openAddress(ctx, path, options)
}

// inputs returns all inputs, spread over the workers.
func inputs(s beam.Scope, list []Input) beam.PCollection {
	return beam.Reshuffle(s, beam.CreateList(s, list))
}
