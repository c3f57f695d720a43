package dedup

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"simhashkit/fphash/index/join"
)

// Verifier compares records by their texts or vectors. Texts and Vectors implement it. Its methods
// take record numbers. After Load, they are safe for concurrent use.
type Verifier interface {
	// Load reads the texts or vectors of the records, whose numbers ascend.
	Load(ctx context.Context, records []uint64) error

	// Compare returns the similarity of two records, and whether it reaches the threshold. If not,
	// the similarity is meaningless.
	Compare(a, b uint64) (similarity float64, similar bool, err error)

	// Select decides which records of a group are kept. The records are in order of preference, and
	// the first old of them are always kept. Select drops each other record that is similar to a
	// kept record before it. near reports whether the records at two indices are candidates; Select
	// may ignore it. Select returns for each record the index of the record kept in its place, and
	// their similarity. For a kept record, this is its own index.
	Select(ctx context.Context, records []uint64, old int, near func(i, j int) bool) (kept []int, similarity []float32, err error)
}

// Pair is two near records, by their numbers.
type Pair struct {
	join.Pair
	Similarity float64 // 0 without a Verifier
}

// Pairs yields each pair of near records once, if at least one is new. With Verify, it yields only
// similar pairs. It must be called before Verify is closed.
func (r *Result) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		pairs := r.join().Pairs
		if r.external != nil { // a randomized join in memory could find other pairs
			pairs = r.external.Pairs
		}
		for found, err := range pairs(ctx) {
			p, similar := Pair{Pair: found}, true
			if err == nil && r.Old > 0 && max(p.A, p.B) < uint64(r.Old) {
				continue
			}
			if err == nil && r.Verify != nil {
				p.Similarity, similar, err = r.Verify.Compare(p.A, p.B)
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
	return r.Verify.Load(ctx, slices.Compact(records))
}

// selectVerified returns, by position, the record kept in place of each record, and their
// similarity. Groups are independent, so each worker takes the next group.
func (r *Result) selectVerified(ctx context.Context, groups *join.Groups, order func(a, b uint32) int) ([]uint32, []float32, error) {
	set := &r.Records.Set
	canonical, similarity := ownCanonical(set.Len()), make([]float32, set.Len())
	old := uint32(r.oldPositions())
	one := func(i int) error {
		members := slices.Clone(groups.At(i))
		if slices.Max(members) < old {
			return nil
		}
		if order != nil {
			slices.SortFunc(members, order)
		}
		numbers, first := make([]uint64, len(members)), 0
		for i, m := range members {
			if numbers[i] = set.ID(int(m)); m < old {
				first++ // any order has the old records first
			}
		}
		near := func(i, j int) bool { return set.Distance(int(members[i]), set, int(members[j])) <= r.K }
		kept, similar, err := r.Verify.Select(ctx, numbers, first, near)
		if err != nil {
			return err
		}
		for i, m := range members {
			canonical[m], similarity[m] = members[kept[i]], similar[i]
		}
		return nil
	}
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, groups.Len()) {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= groups.Len() {
					return
				}
				if err := one(i); err != nil {
					cancel(err)
				}
			}
		})
	}
	all.Wait()
	return canonical, similarity, context.Cause(ctx)
}

// selectByPairs implements Verifier.Select for n records. It compares each record with the near
// kept records before it, until one is similar.
func selectByPairs(ctx context.Context, n, old int, near func(i, j int) bool, compare func(i, j int) (float64, bool, error)) ([]int, []float32, error) {
	kept, similarity := make([]int, n), make([]float32, n)
	var before []int
	for i := range n {
		if kept[i] = i; i < old {
			before = append(before, i)
			continue
		}
		for _, j := range before {
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			if !near(i, j) {
				continue
			}
			s, similar, err := compare(i, j)
			if err != nil {
				return nil, nil, err
			}
			if similar {
				kept[i], similarity[i] = j, float32(s)
				break
			}
		}
		if kept[i] == i {
			before = append(before, i)
		}
	}
	return kept, similarity, nil
}

// Reread reads the texts of records from their files again, in ascending order of record numbers,
// and calls take with each. A text is valid only during the call. If a file has changed since the
// first pass, Reread returns an error.
type Reread func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error

// errFewer is the error for a file that has lost records since the first pass.
var errFewer = errors.New("it has changed since its documents were compared: run again")

// TextsOf yields the texts of all documents of a file in order. It calls want with the number of
// each document, from 0; an unwanted document may have no text.
type TextsOf func(ctx context.Context, path string, want func(record int) bool) iter.Seq2[[]byte, error]

// toldAtOnce is the number of documents that Take reads between calls of told.
const toldAtOnce = 4096

// Take calls take with the texts of the given records of a file. The record numbers ascend, and
// first is the number of the file's first record. Each time Take has read toldAtOnce more
// documents, it calls told with that number. told may be nil.
func (f TextsOf) Take(ctx context.Context, path string, first uint64, records []uint64, told func(more int), take func(record uint64, text []byte) error) error {
	if len(records) == 0 {
		return nil
	}
	number := first
	for text, err := range f(ctx, path, func(record int) bool { return first+uint64(record) == records[0] }) {
		if err != nil {
			return err
		}
		if n := number - first + 1; told != nil && n%toldAtOnce == 0 {
			told(toldAtOnce)
		}
		if number == records[0] {
			if err := take(number, text); err != nil {
				return err
			}
			if records = records[1:]; len(records) == 0 {
				return nil
			}
		}
		number++
	}
	return fmt.Errorf("%s: %d documents: %w", path, number-first, errFewer)
}
