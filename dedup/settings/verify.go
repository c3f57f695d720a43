package settings

import (
	"context"
	"slices"

	"simhashkit/datasets/text"
	"simhashkit/dedup"
)

// Verify is the value of --verify that is advised: texts are alike of which one word of ten may be
// another.
const Verify = "sequence:0.9"

var verify = dedup.Measure{Kind: dedup.Sequence, Least: 0.9}

// mostNear is how many of the near pairs are verified: it takes long where texts are long.
const mostNear = 500

// alike reports whether two texts consist of the same words for the most part, in whatever order:
// they are no strangers, though they may share no run, as where upper case or commas are others.
func (s *sample) alike(i, j int) bool {
	a, b := s.sets[i], s.sets[j]
	both := dedup.Common(a, b)
	return 2*both >= len(a)+len(b)-both
}

// verified returns what of that which a setting finds --verify lets be dropped, and how many of a
// million pairs of strangers.
func (s *sample) verified(ctx context.Context, c candidate) (f Found, strangers float64, err error) {
	analyzer, err := text.New(text.Options{})
	if err != nil {
		return f, 0, err
	}
	texts, copies, words, err := s.sketches(ctx, c)
	if err != nil {
		return f, 0, err
	}
	wordsOf, found := verify.Of(analyzer), [len(Edits)]int{}
	for i, of := range s.origins {
		if distance(texts[of*words:], copies[i*words:(i+1)*words]) > c.K {
			continue
		}
		share, err := dedup.InSequence(ctx, s.words[of], wordsOf(s.copies[i]))
		if err != nil {
			return f, 0, err
		}
		if share >= verify.Least {
			found[i%len(Edits)]++
		}
	}
	looked, pass, wrong := 0, 0, 0
	for j := range s.texts {
		own := texts[j*words : (j+1)*words]
		for i, k := range s.kinds[j*(j-1)/2:][:j] {
			isNear := k == near && looked < mostNear
			if !isNear && k != stranger {
				continue
			}
			within := distance(texts[i*words:], own) <= c.K
			if isNear {
				looked++
			}
			if !within || k == stranger && s.alike(i, j) {
				continue
			}
			share, err := dedup.InSequence(ctx, s.words[i], s.words[j])
			switch {
			case err != nil:
				return f, 0, err
			case share < verify.Least:
			case isNear:
				pass++
			default:
				wrong++
			}
		}
	}
	for e, n := range found {
		f.Copies[e] = part(n, len(s.copies)/len(Edits))
	}
	f.Near = part(pass, looked)
	return f, 1e6 * part(wrong, s.strangers), nil
}

// setsOf returns the different words of texts, ascending.
func setsOf(words [][]uint64) (sets [][]uint64) {
	for _, list := range words {
		set := slices.Clone(list)
		slices.Sort(set)
		sets = append(sets, slices.Compact(set))
	}
	return sets
}
