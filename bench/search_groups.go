package bench

import (
	"context"
	"fmt"
	"slices"

	"simhashkit/fphash/index/join"
)

// groupsTrial finds the groups that the pairs form.
func (s searchCase) groupsTrial(in *Inputs) (*trial, error) {
	set, err := s.set(in)
	if err != nil {
		return nil, err
	}
	j, err := s.join(set)
	if err != nil {
		return nil, err
	}
	return &trial{
		per:      1,
		parallel: true,
		loop: func(times int) {
			for range times {
				groups, _ := j.Groups(context.Background()) // verify has looked at the error
				sink += uint64(groups.Len())
			}
		},
		verify: func() error {
			groups, err := j.Groups(context.Background())
			if err != nil {
				return err
			}
			return set.checkGroups(groups)
		},
	}, nil
}

// checkGroups holds groups to what was planted: twins and tight groups are in one each, and nobody
// is in a group without another of it near.
func (s *searchSet) checkGroups(groups *join.Groups) error {
	group := make([]int, s.Len()) // by position, from 1; 0: none
	for i, g := range groups.All() {
		for _, m := range g.Members {
			near := func(other uint32) bool { return other != m && s.Distance(int(m), s.Set, int(other)) <= s.k }
			if group[m] != 0 || !slices.ContainsFunc(g.Members, near) {
				return fmt.Errorf("wrong answer: fingerprint %d in group %d, expected each once and near another", m, i)
			}
			group[m] = i + 1
		}
	}
	for i := range s.planted() {
		if group[i] == 0 || group[i] != group[s.twin(i)] {
			return fmt.Errorf("wrong answer: twins %d and %d are in groups %d and %d, expected one", i, s.twin(i), group[i], group[s.twin(i)])
		}
	}
	for i := s.ordinary; i < s.Len(); i++ {
		// the first of each group stands for it
		first := s.ordinary + (i-s.ordinary)%s.groups
		if group[i] == 0 || group[i] != group[first] {
			return fmt.Errorf("wrong answer: %d and %d of one tight group are in groups %d and %d, expected one", first, i, group[first], group[i])
		}
	}
	if want := s.planted() + s.groups; groups.Len() < want {
		return fmt.Errorf("wrong answer: %d groups, expected %d or more", groups.Len(), want)
	}
	return nil
}
