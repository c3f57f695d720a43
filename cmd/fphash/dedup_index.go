package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/english"
)

// dedupIndex is the index of --against.
type dedupIndex struct {
	path   string
	writer *indexfile.Writer // with --update
	info   indexfile.Info
	own    map[string][]uint64 // entries with ids of the input, by id
}

// openIndex opens the file of --against if it is an index, and returns nil otherwise. With an
// index, vectors get fingerprints with its definition, unless flags specify another.
func (f *dedupFlags) openIndex(stderr io.Writer) (*dedupIndex, error) {
	if corpus.IsRun(f.against) {
		return nil, fmt.Errorf("--against %s: expected a file or an index, got the folder of a run, which fphash dedup-corpus --against takes", f.against)
	}
	if f.against == "" || f.against == "-" || !indexfile.IsFile(f.against) {
		if f.update {
			return nil, fmt.Errorf("--update requires an index of fphash index build, got --against %s", f.against)
		}
		return nil, nil
	}
	x := &dedupIndex{path: f.against}
	if f.update {
		var err error
		if x.writer, err = indexfile.OpenWriter(f.against); err != nil {
			return nil, err
		}
		mended(stderr, x.writer)
		x.info = x.writer.Info()
	} else {
		r, err := indexfile.Open(f.against)
		if err != nil {
			return nil, err
		}
		x.info, err = r.Info()
		r.Close()
		if err != nil {
			return nil, err
		}
	}
	return x, f.input.follow(x.path, x.info)
}

// close closes the index. It does nothing for nil.
func (x *dedupIndex) close() error {
	if x == nil || x.writer == nil {
		return nil
	}
	return x.writer.Close()
}

// others returns the entries of the index whose ids are not in the input. An entry with the id of a
// record is that record, added by an earlier run.
func (x *dedupIndex) others(records *dedup.Records) (*dedup.Records, error) {
	x.own = make(map[string][]uint64, records.Len())
	for i := range records.Len() {
		x.own[records.ID(i)] = nil
	}
	r, err := indexfile.Open(x.path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	others := &dedup.Records{Name: x.path}
	others.Set.Bits, others.Set.Definition = x.info.Bits, x.info.Definition
	for e, err := range r.All() {
		if err != nil {
			return nil, err
		}
		name := shownID(e.ID, x.info.Texts)
		if _, own := x.own[name]; own {
			x.own[name] = slices.Clone(e.Words)
		} else {
			others.Add([]byte(name), e.Words, true)
		}
	}
	return others, nil
}

// kept returns the kept records that are not yet in the index, as entries. Without --update, it
// returns nil.
func (x *dedupIndex) kept(result *dedup.Result) (*indexfile.Entries, error) {
	if x == nil || x.writer == nil {
		return nil, nil
	}
	records := result.Records
	e, err := entriesOf(records, x.info.Texts, func(position int) bool {
		record := int(records.Set.ID(position))
		return record >= result.Old && !result.IsDropped(position) && !slices.Equal(x.own[records.ID(record)], records.Set.At(position))
	})
	if err == nil {
		err = x.writer.Check(e)
	}
	if err != nil {
		return nil, fmt.Errorf("--update: %w; nothing was written", err)
	}
	return e, nil
}

// update adds the kept records to the index.
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
