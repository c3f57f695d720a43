package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"simhashkit/datasets"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
	"simhashkit/internal/decompress"
	"simhashkit/internal/dedup/corpus"
)

// vectorJob computes the fingerprints of vectors.
type vectorJob struct {
	ctx     context.Context
	name    string // of the stream, in messages
	hash    Hasher
	take    func(Record) error
	counts  *Counts
	onError func(error) // counts a record that is left out; nil if the first one is an error

	written int // vectors that were taken or refused
}

// weighers has the function that computes fingerprints of vectors with weights of each type.
var weighers = map[string]func(*vectorJob, *stream, bool) error{
	datasets.Unit: sketchAll[float64], datasets.Int32: sketchAll[int32], datasets.Int64: sketchAll[int64], datasets.Float32: sketchAll[float32], datasets.Float64: sketchAll[float64],
}

// eachVector computes the fingerprints of all vectors.
func (s *Source) eachVector(ctx context.Context, m Method, counts *Counts, take func(Record) error) error {
	sketch := weighers[m.Weights]
	if sketch == nil {
		return fmt.Errorf("unknown weights %q; expected %s", m.Weights, strings.Join(datasets.WeightTypes(), ", "))
	}
	in, err := s.openStream(ctx)
	if err != nil {
		return err
	}
	in.onError = s.onError(counts)
	j := &vectorJob{ctx: ctx, name: s.Name, hash: m.Hash, take: take, counts: counts, onError: in.onError}
	return cmp.Or(sketch(j, in, m.Weights == datasets.Unit), in.Close()) // a damaged stream returns the same error twice
}

// sketchAll reads all vectors and computes their fingerprints. With unit, it ignores the weights.
func sketchAll[W datasets.Weight](j *vectorJob, in *stream, unit bool) error {
	source, err := rows[W](j.ctx, in, unit)
	if err != nil {
		return err
	}
	compute := byConvention[W]
	if _, ok := j.hash.(*fphash.Sketcher); ok {
		compute = byHash[W]
	}
	return cmp.Or(sketchRows(j, source, compute(j.hash, unit)), source.Close())
}

// stream is a decompressed file of vectors or fingerprints.
type stream struct {
	io.ReadCloser
	source  *Source
	path    string // "" for standard input
	onError func(error)
}

// openStream opens the only file, or the stream.
func (s *Source) openStream(ctx context.Context) (*stream, error) {
	if s.stream != nil {
		r, err := decompress.NewReader(ctx, s.reader())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", standardInput, err)
		}
		return &stream{ReadCloser: r, source: s}, nil
	}
	path := s.paths[0]
	if corpus.IsFolder(path) {
		return nil, fmt.Errorf("%s is a folder, expected a file", path)
	}
	if file := s.takeOpened(); file != nil {
		return &stream{ReadCloser: file, source: s, path: path}, nil
	}
	r, err := decompress.Open(ctx, path)
	return &stream{ReadCloser: r, source: s, path: path}, err
}

// rows returns a reader of the vectors of a stream.
func rows[W datasets.Weight](ctx context.Context, in *stream, unit bool) (datasets.VectorReader[W], error) {
	h := in.source.hints
	return datasets.NewVectorReader[W](ctx, in.ReadCloser, in.path, datasets.ReadOptions{
		Name: in.source.Name, Base: h.Base, MaxLine: h.MaxLine, Unit: unit, OnError: in.onError})
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
	rows    []vectorRow
}

// vectorRow is a vector of a batch.
type vectorRow struct {
	idEnd   int
	madeUp  bool  // whether the id is the number of the vector
	line    int   // 0 if the format has no lines
	refused error // why it has no fingerprint
}

func (b *vectorBatch[W]) reset() {
	b.offsets, b.indices, b.weights = append(b.offsets[:0], 0), b.indices[:0], b.weights[:0]
	b.ids, b.rows = b.ids[:0], b.rows[:0]
}

func (b *vectorBatch[W]) full() bool {
	return len(b.indices) >= batchFeatures || len(b.rows) >= batchVectors
}

// add copies a row. Its number, from 1, is the default id.
func (b *vectorBatch[W]) add(row *datasets.Row[W], number int) {
	b.indices, b.weights = append(b.indices, row.Indices...), append(b.weights, row.Weights...)
	b.offsets = append(b.offsets, len(b.indices))
	if b.ids = append(b.ids, row.ID...); len(row.ID) == 0 {
		b.ids = strconv.AppendInt(b.ids, int64(number), 10)
	}
	b.rows = append(b.rows, vectorRow{idEnd: len(b.ids), madeUp: len(row.ID) == 0, line: row.Line})
}

// byHash computes the fingerprints of a batch.
func byHash[W datasets.Weight](hash Hasher, unit bool) computer[W] {
	s := hash.(*fphash.Sketcher)
	return func(dst []uint64, status []fphash.Status, b *vectorBatch[W]) ([]uint64, []fphash.Status, error) {
		if unit {
			return fphash.AppendBatchUnit(s, dst, status, b.offsets, b.indices)
		}
		return fphash.AppendBatch(s, dst, status, b.offsets, b.indices, b.weights)
	}
}

// computer appends the fingerprints of a batch and their statuses.
type computer[W datasets.Weight] func([]uint64, []fphash.Status, *vectorBatch[W]) ([]uint64, []fphash.Status, error)

// sketchRows reads, computes and takes batch by batch. The numbers of vectors also count lines
// that are left out.
func sketchRows[W datasets.Weight](j *vectorJob, source datasets.VectorReader[W], compute computer[W]) error {
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
		if err := takeBatch(j, &b, computed, status); err != nil {
			return err
		}
		if readErr != nil && readErr != io.EOF {
			return readErr // the vectors before the error have been written
		}
		ended, j.counts.Records = readErr != nil, number
	}
	return nil
}

func takeBatch[W datasets.Weight](j *vectorJob, b *vectorBatch[W], computed []uint64, status []fphash.Status) error {
	words, from := j.hash.Words(), 0
	for i, row := range b.rows {
		id := b.ids[from:row.idEnd]
		from = row.idEnd
		j.written++
		if status[i] == fphash.NotFinite {
			row.refused = cmp.Or(row.refused, errNotFinite)
		}
		if row.refused != nil {
			if err := j.refuse(row.line, id, row.refused); err != nil {
				return err
			}
			continue
		}
		if status[i] == fphash.NoInformation {
			j.counts.Uninformative++
		}
		r := Record{ID: id, MadeUp: row.madeUp, Fingerprint: computed[i*words : (i+1)*words], Informative: status[i] == fphash.Informative}
		if err := j.take(r); err != nil {
			return err
		}
	}
	return nil
}

// byConvention computes the fingerprints of a batch with a convention, one by one. It records the
// errors of vectors that the convention refuses.
func byConvention[W datasets.Weight](hash Hasher, unit bool) computer[W] {
	system := hash.(*conventions.Sketcher) // the only Hasher besides fphash.Sketcher
	return func(dst []uint64, status []fphash.Status, b *vectorBatch[W]) ([]uint64, []fphash.Status, error) {
		for i := range b.rows {
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
			status, b.rows[i].refused = append(status, s), err
		}
		return dst, status, nil
	}
}

var errNotFinite = errors.New("the sums of the weights overflow; expected finite sums")

// refuse leaves out a vector that has no fingerprint, or returns an error with its file and line.
func (j *vectorJob) refuse(line int, id []byte, why error) error {
	j.counts.skipped = append(j.counts.skipped, j.written-1)
	place := j.name
	if line > 0 {
		place = fmt.Sprintf("%s:%d", j.name, line)
	}
	err := fmt.Errorf("%s: vector %q: %w", place, id, why)
	if j.onError == nil {
		return err
	}
	j.onError(err)
	return nil
}

// vectorsAgain returns a function that reads the vectors again, without those that were left out.
func (s *Source) vectorsAgain(m Method, counts *Counts) dedup.Reread[*datasets.Row[float64]] {
	return again(s, "reading vectors again", func(ctx context.Context, _ string, _ func(int) bool) iter.Seq2[*datasets.Row[float64], error] {
		return s.eachRow(ctx, m.Weights == datasets.Unit, counts.skipped)
	})
}

func (s *Source) eachRow(ctx context.Context, unit bool, skipped []int) iter.Seq2[*datasets.Row[float64], error] {
	return func(yield func(*datasets.Row[float64], error) bool) {
		in, err := s.openStream(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer in.Close()
		if s.hints.OnError != nil {
			in.onError = func(error) {}
		}
		reader, err := rows[float64](ctx, in, unit)
		if err != nil {
			yield(nil, err)
			return
		}
		defer reader.Close()
		var row datasets.Row[float64]
		for n := 0; ; n++ {
			err := reader.Read(&row)
			if errors.Is(err, io.EOF) {
				return
			}
			if len(skipped) > 0 && skipped[0] == n && err == nil {
				skipped = skipped[1:]
				continue
			}
			if row.Weights == nil {
				row.Weights = slices.Repeat([]float64{1}, len(row.Indices))
			}
			if n%1024 == 0 {
				err = cmp.Or(err, context.Cause(ctx))
			}
			if !yield(&row, err) || err != nil {
				return
			}
		}
	}
}
