package corpus

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// keptIDs are the ids of the records that dropped records duplicate. It needs 17 bytes for each of
// them, and their text.
type keptIDs struct {
	records []int  // numbers of the records, ascending
	ends    []int  // of each id in text
	numbers []bool // whether an id is a number
	text    []byte
}

// nameKept reads the ids of the records that dropped records duplicate.
func (r *Result) nameKept(ctx context.Context) error {
	k := &r.keptIDs
	for position := range r.Records.Set.Len() {
		if r.IsDropped(position) {
			k.records = append(k.records, r.canonicalOf(position))
		}
	}
	slices.Sort(k.records)
	k.records = slices.Clip(slices.Compact(k.records))
	first := 0
	for i, old := range r.run.Against {
		if err := k.add(old.Records(ctx), first, r.olds[i]); err != nil {
			return err
		}
		first += r.olds[i]
	}
	for i, in := range r.run.Inputs {
		if err := k.add(r.run.named(ctx, in), r.firsts[i], r.counts[i]); err != nil {
			return err
		}
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
	if len(r.Inputs) > 1 {
		file = in.Path
	}
	return r.withNames(r.read(ctx, in, nil), file)
}

// withNames names the records of a file without an id by their number in the file, such as
// a.jsonl:3. If file is "", it changes nothing.
func (r *Run) withNames(records iter.Seq2[Record, error], file string) iter.Seq2[Record, error] {
	if file == "" {
		return records
	}
	return func(yield func(Record, error) bool) {
		n := 0
		for record, err := range records {
			n++
			number, madeUp := strings.CutPrefix(string(record.ID), "#")
			if r.Numbered && record.Number || madeUp && r.isNumber(number, n) {
				record.ID, record.Number = fmt.Appendf(nil, "%s:%s", file, number), false
			}
			if !yield(record, err) {
				return
			}
		}
	}
}

// isNumber reports whether a text is the number of the n-th record, from 1. Documents that were
// left out before it also count.
func (r *Run) isNumber(text string, n int) bool {
	number, err := strconv.Atoi(text)
	return err == nil && (number == n || number > n && r.LeftOut != nil)
}

// add adds the ids of some of n records, of which the first one has the number first.
func (k *keptIDs) add(records iter.Seq2[Record, error], first, n int) error {
	end, _ := slices.BinarySearch(k.records, first+n)
	if len(k.ends) == end {
		return nil
	}
	for record, err := range records {
		if err != nil {
			return err
		}
		if first == k.records[len(k.ends)] {
			k.text = append(k.text, record.ID...)
			k.ends, k.numbers = append(k.ends, len(k.text)), append(k.numbers, record.Number)
			if len(k.ends) == end {
				break
			}
		}
		first++
	}
	return nil
}

// of returns the id of a record. ok is false if no dropped record duplicates it.
func (k *keptIDs) of(record int) (id []byte, number, ok bool) {
	i, ok := slices.BinarySearch(k.records, record)
	if !ok || i >= len(k.ends) {
		return nil, false, false
	}
	from := 0
	if i > 0 {
		from = k.ends[i-1]
	}
	return k.text[from:k.ends[i]], k.numbers[i], true
}
