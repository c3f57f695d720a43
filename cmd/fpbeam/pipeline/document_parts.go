package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"simhashkit/datasets/documents"
	"simhashkit/fphash"
	"simhashkit/textsketch"
)

// DocumentPart is one of the records that are a document together.
type DocumentPart struct {
	Position Position
	Text     []byte
}

// Sum is the features of some parts of a document. Its lanes are integers, to which no order and no
// grouping of additions makes a difference.
type Sum struct {
	Position Position // of the first part; 0 where there is none yet
	Lanes    *fphash.Accumulator[int64]
}

func init() {
	beam.RegisterCoder(reflect.TypeFor[DocumentPart](), encodeDocumentPart, decodeDocumentPart)
	beam.RegisterCoder(reflect.TypeFor[Sum](), encodeSum, decodeSum)
	register.DoFn3x1[context.Context, Input, func([]byte, DocumentPart), error](&readPartsFn{})
	register.Emitter2[[]byte, DocumentPart]()
	register.Combiner3[Sum, DocumentPart, Record](&sumFn{})
	register.Function3x1(namedDocument)
}

func encodeDocumentPart(p DocumentPart) []byte {
	return append(binary.AppendUvarint(nil, uint64(p.Position)), p.Text...)
}

func decodeDocumentPart(data []byte) (DocumentPart, error) {
	d := decoder{data: data}
	p := DocumentPart{Position: int64(d.uvarint())}
	p.Text = slices.Clone(d.data)
	return p, d.err
}

func encodeSum(s Sum) ([]byte, error) {
	dst := binary.AppendUvarint(nil, uint64(s.Position))
	if s.Lanes == nil {
		return dst, nil
	}
	return s.Lanes.AppendBinary(dst)
}

// decodeSum leaves the lanes of another definition to the error of Merge.
func decodeSum(data []byte) (Sum, error) {
	d := decoder{data: data}
	s := Sum{Position: int64(d.uvarint())}
	if d.err != nil || len(d.data) == 0 {
		return s, d.err
	}
	s.Lanes = new(fphash.Accumulator[int64])
	return s, s.Lanes.UnmarshalBinary(d.data)
}

// readPartsFn reads the records of an input as parts of documents, by the documents' ids.
type readPartsFn struct{ Texts Texts }

func (f *readPartsFn) ProcessElement(ctx context.Context, in Input, emit func([]byte, DocumentPart)) (err error) {
	defer mark(&err)
	reader, err := open(ctx, in.Path, f.Texts)
	if err != nil {
		return err
	}
	defer reader.Close()
	var d documents.Document
	for {
		err := reader.Read(&d)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		position, err := positionOf(in.Number, d.Number)
		if err != nil {
			return fmt.Errorf("%s: %w", in.Path, err)
		}
		emit(append([]byte{truths(d.NumericID)}, d.ID...), DocumentPart{position, slices.Clone(d.Text)})
	}
}

// sumFn adds up the features of the parts of each document.
type sumFn struct {
	Texts Texts

	sketcher *textsketch.Sketcher
	local    *textsketch.Local
}

// made makes the Sketcher on first use: runners set combiners up at different times.
func (f *sumFn) made() error {
	if f.sketcher != nil {
		return nil
	}
	var err error
	if f.sketcher, err = f.Texts.Sketcher(context.Background()); err == nil {
		f.local = f.sketcher.Local()
	}
	return err
}

func (f *sumFn) CreateAccumulator() Sum { return Sum{} }

func (f *sumFn) AddInput(s Sum, part DocumentPart) (Sum, error) {
	if err := f.made(); err != nil {
		return s, err
	}
	if s.Lanes == nil {
		s.Lanes = f.sketcher.Accumulator()
	}
	s.Position = firstOf(s.Position, part.Position)
	return s, f.local.Accumulate(s.Lanes, part.Text)
}

func (f *sumFn) MergeAccumulators(a, b Sum) (Sum, error) {
	switch {
	case b.Lanes == nil:
		return a, nil
	case a.Lanes == nil:
		return b, nil
	}
	a.Position = firstOf(a.Position, b.Position)
	return a, a.Lanes.Merge(b.Lanes)
}

func (f *sumFn) ExtractOutput(s Sum) Record {
	r := Record{Position: s.Position}
	if s.Lanes == nil {
		return r
	}
	words, status := s.Lanes.Append(nil)
	if r.Informative = status.Err() == nil; r.Informative {
		r.Words = words
	}
	return r
}

// firstOf returns the first of two positions, of which one may be 0 for none.
func firstOf(a, b Position) Position {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

func namedDocument(ctx context.Context, key []byte, r Record) Record {
	r.Number, r.ID = key[0] != 0, key[1:]
	r.count(ctx)
	return r
}

// documentsOfParts returns the documents of all parts, each in the place of its first part.
func documentsOfParts(s beam.Scope, inputs beam.PCollection, texts Texts) beam.PCollection {
	s = s.Scope("parts of documents")
	parts := beam.ParDo(s, &readPartsFn{Texts: texts}, inputs)
	return beam.ParDo(s, namedDocument, beam.CombinePerKey(s, &sumFn{Texts: texts}, parts))
}
