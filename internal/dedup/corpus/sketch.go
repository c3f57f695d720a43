package corpus

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"simhashkit/internal/english"
	"simhashkit/internal/wholefile"
)

// Sketch computes the fingerprints of all inputs and OldFiles that have none or have changed.
func (r *Run) Sketch(ctx context.Context) error {
	if err := cmp.Or(r.refuse(), r.agree(ctx)); err != nil {
		return err
	}
	p := Progress{Stage: StageFingerprints}
	all, n := slices.Concat(r.Inputs, r.OldFiles), 0
	for _, in := range all {
		s, err := stateOf(in.Path)
		if err != nil {
			return err
		}
		p.Total += s.Bytes
	}
	for _, in := range all {
		r.tell(p)
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
			if err := r.sketchOne(ctx, in, h, &p); err != nil {
				return err
			}
			n++
		}
		p.Done += h.Bytes
	}
	r.tell(p)
	r.notice("computed fingerprints of %s in %s; %s had fingerprints before",
		english.Count(p.Records, "document"), english.Count(n, "input"), english.Count(len(all)-n, "input"))
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
func (r *Run) sketchOne(ctx context.Context, in Input, h head, p *Progress) error {
	path := r.stored(in)
	if err := makeFolderOf(path); err != nil {
		return err
	}
	before := r.leftOut()
	each := func() {
		if p.Records++; p.Records%512 == 0 {
			r.tell(*p)
		}
	}
	finish := func() (ending, error) {
		return ending{LeftOut: r.leftOut() - before}, h.state.check(in.Path, "it changed while it was read: run again")
	}
	return wholefile.WriteRestorable(path, func(w io.Writer) error {
		return storeTo(w, h, r.Source.Records(ctx, in.Path), each, finish)
	})
}
