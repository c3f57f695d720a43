package corpus

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// names has the ids of some records: those that dropped ones duplicate, and those that the summary
// and the examples show. In the attributes and in the summary, these name records of other files.
type names struct {
	records []int // ascending
	ids     []recordName
}

// recordName is an id, and whether it is a number.
type recordName struct {
	id     string
	number bool
}

// of returns the id of a record. ok is false if its id has not been read.
func (n *names) of(record int) (name recordName, ok bool) {
	i, ok := slices.BinarySearch(n.records, record)
	if !ok {
		return recordName{}, false
	}
	return n.ids[i], true
}

// nameRecords reads the ids of the records that need a name.
func (r *Result) nameRecords(ctx context.Context) error {
	records := r.Named()
	if r.shared > 0 {
		records = append(records, r.example)
	}
	for _, e := range r.shown {
		records = append(records, e.Dropped, e.Kept)
	}
	for position := range r.Records.Set.Len() {
		if r.IsDropped(position) {
			records = append(records, r.canonicalOf(position))
		}
	}
	slices.Sort(records)
	records = slices.Clip(slices.Compact(records))
	r.ids = names{records, make([]recordName, 0, len(records))}
	for _, p := range r.parts {
		end, _ := slices.BinarySearch(records, p.first+p.n)
		if end == len(r.ids.ids) {
			continue
		}
		number := p.first
		for record, err := range p.Records(ctx) {
			if err != nil {
				return err
			}
			if number == records[len(r.ids.ids)] {
				r.ids.ids = append(r.ids.ids, recordName{string(record.ID), record.Number})
				if len(r.ids.ids) == end {
					break
				}
			}
			number++
		}
		if len(r.ids.ids) < end {
			return fmt.Errorf("%s: %d records, expected %d: another process writes here", p.Name, number-p.first, p.n)
		}
	}
	r.Records.IDs = func(record int) string {
		if name, ok := r.ids.of(record); ok {
			return name.id
		}
		return strconv.Itoa(record + 1)
	}
	return nil
}

// canonicalOf returns the number of the record kept in place of the one at a position.
func (r *Result) canonicalOf(position int) int {
	return int(r.Records.Set.ID(r.Canonical(position)))
}

// named is read with the names of records outside of their file.
func (r *Run) named(ctx context.Context, in Input) iter.Seq2[Record, error] {
	file := ""
	if len(r.Inputs) > 1 || in.Old {
		file = in.Path
	}
	return withNames(r.read(ctx, in, nil), file)
}

// withNames names the records of a file without an id by their number in the file, such as
// a.jsonl:3. If file is "", it changes nothing.
func withNames(records iter.Seq2[Record, error], file string) iter.Seq2[Record, error] {
	if file == "" {
		return records
	}
	return func(yield func(Record, error) bool) {
		for record, err := range records {
			if record.MadeUp {
				number := strings.TrimPrefix(string(record.ID), "#")
				record.ID, record.Number = fmt.Appendf(nil, "%s:%s", file, number), false
			}
			if !yield(record, err) {
				return
			}
		}
	}
}
