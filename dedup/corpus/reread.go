package corpus

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"simhashkit/dedup"
)

// reread returns a dedup.Reread for texts, or other values, of the documents of the inputs. It
// fails if an input has changed before or while it is read.
func (r *Result) reread(texts dedup.TextsOf) dedup.Reread {
	return func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error {
		first := uint64(r.oldRecords)
		p := r.newCount(StageVerifying)
		for i := range r.run.Inputs {
			end := first + uint64(r.counts[i])
			n, _ := slices.BinarySearch(records, end)
			if err := r.rereadOne(ctx, texts, i, first, records[:n], take, p); err != nil {
				return err
			}
			records, first = records[n:], end
			p.add(0, r.heads[i].Bytes)
		}
		return nil
	}
}

// rereadOne rereads one input. first is the number of its first record.
func (r *Result) rereadOne(ctx context.Context, texts dedup.TextsOf, input int, first uint64, records []uint64, take func(record uint64, text []byte) error, p *count) error {
	if len(records) == 0 {
		return nil
	}
	in := r.run.Inputs[input]
	s, err := openStored(ctx, r.run.stored(in))
	if err != nil {
		return err
	}
	s.file.Close()
	err = texts.Take(ctx, in.Path, first, records, func(more int) { p.add(more, 0) }, take)
	if !s.head.same(r.heads[input].state) {
		return fmt.Errorf("%s: it has changed since it was compared: run again", in.Path)
	}
	if changed := r.run.current(in, s.head); changed != nil { // the change may be the cause of err
		return changed
	}
	return err
}

// RereadAll is a dedup.Reread for the texts of all documents, including those of Against. It
// requires Texts.
func (r *Result) RereadAll(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error {
	first := uint64(0)
	for i, old := range r.run.Against {
		end := first + uint64(r.olds[i])
		n, _ := slices.BinarySearch(records, end)
		numbers := make([]uint64, n)
		for i, record := range records[:n] {
			numbers[i] = record - first
		}
		if n > 0 {
			if err := old.Read(ctx, numbers, func(record uint64, text []byte) error { return take(record+first, text) }); err != nil {
				return err
			}
		}
		records, first = records[n:], end
	}
	return r.reread(r.run.Texts)(ctx, records, take)
}

// Inputs returns the inputs. Records are numbered consecutively over all inputs.
func (r *Result) Inputs() []Input { return r.run.Inputs }

// NameRecords reads the ids of the given records, and of the records that Summary and SharedID
// show.
func (r *Result) NameRecords(ctx context.Context, others ...int) error {
	names := map[int]string{}
	for _, record := range others {
		names[record] = ""
	}
	for _, record := range r.Named() {
		names[record] = ""
	}
	if r.shared.count > 0 {
		names[r.shared.example] = ""
	}
	for record, id := range r.oldIDs {
		names[record] = id
	}
	wanted := slices.Sorted(maps.Keys(names))
	for i, first := range r.firsts {
		end, _ := slices.BinarySearch(wanted, first+r.counts[i])
		if end > 0 && wanted[end-1] >= first {
			if err := r.nameIn(ctx, i, wanted[end-1], names); err != nil {
				return err
			}
		}
	}
	r.Records.IDs = func(record int) string {
		if name, ok := names[record]; ok {
			return name
		}
		return strconv.Itoa(record + 1)
	}
	return nil
}

// nameIn reads the ids in names that belong to one input.
func (r *Result) nameIn(ctx context.Context, input, last int, names map[int]string) error {
	record := r.firsts[input]
	for stored, err := range r.run.read(ctx, r.run.Inputs[input], nil) {
		if err != nil {
			return err
		}
		if _, ok := names[record]; ok {
			names[record] = string(stored.ID)
		}
		if record++; record > last {
			return nil
		}
	}
	return nil
}
