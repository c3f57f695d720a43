package collections

import (
	"cmp"
	"context"
	"slices"
)

// Judgement says of a pair whether its texts are near-duplicates.
type Judgement int8

// Judgements.
const (
	Different Judgement = iota
	Same
	Unjudged // neither: it counts for nothing
)

// Judged is a pair with its judgement.
type Judged struct {
	Pair
	Judgement
}

// Judge judges all pairs of a collection, in ascending order; with scores those that have one.
//
// A pair that is not labelled is no near-duplicate unless its texts are nearly the same all the
// same, as verses and sections are that stand in a book twice: a Similarity of Apart and more
// leaves it unjudged.
func (c *Collection) Judge(ctx context.Context) ([]Judged, error) {
	if c.Truth == ByScores {
		return c.judgeScores(), nil
	}
	tokenizer := NewTokenizer(c.Language)
	var tokens []*Tokens
	for _, text := range c.Texts {
		tokens = append(tokens, tokenizer.Tokens(text))
	}
	list := make([]Judged, 0, len(tokens)*(len(tokens)-1)/2)
	for i := range tokens {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		for j := range i {
			list = append(list, Judged{pairOf(i, j), c.judge(pairOf(i, j), tokens[i], tokens[j])})
		}
	}
	return list, nil
}

func (c *Collection) judge(p Pair, a, b *Tokens) Judgement {
	if c.Same[p] {
		return Same
	}
	switch s := Similarity(a, b, Apart); {
	case s < Apart:
		return Different
	case s >= Near && c.Truth == ByEdits:
		return Same
	}
	return Unjudged
}

func (c *Collection) judgeScores() (list []Judged) {
	for p, score := range c.Scores {
		j := Unjudged
		if score >= SameScore {
			j = Same
		} else if score < OtherScore {
			j = Different
		}
		list = append(list, Judged{p, j})
	}
	slices.SortFunc(list, func(a, b Judged) int {
		return cmp.Or(cmp.Compare(a.Pair[0], b.Pair[0]), cmp.Compare(a.Pair[1], b.Pair[1]))
	})
	return list
}
