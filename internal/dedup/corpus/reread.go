package corpus

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"simhashkit/dedup"
)

// reread returns a dedup.Reread for texts, or other values, of the documents of the inputs, which are
// numbered from 0. It fails if an input has changed before or while it is read.
func (r *Result) reread(values dedup.Values[[]byte]) dedup.Reread[[]byte] {
	return func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error {
		first := uint64(0)
		p := r.newCount(StageVerifying)
		for i := range r.run.Inputs {
			end := first + uint64(r.counts[i])
			n, _ := slices.BinarySearch(records, end)
			if err := r.rereadOne(ctx, values, i, first, records[:n], take, p); err != nil {
				return err
			}
			records, first = records[n:], end
			p.add(0, r.heads[i].Bytes)
		}
		return nil
	}
}

// rereadOne rereads one input. first is the number of its first record.
func (r *Result) rereadOne(ctx context.Context, values dedup.Values[[]byte], input int, first uint64, records []uint64, take func(record uint64, text []byte) error, p *count) error {
	if len(records) == 0 {
		return nil
	}
	in := r.run.Inputs[input]
	err := values.Take(ctx, in.Path, first, records, func(more int) { p.add(more, 0) }, take)
	return cmp.Or(r.unchanged(input), err) // a change may be the cause of err
}

// unchanged returns an error if an input has changed since its fingerprints were compared.
func (r *Result) unchanged(input int) error {
	return r.run.current(r.run.Inputs[input], r.heads[input])
}

// Reread returns a dedup.Reread for the texts of all documents, including those of Against. It
// requires Texts.
func (r *Result) Reread() dedup.Reread[[]byte] {
	read := r.reread(r.run.Texts)
	for i, old := range slices.Backward(r.run.Against) {
		read = read.After(old.Read, r.olds[i])
	}
	return read
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
	for record := range names {
		if id, _, ok := r.keptIDs.of(record); ok && record < r.oldRecords {
			names[record] = string(id)
		}
	}
	wanted := slices.Sorted(maps.Keys(names))
	for i, first := range r.firsts {
		end, _ := slices.BinarySearch(wanted, first+r.counts[i])
		if end > 0 {
			if err := name(names, r.run.named(ctx, r.run.Inputs[i]), first, wanted[end-1]); err != nil {
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
