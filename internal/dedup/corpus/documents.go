package corpus

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strconv"

	"simhashkit/datasets/documents"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/docformat"
	"simhashkit/internal/docsketch"
	"simhashkit/textsketch"
)

// Documents is the Source of the documents of files. If Options.OnError is not nil, malformed
// documents are left out.
type Documents struct {
	Options  documents.Options
	Sketcher *textsketch.Sketcher
	Hashed   string // the definition of the hash of Sketcher
	Workers  int    // 0: GOMAXPROCS

	Missing docsketch.Missing // counts what the documents lack

	left int // documents left out
}

// Definition defines the fingerprints and the texts they are computed from.
func (d *Documents) Definition() string {
	o, charset := d.Options, ""
	if o.Charset != "" {
		charset = " charset=" + o.Charset
	}
	return fmt.Sprintf("text=%s id=%s documents=%s%s; %s", o.Text, o.ID, cmp.Or(o.Format, docformat.Auto), charset, d.Sketcher.Definition())
}

// Hash returns the definition of the hash.
func (d *Documents) Hash() string { return d.Hashed }

// Bits returns the width of a fingerprint.
func (d *Documents) Bits() int { return d.Sketcher.Bits() }

// LeftOut returns the number of documents that were left out so far.
func (d *Documents) LeftOut() int { return d.left }

// Records computes the fingerprints of the documents of a file.
func (d *Documents) Records(ctx context.Context, path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		options := d.Options
		if options.OnError != nil {
			options.OnError = func(err error) {
				d.left++
				d.Options.OnError(err)
			}
		}
		reader, err := documents.Open(ctx, path, options)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer reader.Close()
		for document, err := range docsketch.Documents(ctx, d.Sketcher, reader, &d.Missing, d.Workers) {
			r := Record{ID: document.ID, Number: document.NumericID, MadeUp: document.MadeUp, Fingerprint: document.Fingerprint, Informative: document.Status.Err() == nil, Features: document.Features}
			if len(r.ID) == 0 {
				r.ID, r.Number, r.MadeUp = strconv.AppendInt(nil, int64(document.Number), 10), true, true
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// Copy copies a file without the dropped documents, for Result.Remove.
func (d *Documents) Copy(ctx context.Context, in, out string, copying Copying) error {
	leftOut, options := 0, d.Options
	if options.OnError != nil {
		options.OnError = func(error) { leftOut++ }
	}
	options.Whole = func() error { return copying.Whole(leftOut) }
	options.Ready = copying.Ready
	return documents.CopyKept(ctx, in, out, options, copying.Keep)
}

// OldIndex returns the entries of an index as old documents, of which only the fingerprints are
// known.
func OldIndex(path string, id func(indexfile.ID) string) Old {
	return Old{Name: path, Records: func(ctx context.Context) iter.Seq2[Record, error] {
		return func(yield func(Record, error) bool) {
			r, err := indexfile.Open(path)
			if err != nil {
				yield(Record{}, err)
				return
			}
			defer r.Close()
			n := 0
			for e, err := range r.All() {
				if n++; err == nil && n%4096 == 0 {
					err = context.Cause(ctx)
				}
				if !yield(Record{ID: []byte(id(e.ID)), Fingerprint: e.Words, Informative: true}, err) || err != nil {
					return
				}
			}
		}
	}}
}
