package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strconv"

	"simhashkit/datasets/documents"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/docformat"
	"simhashkit/internal/docsketch"
	"simhashkit/internal/english"
	"simhashkit/internal/wholefile"
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
		for r, err := range docsketch.Documents(ctx, d.Sketcher, reader, &d.Missing, d.Workers) {
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

// IndexID formats an id of an index.
func IndexID(id indexfile.ID, texts bool) string {
	if texts {
		return id.Text
	}
	return strconv.FormatUint(id.Number, 10)
}

// OldIndex returns the entries of an index as old documents, of which only the fingerprints are
// known. texts says that their ids are texts.
func OldIndex(path string, texts bool) Old {
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
				if !yield(Record{ID: []byte(IndexID(e.ID, texts)), Fingerprint: e.Words, Informative: true}, err) || err != nil {
					return
				}
			}
		}
	}}
}

// Sketch computes the fingerprints of all inputs and OldFiles that have none or have changed.
func (r *Run) Sketch(ctx context.Context) error {
	if err := cmp.Or(r.refuse(), r.agree(ctx)); err != nil {
		return err
	}
	p := &count{run: r, step: "fingerprints"}
	all, n := slices.Concat(r.Inputs, r.OldFiles), 0
	for _, in := range all {
		s, err := stateOf(in.Path)
		if err != nil {
			return err
		}
		p.total += s.Bytes
	}
	for _, in := range all {
		p.add(0, 0)
		if err := context.Cause(ctx); err != nil {
			return err
		}
		h, err := r.headOf(in)
		if err != nil {
			return err
		}
		fresh, err := r.fresh(ctx, in, h)
		if err != nil {
			return err
		}
		if !fresh {
			if err := r.sketchOne(ctx, in, h, p); err != nil {
				return err
			}
			n++
		}
		p.add(0, h.Bytes)
	}
	r.notice("computed fingerprints of %s in %s; %s had fingerprints before",
		english.Count(p.records, "document"), english.Count(n, "input"), english.Count(len(all)-n, "input"))
	return nil
}

// fresh reports whether the fingerprints of an input exist and are up to date. It reads a small
// file of fingerprints to its end: it was not synced, so a system crash may have damaged it.
func (r *Run) fresh(ctx context.Context, in Input, now head) (bool, error) {
	path := r.stored(in)
	info, err := os.Stat(path)
	if err != nil {
		return false, ignoreMissing(err)
	}
	small := info.Size() < wholefile.Small
	s, err := openStored(ctx, path)
	if err == nil {
		defer s.file.Close()
		if small {
			for _, err = range s.records(ctx, r.Source.Bits()) {
				if err != nil {
					break
				}
			}
		}
	}
	switch {
	case small && errors.Is(err, errDamaged):
		r.notice("%s: its fingerprints are damaged, as a crash of the system can leave them: they are computed anew", in.Path)
	case err != nil:
		return false, err
	case s.head.state != now.state:
		r.notice("%s has changed since its fingerprints were computed: they are computed anew", in.Path)
	case !s.head.madeAs(now):
		r.notice("%s: documents may have been left out of its fingerprints, but not in this run: they are computed anew", in.Path)
	default:
		return true, nil
	}
	return false, nil
}

func (r *Run) leftOut() int {
	if r.LeftOut == nil {
		return 0
	}
	return r.LeftOut()
}

// sketchOne computes and writes the fingerprints of one input.
func (r *Run) sketchOne(ctx context.Context, in Input, h head, p *count) error {
	path := r.stored(in)
	if err := makeFolderOf(path); err != nil {
		return err
	}
	before := r.leftOut()
	n := 0
	each := func() {
		if n++; n%512 == 0 {
			p.add(512, 0)
		}
	}
	finish := func() (ending, error) {
		p.add(n%512, 0)
		return ending{LeftOut: r.leftOut() - before}, h.state.check(in.Path, "it changed while it was read: run again")
	}
	return wholefile.WriteRestorable(path, func(w io.Writer) error {
		return storeTo(w, h, r.Source.Records(ctx, in.Path), each, finish)
	})
}
