package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"simhashkit/results/measure/texts/collections"
)

// distinct returns the first texts that differ in letters and numbers from all before them, at most
// so many: copies that everybody finds would hide what is missed.
func (c *collection) distinct(most int) *collection {
	d := &collection{name: c.name, language: c.language, ids: map[string]int{}}
	known := map[string]bool{}
	for _, document := range c.documents {
		key := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, document.Text)
		if key != "" && !known[key] && len(d.documents) < most {
			known[key] = true
			d.add(document.ID, document.Text)
		}
	}
	return d
}

// truth says which documents of a collection can be dropped, by the label of samples. It does not
// come from what programs find: what none finds is missed by all.
type truth struct {
	documents []document
	tokens    []*collections.Tokens
	keep      []int // of each document that can be dropped the one to keep for it, else -1
	droppable int
}

// judge goes through the documents in order and drops each that is the same as one kept before.
func judge(ctx context.Context, c *collection) (*truth, error) {
	t := &truth{documents: c.documents}
	tokenizer := collections.NewTokenizer(c.language)
	var kept []int
	for i, d := range c.documents {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		t.tokens = append(t.tokens, tokenizer.Tokens(d.Text))
		keep := -1
		for _, k := range slices.Backward(kept) { // names of packages have their like nearby
			if t.similarity(i, k) >= collections.Near {
				keep = k
				break
			}
		}
		if t.keep = append(t.keep, keep); keep < 0 {
			kept = append(kept, i)
		} else {
			t.droppable++
		}
	}
	return t, nil
}

// similarity may be 0 where it is below collections.Near.
func (t *truth) similarity(a, b int) float64 {
	return collections.Similarity(t.tokens[a], t.tokens[b], collections.Near)
}

// score says what a program drops that keeps the first document of each group: how many, how many
// of them rightly, which are the same as what is kept for them, and an example of one that is not,
// and of one that could be dropped and is kept: the one most like what it could be dropped for.
func (t *truth) score(groups []int) (s score) {
	first := map[int]int{}
	least := 0.0
	for i, group := range groups {
		kept, grouped := first[group]
		if group != 0 && !grouped {
			first[group] = i
		}
		switch {
		case group != 0 && grouped:
			s.Dropped++
			if t.similarity(i, kept) >= collections.Near {
				s.Right++
			} else if s.Wrong == "" {
				s.Wrong = t.pair(kept, i)
			}
		case t.keep[i] >= 0:
			if similarity := t.similarity(i, t.keep[i]); similarity > least {
				least, s.Missed = similarity, t.pair(t.keep[i], i)
			}
		}
	}
	return s
}

// score is what a program finds.
type score struct {
	Dropped, Right int
	Wrong, Missed  string // examples
}

func (t *truth) pair(a, b int) string {
	return fmt.Sprintf("%s | %s", t.documents[a].ID, t.documents[b].ID)
}
