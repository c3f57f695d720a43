package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"simhashkit/fphash/index"
)

// buildTrial builds a structure, from the fingerprints to the first query.
func (s searchCase) buildTrial(in *Inputs) (*trial, error) {
	set, err := s.set(in)
	if err != nil {
		return nil, err
	}
	q, err := s.questions(in)
	if err != nil {
		return nil, err
	}
	o := index.Options{Structure: s.index, K: s.k, Memory: searchMemory, Workers: max(s.cpus, 1)}
	t := &trial{per: 1, parallel: true}
	if s.n > together {
		t.before = runtime.GC // there may be no room for two of them
	}
	t.loop = func(times int) {
		for range times {
			built, _ := index.Build(set.Set, o) // verify has looked at the error
			sink += uint64(built.Bytes())
		}
	}
	t.verify = func() error {
		built, err := index.Build(set.Set, o)
		if err != nil {
			return err
		}
		if s.cpus == 0 {
			t.counted = []float64{float64(built.Bytes()) / float64(s.n)}
		}
		return q.askEach(built, s.k)
	}
	return t, nil
}

// structure returns what queries are put to.
func (s searchCase) structure(in *Inputs) (index.Structure, error) {
	set, err := s.set(in)
	if err != nil {
		return nil, err
	}
	return kept(in, fmt.Sprintf("structure %s f=%d k=%d n=%d", s.index, s.bits, s.k, s.n), func() (index.Structure, error) {
		return index.Build(set.Set, index.Options{Structure: s.index, K: s.k, Memory: searchMemory})
	})
}

// queryTrial asks for the neighbours of random fingerprints, one after the other or many in a call.
func (s searchCase) queryTrial(in *Inputs) (*trial, error) {
	set, err := s.set(in)
	if err != nil {
		return nil, err
	}
	structure, err := s.structure(in)
	if err != nil {
		return nil, err
	}
	q, err := s.questions(in)
	if err != nil {
		return nil, err
	}
	unknown := newStrangers(set)
	if s.queries > 0 {
		var found []index.QueryMatch
		return &trial{
			per: s.queries,
			loop: func(times int) {
				for range times {
					found, _ = structure.AppendWithinBatch(found[:0], unknown.take(s.queries), s.k)
					sink += uint64(len(found))
				}
			},
			verify: func() error { return q.askTogether(structure, set, s.k) },
		}, nil
	}
	var found []index.Match
	return &trial{
		per: 1,
		loop: func(times int) {
			for range times {
				found, _ = structure.AppendWithin(found[:0], unknown.take(1)[0], s.k)
				sink += uint64(len(found))
			}
		},
		verify: func() error { return q.askEach(structure, s.k) },
	}, nil
}

// askEach asks one after the other the questions whose answers are known.
func (q *questions) askEach(s index.Structure, k int) error {
	for i, query := range q.queries {
		want, known := q.answers[i]
		if !known {
			continue
		}
		got, err := s.AppendWithin(nil, query, k)
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return wrongMatches(i, got, want)
		}
	}
	return nil
}

// askTogether asks all questions in one call. Of those whose answers are not known, what is found
// must at least be near.
func (q *questions) askTogether(s index.Structure, set *searchSet, k int) error {
	list, err := s.AppendWithinBatch(nil, q.queries, k)
	if err != nil {
		return err
	}
	if !slices.IsSortedFunc(list, func(a, b index.QueryMatch) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Position, b.Position))
	}) {
		return fmt.Errorf("wrong answer: matches out of order, expected them by query and position")
	}
	found := map[int][]index.Match{}
	for _, m := range list {
		found[m.Query] = append(found[m.Query], m.Match)
		query := &index.Set{Bits: set.Bits, Words: q.queries[m.Query].Words}
		if d := set.Distance(m.Position, query, 0); d > k || d != m.Distance {
			return fmt.Errorf("wrong answer: query %d finds position %d at distance %d, which is %d, expected at most %d", m.Query, m.Position, m.Distance, d, k)
		}
	}
	for i, want := range q.answers {
		if !slices.Equal(found[i], want) {
			return wrongMatches(i, found[i], want)
		}
	}
	return nil
}

func wrongMatches(query int, got, want []index.Match) error {
	return fmt.Errorf("wrong answer: query %d finds %v, expected %v", query, got, want)
}
