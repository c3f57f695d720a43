package bench

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"simhashkit/asm/hamming"
	"simhashkit/bench/terms"
	"simhashkit/fphash/index/join"
)

// pairsTrial finds all pairs of near-duplicates, from the unsorted fingerprints to the last pair.
func (s searchCase) pairsTrial(in *Inputs) (*trial, error) {
	set, err := s.set(in)
	if err != nil {
		return nil, err
	}
	pairs, err := s.pairs(set)
	if err != nil {
		return nil, err
	}
	return &trial{
		per:      1,
		parallel: true,
		loop: func(times int) {
			for range times {
				for p := range pairs() {
					sink += p.A ^ p.B
				}
			}
		},
		verify: func() error { return set.checkPairs(pairs()) },
	}, nil
}

// pairs returns what finds all pairs by the structure of the case.
func (s searchCase) pairs(set *searchSet) (func() iter.Seq2[join.Pair, error], error) {
	if s.index == terms.Scan {
		return set.scanned, nil
	}
	j, err := s.join(set)
	return func() iter.Seq2[join.Pair, error] { return j.Pairs(context.Background()) }, err
}

// join is the join of the case, which is one by blocks.
func (s searchCase) join(set *searchSet) (*join.Join, error) {
	j := &join.Join{Set: set.Set, K: s.k, Workers: max(s.cpus, 1)}
	plan, err := j.Plan()
	if err == nil && plan.Blocks == 0 {
		err = errors.New("no blocks: the join compares all with all, as index=scan does")
	}
	return j, err
}

// scanned compares all fingerprints of 64 bits with all, as many of them at a time as a batch of
// queries has, with those from the first of them on.
func (s *searchSet) scanned() iter.Seq2[join.Pair, error] {
	return func(yield func(join.Pair, error) bool) {
		var found []hamming.QueryMatch
		for from := 0; from < len(s.Words); from += queriesOfBatch {
			queries := s.Words[from:min(from+queriesOfBatch, len(s.Words))]
			found = hamming.AppendWithinBatch(found[:0], s.Words[from:], queries, 1, s.k)
			for _, m := range found {
				if m.Query < m.Index && !yield(join.Pair{A: uint64(from + m.Query), B: uint64(from + m.Index), Distance: m.Distance}, nil) {
					return
				}
			}
		}
	}
}

// checkPairs holds pairs to what was planted: all of that is there, each pair once, and all that is
// there is near.
func (s *searchSet) checkPairs(pairs iter.Seq2[join.Pair, error]) error {
	seen := map[[2]uint64]bool{}
	planted := 0
	for p, err := range pairs {
		if err != nil {
			return err
		}
		switch d := s.Distance(int(p.A), s.Set, int(p.B)); {
		case p.A >= p.B || seen[[2]uint64{p.A, p.B}]:
			return fmt.Errorf("wrong answer: pair of %d and %d, expected each pair once and in order", p.A, p.B)
		case d > s.k || d != p.Distance:
			return fmt.Errorf("wrong answer: pair of %d and %d at distance %d, which is %d, expected at most %d", p.A, p.B, p.Distance, d, s.k)
		}
		seen[[2]uint64{p.A, p.B}] = true
		if int(p.A) < s.planted() && int(p.B) == s.twin(int(p.A)) {
			planted++
		}
	}
	if planted != s.planted() {
		return fmt.Errorf("wrong answer: %d pairs of those that were planted, expected %d", planted, s.planted())
	}
	return nil
}
