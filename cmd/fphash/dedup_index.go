package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/english"
)

// dedupIndex is the index that records are compared with.
type dedupIndex struct {
	path   string
	writer *indexfile.Writer // with --update
	info   indexfile.Info
}

// openIndex opens what --against names if it is an index; nil if it is another file. Vectors get
// fingerprints by its definition, where flags do not say otherwise.
func (f *dedupFlags) openIndex(stderr io.Writer) (*dedupIndex, error) {
	if corpus.IsRun(f.other) {
		return nil, fmt.Errorf("--against %s: expected a file or an index, got the folder of a run, which fphash dedup-corpus --against takes", f.other)
	}
	if f.other == "" || f.other == "-" || !indexfile.IsFile(f.other) {
		if f.update {
			return nil, errors.New("--update: expected --against INDEX with it, a file that fphash index build has made")
		}
		return nil, nil
	}
	x := &dedupIndex{path: f.other}
	if f.update {
		var err error
		if x.writer, err = indexfile.OpenWriter(f.other); err != nil {
			return nil, err
		}
		mended(stderr, x.writer)
		x.info = x.writer.Info()
	} else {
		r, err := indexfile.Open(f.other)
		if err != nil {
			return nil, err
		}
		x.info, err = r.Info()
		r.Close()
		if err != nil {
			return nil, err
		}
	}
	f.indexK = &x.info.K
	return x, f.input.follow(x.path, x.info)
}

// close ends the use of the index. Of none it does nothing.
func (x *dedupIndex) close() error {
	if x == nil || x.writer == nil {
		return nil
	}
	return x.writer.Close()
}

// records returns all entries.
func (x *dedupIndex) records() (*dedup.Records, error) {
	r, err := indexfile.Open(x.path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	records := &dedup.Records{Name: x.path, Set: *r.Set()}
	err = r.All(func(id indexfile.ID, words []uint64) bool {
		records.Add([]byte(shownID(id, x.info.Texts)), words, true)
		return true
	})
	return records, err
}

// kept returns the records that are kept as entries that the index will take, nil without --update.
func (x *dedupIndex) kept(result *dedup.Result) (*indexfile.Entries, error) {
	if x == nil || x.writer == nil {
		return nil, nil
	}
	e, err := entriesOf(result.Records, x.info.Texts, func(position int) bool { return !result.IsDropped(position) })
	if err == nil {
		err = x.writer.Check(e)
	}
	if err != nil {
		return nil, fmt.Errorf("--update: %w; nothing was written", err)
	}
	return e, nil
}

// update adds the records that are kept, if there are any to be added.
func (x *dedupIndex) update(ctx context.Context, e *indexfile.Entries, p *progress, stderr io.Writer) error {
	if e == nil {
		return nil
	}
	if err := (&addition{ctx: ctx, writer: x.writer}).insertAll(e, p); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "fphash: %d %s added to %s; %s\n", e.Len(), english.Plural(e.Len(), "record was", "records were"), x.path, indexSize(x.writer))
	return nil
}
