package dedup

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"simhashkit/fphash/index/join"
)

// Pair is two near records, by their numbers.
type Pair struct {
	join.Pair
	Similarity float64 // 0 without Verify, or of an unread record
}

// Pairs yields each pair of near records once, if at least one is new. With Verify, it yields only
// similar pairs. It must be called before Verify is closed.
func (r *Result) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		for found, err := range r.join().Pairs(ctx) { // after a search on disk, of the records in groups
			p, similar := Pair{Pair: found}, true
			if err == nil && r.Old > 0 && max(p.A, p.B) < uint64(r.Old) {
				continue
			}
			if err == nil {
				p.Similarity, similar, err = r.compare(p.A, p.B)
			}
			if err == nil && !similar {
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// compare compares two near records with Verify. Without it, or if one of them is unread, they are
// similar.
func (r *Result) compare(a, b uint64) (similarity float64, similar bool, err error) {
	if r.Verify == nil || r.isUnread(a) || r.isUnread(b) {
		return 0, true, nil
	}
	return r.Verify.Compare(a, b)
}

// load loads the records of groups and of sampled pairs into Verify. It skips groups of only old
// records.
func (r *Result) load(ctx context.Context, groups *join.Groups, sampled []join.Pair) error {
	var records []uint64
	old := uint32(r.oldPositions())
	for _, g := range groups.All() {
		if slices.Max(g) < old {
			continue
		}
		for _, m := range g {
			records = append(records, r.Records.Set.ID(int(m)))
		}
	}
	for _, p := range sampled {
		records = append(records, p.A, p.B)
	}
	slices.Sort(records)
	return r.Verify.Load(ctx, slices.DeleteFunc(slices.Compact(records), r.isUnread))
}

// selectVerified sets the record kept in place of each member of the groups, their similarity, and
// how they differ. Groups are independent.
func (r *Result) selectVerified(ctx context.Context, groups *join.Groups, order func(a, b uint32) int, kept *choices) error {
	n := len(kept.canonical)
	kept.similarity, kept.differs = make([]float32, n), make([]Difference, n)
	old := uint32(r.oldPositions())
	done := r.selected(groups)
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(cmp.Or(r.Workers, runtime.GOMAXPROCS(0)))
	for i := range groups.Len() {
		if slices.Max(groups.At(i)) < old {
			continue
		}
		all.Go(func() error {
			members := slices.Clone(groups.At(i))
			if order != nil {
				slices.SortFunc(members, order)
			}
			s := selection{result: r, members: members}
			for s.old < len(members) && members[s.old] < old { // any order has the old records first
				s.old++
			}
			return s.decide(ctx, done, kept)
		})
	}
	return all.Wait()
}

// selected returns a function that counts the records of groups that are decided, and reports the
// progress now and then. It is safe for concurrent use.
func (r *Result) selected(groups *join.Groups) func() {
	const together = 256
	all := 0
	for _, g := range groups.All() {
		all += len(g)
	}
	var n int
	var mutex sync.Mutex
	return func() {
		mutex.Lock()
		defer mutex.Unlock()
		if n++; n%together == 0 && r.Progress != nil {
			r.Progress(Verifying, float64(n)/float64(all))
		}
	}
}

// Reread reads the texts, vectors or other values of records from their files again, in ascending
// order of record numbers, and calls take with each. A value is valid only during the call. If a
// file has changed since the first pass, Reread returns an error.
type Reread[T any] func(ctx context.Context, records []uint64, take func(record uint64, value T) error) error

// After returns a Reread for n records of before and those of r, which follow.
func (r Reread[T]) After(before Reread[T], n int) Reread[T] {
	return func(ctx context.Context, records []uint64, take func(uint64, T) error) error {
		i, _ := slices.BinarySearch(records, uint64(n))
		if i > 0 {
			if err := before(ctx, records[:i], take); err != nil {
				return err
			}
		}
		numbers := slices.Clone(records[i:])
		for i := range numbers {
			numbers[i] -= uint64(n)
		}
		return r(ctx, numbers, func(record uint64, value T) error { return take(record+uint64(n), value) })
	}
}

// Values yields the values of all records of a file in order. It calls want with the number of each
// record, from 0; an unwanted record may have no value.
type Values[T any] func(ctx context.Context, path string, want func(record int) bool) iter.Seq2[T, error]

// toldAtOnce is the number of records that Take reads between calls of told.
const toldAtOnce = 4096

// Take calls take with the values of the given records of a file. The record numbers ascend, and
// first is the number of the file's first record. Each time Take has read toldAtOnce more records,
// it calls told with that number. told may be nil.
func (f Values[T]) Take(ctx context.Context, path string, first uint64, records []uint64, told func(more int), take func(record uint64, value T) error) error {
	if len(records) == 0 {
		return nil
	}
	number := first
	for value, err := range f(ctx, path, func(record int) bool { return first+uint64(record) == records[0] }) {
		if err != nil {
			return err
		}
		if n := number - first + 1; told != nil && n%toldAtOnce == 0 {
			told(toldAtOnce)
		}
		if number == records[0] {
			if err := take(number, value); err != nil {
				return err
			}
			if records = records[1:]; len(records) == 0 {
				return nil
			}
		}
		number++
	}
	return fmt.Errorf("%s: %d records: it has changed since its records were compared: run again", path, number-first)
}
