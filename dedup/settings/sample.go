package settings

import (
	"context"
	"math"
	"math/rand/v2"
	"unicode"
	"unicode/utf8"

	"simhashkit/datasets/text"
	"simhashkit/dedup"
)

// Edits lists the parts of the words of a text that are replaced in its copies, one word at least.
var Edits = [...]float64{0.01, 0.03, 0.05, 0.10}

const (
	longest    = 64 << 10 // bytes of a text
	mostBytes  = 8 << 20  // of the sample
	mostCopies = 200      // with each of Edits
)

// kind is what a pair of the sample is.
type kind uint8

const (
	stranger kind = iota
	between       // neither near nor strangers
	near
	identical // their runs are the same; they count for nothing
)

// sample is texts, edited copies of some of them, and what their pairs are.
type sample struct {
	texts   [][]byte
	copies  [][]byte // len(Edits) of each of the first texts
	origins []int    // of the copies, in texts
	spaced  bool     // the script has spaces between words
	kinds   []kind   // of the pairs i < j of texts, at j(j-1)/2 + i

	near, strangers int
	words           [][]uint64 // of each text, for Verify
	sets            [][]uint64 // the different ones of each text
}

func newSample(ctx context.Context, texts [][]byte, o Options) (*sample, error) {
	s := new(sample)
	total := 0
	for _, t := range texts {
		if len(t) > longest {
			at := longest
			for at > 0 && !utf8.RuneStart(t[at]) {
				at--
			}
			t = t[:at]
		}
		if total += len(t); total > mostBytes && len(s.texts) > 1 {
			break
		}
		s.texts = append(s.texts, t)
	}
	s.edit(rand.New(rand.NewPCG(o.Seed, 2)))
	return s, s.compare(ctx, o.Jaccard)
}

// edit makes the copies.
func (s *sample) edit(random *rand.Rand) {
	cut := make([][]span, len(s.texts))
	letters, alone := 0, 0
	for i, t := range s.texts {
		cut[i] = words(t)
		for _, r := range string(t) {
			if unicode.IsLetter(r) {
				letters++
			}
			if text.IsUnspaced(r) {
				alone++
			}
		}
	}
	s.spaced = 3*alone < letters || letters == 0
	for i, t := range s.texts {
		if len(s.texts) < 2 || len(s.origins) >= mostCopies*len(Edits) {
			return
		}
		other := (i + 1 + random.IntN(len(s.texts)-1)) % len(s.texts)
		if len(cut[i]) < 2 || len(cut[other]) == 0 {
			continue
		}
		for _, part := range Edits {
			s.copies = append(s.copies, replaced(random, t, cut[i], part, s.texts[other], cut[other]))
			s.origins = append(s.origins, i)
		}
	}
}

// span is a word of a text, from one byte to another.
type span struct{ from, to int }

// words cuts a text into runs of letters and digits; in scripts without spaces each is one.
func words(t []byte) (list []span) {
	open := false
	for at := 0; at < len(t); {
		r, size := utf8.DecodeRune(t[at:])
		switch {
		case text.IsUnspaced(r):
			list, open = append(list, span{at, at + size}), false
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
			if !open {
				list = append(list, span{from: at})
			}
			list[len(list)-1].to, open = at+size, true
		default:
			open = false
		}
		at += size
	}
	return list
}

// replaced returns a text in which that part of the words is replaced by words of another one.
func replaced(random *rand.Rand, t []byte, cut []span, part float64, other []byte, others []span) []byte {
	order := make([]int, len(cut))
	for i := range order {
		order[i] = i
	}
	words := map[int]span{}
	for i := range max(1, int(math.Round(part*float64(len(cut))))) {
		at := i + random.IntN(len(order)-i)
		order[i], order[at] = order[at], order[i]
		words[order[i]] = others[random.IntN(len(others))]
	}
	var out []byte
	end := 0
	for i, w := range cut {
		if by, ok := words[i]; ok {
			out = append(append(out, t[end:w.from]...), other[by.from:by.to]...)
			end = w.to
		}
	}
	return append(out, t[end:]...)
}

// compare finds out what the pairs are, and which copies are near.
func (s *sample) compare(ctx context.Context, least float64) error {
	analyzer, err := text.New(text.Options{})
	if err != nil {
		return err
	}
	runsOf := dedup.Measure{Kind: dedup.Jaccard, N: dedup.DefaultRun}.Of(analyzer)
	runs := make([][]uint64, len(s.texts))
	wordsOf := verify.Of(analyzer)
	s.kinds = make([]kind, len(s.texts)*(len(s.texts)-1)/2)
	listed := map[uint64][]int32{} // the texts that have a run
	for j := range s.texts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		runs[j] = runsOf(s.texts[j])
		s.words = append(s.words, wordsOf(s.texts[j]))
		common := make([]int, j)
		for _, run := range runs[j] {
			for _, i := range listed[run] {
				common[i]++
			}
			listed[run] = append(listed[run], int32(j))
		}
		for i, n := range common {
			k := kindOf(n, len(runs[i])+len(runs[j])-n, least)
			s.kinds[j*(j-1)/2+i] = k
			switch k {
			case near:
				s.near++
			case stranger:
				s.strangers++
			}
		}
	}
	s.sets = setsOf(s.words)
	return nil
}

// kindOf says what a pair is that shares so many of all its runs.
func kindOf(common, all int, least float64) kind {
	switch jaccard := float64(common) / float64(max(all, 1)); {
	case common == all:
		return identical
	case jaccard >= least:
		return near
	case jaccard >= least/2:
		return between
	}
	return stranger
}
