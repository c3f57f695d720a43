package source

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/dedup"
)

// again returns a function that reads the records of all files again. These must not have changed.
func again[T any](s *Source, step Step, read dedup.Values[T]) dedup.Reread[T] {
	all := dedup.Values[T](func(ctx context.Context, _ string, want func(int) bool) iter.Seq2[T, error] {
		return read(ctx, "", want)
	})
	return func(ctx context.Context, records []uint64, take func(uint64, T) error) error {
		n := 0
		told := func(more int) {
			n += more
			s.progress(step, n)
		}
		err := all.Take(ctx, s.Name, 0, records, told, take)
		if changed := s.unchanged(); changed != nil { // the change may have caused err
			return changed
		}
		return err
	}
}

// TextsAgain returns a function that reads the texts again.
func (s *Source) TextsAgain() dedup.Reread[[]byte] { return again(s, ReadingTexts, s.TextsOf) }

// TextsOf reads the texts of one of the files again; "" means all files. It is a dedup.Values.
func (s *Source) TextsOf(ctx context.Context, path string, want func(int) bool) iter.Seq2[[]byte, error] {
	return s.wanted(ctx, path, "", want, func(d *documents.Document) ([]byte, error) { return d.Text, nil })
}

// wanted yields extract(document) of the wanted documents of a file, or of all files, and nil for
// the others. extract may use the field value. Malformed documents are skipped silently, since the
// first reading has reported them.
func (s *Source) wanted(ctx context.Context, path, value string, want func(int) bool, extract func(*documents.Document) ([]byte, error)) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		options := s.Options(nil)
		if s.hints.OnError != nil {
			options.OnError = func(error) {}
		}
		options.Want, options.Value = want, value
		var reader documents.Reader
		var err error
		if path == "" {
			reader, err = s.openTexts(ctx, options)
		} else {
			reader, err = documents.Open(ctx, path, options)
		}
		if err != nil {
			yield(nil, ofKeep(value, err))
			return
		}
		defer reader.Close()
		var document documents.Document
		for record := 0; ; record++ {
			var read []byte
			err := ofKeep(value, reader.Read(&document))
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil && want(record) {
				read, err = extract(&document)
			}
			if !yield(read, err) || err != nil {
				return
			}
		}
	}
}

// ofKeep returns the error of reading a value of Keep.
func ofKeep(value string, err error) error {
	if err == nil || value == "" {
		return err
	}
	return KeepError{err}
}

// vectorsAgain returns a function that reads the vectors again, without those that were left out.
func (s *Source) vectorsAgain(m Method, counts *Counts) dedup.Reread[*datasets.Row[float64]] {
	return again(s, ReadingVectors, func(ctx context.Context, _ string, _ func(int) bool) iter.Seq2[*datasets.Row[float64], error] {
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
