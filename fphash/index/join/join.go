package join

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"

	"simhashkit/fphash/index"
)

// Join finds all pairs of fingerprints that differ in at most K bits: pairs within Set or, with
// Against, pairs of one fingerprint of Set and one of Against.
//
// Beside the sets, a Join by blocks takes 12 bytes a fingerprint, and a part of that again for each
// worker; where pairs may differ in the blocks 40, and the words of those that are no copies if
// there are copies. See Plan for how it goes about it, and what that costs.
type Join struct {
	Set     *index.Set
	Against *index.Set // nil: pairs within Set
	K       int        // 0 or more
	Workers int        // goroutines; 0 means GOMAXPROCS

	// Differ, if it is not 0, is the probability with which a bit of a pair of the similarity asked
	// for differs, such as arccos(c)/π for simhashes of cosine c, (1-J)/2 for 1-bit MinHashes of
	// Jaccard similarity J. Recall, if it is not 0, is the expected share of these pairs that is
	// enough. Most of them are much nearer than K, so it takes less time than the exact join, which
	// finds all within K; each pair that the join finds is within K. If it costs no less, or if
	// fewer of these pairs are within K, the join is exact. See Plan.Recall.
	//
	// Fingerprints are brought together by bits that are drawn from Seed: the same seed finds the
	// same pairs on every machine. (Indyk, Motwani: Approximate Nearest Neighbors, STOC 1998.)
	Differ float64 // 0, or more than 0 and less than 1
	Recall float64 // likewise; it requires Differ
	Seed   uint64

	// Progress, if there is one, is told from time to time how much is done, from 0 to 1, by one
	// goroutine at a time.
	Progress func(done float64)
}

// Pair is two fingerprints that are near each other. Within a set, A stands before B; between two
// sets, A is of Set and B of Against.
type Pair struct {
	A, B     uint64 // ids
	Distance int    // bits in which they differ
}

// Pairs yields all pairs, each once, in an order that depends only on the sets and K. It ends with
// an error and a meaningless pair if Check rejects the sets, if they cannot be compared, or if the
// context is done.
//
// Pairs waiting to be read take about 200 KB for each worker: a slow reader slows the search down.
// A thousand copies of one fingerprint are half a million pairs, but one group of Groups.
func (j *Join) Pairs(ctx context.Context) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if err := j.check(); err != nil {
			yield(Pair{}, err)
			return
		}
		plan := j.plan()
		j.pairs(ctx, &plan, yield)
	}
}

// pairs yields all pairs, found as planned.
func (j *Join) pairs(ctx context.Context, p *Plan, yield func(Pair, error) bool) {
	ids := j.ids()
	emit := func(n near) bool { return yield(Pair{ids(n.a), ids(n.b), int(n.distance)}, nil) }
	near := j.near
	if p.joinsDistinct() {
		near = j.nearWithCopies
	}
	if err := near(ctx, p, emit); err != nil {
		yield(Pair{}, err)
	}
}

// near calls yield for all pairs, found as planned, until it returns false.
func (j *Join) near(ctx context.Context, p *Plan, yield func(near) bool) error {
	crew := newCrew(ctx, j.workers(), p.parts(), j.Progress)
	defer crew.end()
	for list := range crew.inOrder(p.stages(j, nil)) {
		for _, n := range list {
			if !yield(n) {
				return nil
			}
		}
	}
	return crew.err()
}

// ids returns what gives the id at a position; those of Against follow those of Set.
func (j *Join) ids() func(position uint64) uint64 {
	n := uint64(j.Set.Len())
	return func(position uint64) uint64 {
		if position < n {
			return j.Set.ID(int(position))
		}
		return j.Against.ID(int(position - n))
	}
}

// at returns the fingerprint at a position; those of Against follow those of Set.
func (j *Join) at(position uint32) []uint64 {
	if n := uint32(j.Set.Len()); position >= n {
		return j.Against.At(int(position - n))
	}
	return j.Set.At(int(position))
}

// len returns how many fingerprints the sets have.
func (j *Join) len() int {
	if j.Against == nil {
		return j.Set.Len()
	}
	return j.Set.Len() + j.Against.Len()
}

// columns returns the set that fingerprints of Set are compared with.
func (j *Join) columns() *index.Set {
	if j.Against == nil {
		return j.Set
	}
	return j.Against
}

func (j *Join) workers() int { return cmp.Or(j.Workers, runtime.GOMAXPROCS(0)) }

func (j *Join) check() error {
	if j.Set == nil {
		return errors.New("join: a Join without a Set")
	}
	if j.K < 0 {
		return fmt.Errorf("join: pairs within %d bits, expected 0 or more", j.K)
	}
	if err := checkRecall(j.Recall, j.Differ); err != nil {
		return err
	}
	if j.Workers < 0 {
		return fmt.Errorf("join: %d workers, expected 0 or more", j.Workers)
	}
	if err := j.Set.Check(); err != nil {
		return err
	}
	if j.Against == nil {
		return nil
	}
	if err := j.Against.Check(); err != nil {
		return err
	}
	if uint64(j.Set.Len())+uint64(j.Against.Len()) >= 1<<32 {
		return fmt.Errorf("join: %d and %d fingerprints, expected less than 2^32 together", j.Set.Len(), j.Against.Len())
	}
	return j.Set.Comparable(j.Against)
}

func checkRecall(recall, differ float64) error {
	switch {
	case !(recall >= 0 && recall < 1):
		return fmt.Errorf("join: a recall of %v, expected more than 0 and less than 1, or 0 for an exact join", recall)
	case !(differ >= 0 && differ < 1):
		return fmt.Errorf("join: bits that differ with a probability of %v, expected more than 0 and less than 1, or 0 if it is not known", differ)
	case recall > 0 && differ == 0:
		return fmt.Errorf("join: a recall of %v without Differ, expected the probability with which the bits of the pairs asked for differ", recall)
	}
	return nil
}
