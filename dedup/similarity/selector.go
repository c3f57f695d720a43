package similarity

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Selector selects texts of a group: it keeps each text that is not similar to a text kept before,
// in order of preference. Call Count for each text of the group, then Add for each text in order. A
// Selector must not be used concurrently.
//
// It compares a text with the kept texts that share some of its rarest words, the most promising
// first, until one is similar. It misses no similar text, and the result is deterministic.
type Selector struct {
	s     float64
	fetch func(dst []uint64, index int) ([]uint64, error)

	comparer Comparer
	frequencies
	keyMaker
	postings

	kept       []keptText
	bySequence map[uint64]uint32 // by hash: the first kept text with a sequence of words
	lengths    []uint16          // by number of words: bit l is set if there are keys of l tokens
	indexed    bool              // whether the kept texts have postings
	probes     uint32
	candidates []candidate
	words      []uint64 // words of a kept text
}

// Result is the result for one text.
type Result struct {
	Dropped    bool
	Index      int     // kept text that it is similar to, or its own number if it is kept
	Similarity float64 // to the kept text; 0 if this text is kept
}

// keptText describes a kept text. Texts with equal hash and length count as equal.
type keptText struct {
	bits   bitmap
	hash   uint64
	length uint32
	probe  uint32 // last probe that found the text
	shared uint32 // number of keys shared in that probe
}

type candidate struct {
	text     uint32
	shared   uint32
	distance int // of the bitmaps
}

// few is the number of kept texts up to which there is no index, and each new text is compared with
// all.
const few = 8

// NewSelector returns a Selector for a group with about the given total number of words, and the
// threshold s, above 0 and at most 1. fetch appends the words of a kept text to dst; kept texts are
// numbered from 0 in the order of Add.
func NewSelector(s float64, words int, fetch func(dst []uint64, index int) ([]uint64, error)) *Selector {
	return &Selector{s: s, fetch: fetch, frequencies: newFrequencies(words), bySequence: map[uint64]uint32{}}
}

// Count counts the words of a text of the group. Without Count, results are the same, but groups of
// more than 8 texts take much longer.
//
// Count panics after Add, since the order of rarity must not change within a group.
func (s *Selector) Count(words []uint64) {
	if len(s.kept) > 0 {
		panic("similarity: Count was called after Add")
	}
	s.frequencies.add(words)
}

// Add decides whether to keep the next text. Empty texts are always kept.
func (s *Selector) Add(ctx context.Context, words []uint64) (Result, error) {
	text := keptText{hash: sequenceHash(words), length: uint32(len(words))}
	if index, ok := s.bySequence[text.hash]; ok && s.kept[index].length == text.length && len(words) > 0 {
		return Result{true, int(index), 1}, context.Cause(ctx)
	}
	rarest, err := s.prepare(ctx, &text, words)
	if err != nil {
		return Result{}, err
	}
	if len(words) > 0 {
		s.find(rarest, text)
		for _, c := range s.candidates {
			similarity, ok, err := s.compare(ctx, words, int(c.text))
			if err != nil {
				return Result{}, err
			}
			if ok {
				return Result{true, int(c.text), similarity}, nil
			}
		}
	}
	return s.keep(text, rarest), nil
}

// Keep keeps the next text, even if it is similar to a kept one.
func (s *Selector) Keep(ctx context.Context, words []uint64) (Result, error) {
	text := keptText{hash: sequenceHash(words), length: uint32(len(words))}
	rarest, err := s.prepare(ctx, &text, words)
	if err != nil {
		return Result{}, err
	}
	return s.keep(text, rarest), nil
}

// prepare returns the tokens of the next text and sets its bitmap, if there is an index.
func (s *Selector) prepare(ctx context.Context, text *keptText, words []uint64) (rarest []uint64, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if uint64(len(words)) > math.MaxUint32 || uint64(len(s.kept)) == math.MaxUint32 {
		return nil, fmt.Errorf("similarity: expected at most %d texts and words of a text", uint32(math.MaxUint32))
	}
	if len(words) > 0 && len(s.kept) >= few {
		if err := s.index(ctx); err != nil {
			return nil, err
		}
		rarest, text.bits = s.rarest(words)
	}
	return rarest, nil
}

// keep adds a text to the kept texts.
func (s *Selector) keep(text keptText, rarest []uint64) Result {
	index := len(s.kept)
	s.kept = append(s.kept, text)
	if _, ok := s.bySequence[text.hash]; !ok {
		s.bySequence[text.hash] = uint32(index)
	}
	if s.indexed && text.length > 0 {
		s.post(index, rarest)
	}
	return Result{Index: index}
}

// index creates the postings of the texts kept so far.
func (s *Selector) index(ctx context.Context) (err error) {
	if s.indexed {
		return nil
	}
	s.indexed = true
	for i := range s.kept {
		if s.kept[i].length == 0 {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if s.words, err = s.fetch(s.words[:0], i); err != nil {
			return err
		}
		var rarest []uint64
		rarest, s.kept[i].bits = s.rarest(s.words)
		s.post(i, rarest)
	}
	return nil
}

// post adds a kept text to the lists of its keys.
func (s *Selector) post(index int, rarest []uint64) {
	n := len(rarest)
	t := needed(s.s, n)
	l := s.keyMaker.length(rarest, t, &s.frequencies, index)
	for _, key := range s.keyMaker.make(rarest, t, l) {
		s.postings.add(key, uint32(index))
	}
	if n >= len(s.lengths) {
		s.lengths = append(s.lengths, make([]uint16, n+1-len(s.lengths))...)
	}
	s.lengths[n] |= 1 << l
}

// find collects the kept texts that may be similar to a text, the most promising first: those that
// share the most keys, then those with the nearest bitmap, then the earliest.
func (s *Selector) find(rarest []uint64, text keptText) {
	s.candidates = s.candidates[:0]
	if !s.indexed {
		for i := range s.kept {
			s.candidates = append(s.candidates, candidate{text: uint32(i)})
		}
		return
	}
	n := len(rarest)
	t := needed(s.s, n)
	sizes := uint16(0)
	for length := t; length < len(s.lengths) && needed(s.s, length) <= n; length++ {
		sizes |= s.lengths[length]
	}
	s.probes++
	for l := 1; l <= mostTokens; l++ {
		if sizes>>l&1 == 0 {
			continue
		}
		for _, key := range s.keyMaker.make(rarest, t, l) {
			s.meet(key, text, n, t)
		}
	}
	for i := range s.candidates {
		s.candidates[i].shared = s.kept[s.candidates[i].text].shared
	}
	slices.SortFunc(s.candidates, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.shared, a.shared), cmp.Compare(a.distance, b.distance), cmp.Compare(a.text, b.text))
	})
}

// meet adds the texts with the given key to the candidates, if their lengths and bitmaps do not
// rule out the similarity.
func (s *Selector) meet(key uint32, text keptText, n, t int) {
	for at := s.postings.first(key); at > 0; {
		entry := s.postings.list[at-1]
		at = entry.next
		if entry.key != key {
			continue
		}
		other := &s.kept[entry.text]
		if other.probe == s.probes {
			other.shared++
			continue
		}
		other.probe, other.shared = s.probes, 1
		length := int(other.length)
		need := t
		if length > n {
			need = needed(s.s, length)
		}
		distance := text.bits.distance(other.bits)
		if min(n, length) < need || distance > n+length-2*need {
			continue
		}
		s.candidates = append(s.candidates, candidate{text: entry.text, distance: distance})
	}
}

// compare returns the similarity of a text to a kept text, and whether it reaches the threshold.
func (s *Selector) compare(ctx context.Context, words []uint64, index int) (float64, bool, error) {
	length := int(s.kept[index].length)
	if min(length, len(words)) < needed(s.s, max(length, len(words))) {
		return 0, false, nil
	}
	var err error
	if s.words, err = s.fetch(s.words[:0], index); err != nil {
		return 0, false, err
	}
	return s.comparer.AtLeast(ctx, words, s.words, s.s)
}

// sequenceHash returns a hash of a sequence of words.
func sequenceHash(words []uint64) uint64 {
	hash := uint64(len(words))
	for _, word := range words {
		hash = mix(hash ^ word)
	}
	return hash
}
