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

// Verifier compares records by what their fingerprints were made of: Texts or Vectors. Records are
// named by their numbers. After Load, its methods are safe for concurrent use.
type Verifier interface {
	// Load reads what is compared of the records, by their ascending numbers.
	Load(ctx context.Context, records []uint64) error

	// Compare returns the similarity of two records, and whether they are similar: whether it is at
	// least the one asked for. The similarity of records that are not similar has no meaning.
	Compare(a, b uint64) (similarity float64, similar bool, err error)

	// Select goes through the records of a group in order of preference. It keeps the first old of
	// them, and drops each of the others that is similar to a kept one before it. near says whether
	// two of them, by their places in records, are candidates; a Verifier that finds all similar
	// pairs need not ask. Select returns for each record the place of the one that is kept for it,
	// its own if it is kept, and the similarity of both.
	Select(ctx context.Context, records []uint64, old int, near func(i, j int) bool) (kept []int, similarity []float32, err error)
}

// Pair is two near records, by their numbers.
type Pair struct {
	join.Pair
	Similarity float64 // 0 without a Verifier
}

// Pairs returns all pairs of near records of which at least one is new, each once. With Verify, it
// returns only similar pairs. It requires an open Verify.
func (r *Result) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		pairs := r.join().Pairs
		if r.external != nil { // another join may find pairs that this one missed
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

// load loads the records of groups and of sampled pairs. Groups of old records alone need none.
func (r *Result) load(ctx context.Context, groups *join.Groups, sampled []join.Pair) error {
	var records []uint64
	old := uint32(r.oldPositions())
	for _, g := range groups.All() {
		if slices.Max(g.Members) < old {
			continue
		}
		for _, m := range g.Members {
			records = append(records, r.Records.Set.ID(int(m)))
		}
	}
	for _, p := range sampled {
		records = append(records, p.A, p.B)
	}
	slices.Sort(records)
	return r.Verify.Load(ctx, slices.Compact(records))
}

// selectVerified returns of whom each record is a duplicate, by positions, and how similar both
// are. Groups are independent of each other: workers share them.
func (r *Result) selectVerified(ctx context.Context, groups *join.Groups, order func(a, b uint32) int) ([]uint32, []float32, error) {
	set := &r.Records.Set
	canonical, similarity := ownCanonical(set.Len()), make([]float32, set.Len())
	old := uint32(r.oldPositions())
	one := func(i int) error {
		members := slices.Clone(groups.At(i).Members)
		if slices.Max(members) < old {
			return nil
		}
		if order != nil {
			slices.SortFunc(members, order)
		}
		numbers, first := make([]uint64, len(members)), 0
		for i, m := range members {
			if numbers[i] = set.ID(int(m)); m < old {
				first++ // old ones come first in any order
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

// selectByPairs is Verifier.Select of n records: it compares each with the kept ones before it that
// are near, until one is similar.
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

// Reread calls take with the texts of records, by their ascending numbers, which it reads from
// their files again. A text is valid until the next one. Files that are not what they were when the
// records were made are an error.
type Reread func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error

// errFewer says that a file has lost records.
var errFewer = errors.New("it has changed since its documents were compared: run again")

// TextsOf reads the documents of a file, of which those that are not wanted may have no text: by
// their numbers from 0, in ascending order.
type TextsOf func(ctx context.Context, path string, want func(record int) bool) iter.Seq2[[]byte, error]

// toldAtOnce is of how many documents Take tells at once.
const toldAtOnce = 4096

// Take calls take with the texts of records of a file: of the given numbers, ascending and all in
// the file, whose first record has the number first. Told is told now and then how many more
// documents were read; nil: nobody is.
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
