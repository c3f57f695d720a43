package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/english"
)

// dedupIndex is the index of --against.
type dedupIndex struct {
	path   string
	writer *indexfile.Writer // with --update
	info   indexfile.Info
	own    []int // with --update, the records that the last entries are, which an earlier run added
}

// openIndex opens the index among the files of --against, and returns nil if there is none. With an
// index, vectors get fingerprints with its definition, unless flags specify another.
func (f *dedupFlags) openIndex(stderr io.Writer) (*dedupIndex, error) {
	f.oldFiles = nil
	path := ""
	for _, against := range f.against {
		switch {
		case corpus.IsRun(against):
			return nil, fmt.Errorf("--against %s: expected a file or an index, got the folder of a run, which fphash dedup-corpus --against takes", against)
		case !indexfile.IsFile(against):
			f.oldFiles = append(f.oldFiles, against)
		case path != "":
			return nil, fmt.Errorf("--against %s: expected one index, got %s as well", against, path)
		default:
			path = against
		}
	}
	if path == "" {
		if f.update {
			return nil, fmt.Errorf("--update requires an index of fphash index build, got --against %s", strings.Join(f.against, " "))
		}
		return nil, nil
	}
	x := &dedupIndex{path: path}
	if f.update {
		var err error
		if x.writer, err = indexfile.OpenWriter(path); err != nil {
			return nil, err
		}
		mended(stderr, x.writer)
		x.info = x.writer.Info()
	} else {
		r, err := indexfile.Open(path)
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

// entries returns the entries of the index. With --update, an entry with the id and the fingerprint
// of a record is that record, which an earlier run has added; these entries are the last.
func (x *dedupIndex) entries(records *dedup.Records) (*dedup.Records, error) {
	key := func(id string, words []uint64) string { return fphash.Fingerprint(words).Hex(x.info.Bits) + id }
	first := map[string]int{} // by key: the first such record
	if x.writer != nil {
		for i := range records.Len() {
			if !records.HasID(i) {
				return nil, fmt.Errorf("--update requires ids, and record %d of %s has none: name their field with --id", i+1, records.Name)
			}
		}
		for position := range records.Set.Len() {
			record := int(records.Set.ID(position))
			if k := key(records.ID(record), records.Set.At(position)); first[k] == 0 {
				first[k] = record + 1
			}
		}
	}
	r, err := indexfile.Open(x.path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	entries, own := &dedup.Records{Name: x.path}, map[int][]uint64{}
	entries.Set.Bits, entries.Set.Definition = x.info.Bits, x.info.Definition
	for e, err := range r.All() {
		if err != nil {
			return nil, err
		}
		name := shownID(e.ID, x.info.Texts)
		if record := first[key(name, e.Words)] - 1; record >= 0 {
			own[record] = slices.Clone(e.Words)
			x.own = append(x.own, record)
		} else {
			entries.Add([]byte(name), e.Words, true)
		}
	}
	slices.Sort(x.own)
	for _, record := range x.own {
		entries.Add([]byte(records.ID(record)), own[record], true)
	}
	return entries, nil
}

// ownRecords returns dedup.Options.Own, given the number of entries.
func (x *dedupIndex) ownRecords(entries int) map[int]int {
	if x == nil {
		return nil
	}
	own := map[int]int{}
	for i, record := range x.own {
		own[entries+record] = entries - len(x.own) + i
	}
	return own
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
		_, own := result.Own[record]
		return record >= result.Old && !result.IsDropped(position) && !own
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
