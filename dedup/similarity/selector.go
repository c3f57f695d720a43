package similarity

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Selector keeps, of a group of texts that come in the order of preference, each text that is not
// similar to one kept before. For each group, call Reset, then Count with each text, then Add with
// each text in order. It is for one goroutine.
//
// It compares a text with kept texts that share some of its rarest words, the most promising first,
// until one is similar. No similar text is missed, and equal input has equal results.
type Selector struct {
	s     float64
	fetch Fetch

	comparer Comparer
	frequencies
	keyMaker
	postings

	kept       []keptText
	bySequence map[uint64]uint32 // the first kept text of a sequence, by its hash
	lengths    []uint16          // the sizes of keys in use by the kept texts of a length, a bit each
	indexed    bool              // the kept texts have postings
	probes     uint32
	candidates []candidate
	words      []uint64 // of a kept text
}

// Fetch appends the words of the kept text with this index to dst: of the index-th text, counted
// from 0, that Add kept.
type Fetch func(dst []uint64, index int) ([]uint64, error)

// Result says what becomes of a text.
type Result struct {
	Dropped    bool
	Index      int     // of the kept text that it is similar to, or its own among kept texts
	Similarity float64 // to that text; 0 if it is kept
}

// keptText is what Selector holds of a text. Equal sequences are told by their hash and
// length.
type keptText struct {
	bits   bitmap
	hash   uint64
	length uint32
	probe  uint32 // the last probe that met the text
	shared uint32 // keys that it shared then
}

type candidate struct {
	text     uint32
	shared   uint32
	distance int // of the bitmaps
}

// few is how many kept texts are compared with each new one, without any index.
const few = 8

// NewSelector returns a Selector with the threshold s, above 0 and at most 1.
func NewSelector(s float64, fetch Fetch) *Selector {
	return &Selector{s: s, fetch: fetch, bySequence: map[uint64]uint32{}}
}

// Reset begins a group of about so many words in all.
func (s *Selector) Reset(words int) {
	s.frequencies.reset(words)
	s.postings.reset()
	clear(s.bySequence)
	clear(s.lengths)
	s.kept, s.lengths, s.indexed, s.probes = s.kept[:0], s.lengths[:0], false, 0
}

// Count counts the words of a text of the group. It may be left out for groups of up to 8 texts;
// results do not depend on it, but larger groups take far longer without it.
//
// Count panics after Add: the order of rarity must stay the same within a group.
func (s *Selector) Count(words []uint64) {
	if len(s.kept) > 0 {
		panic("similarity: Count was called after Add")
	}
	s.frequencies.add(words)
}

// Add decides whether the next text is kept. An empty text always is.
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

// Keep keeps the next text whatever it is similar to.
func (s *Selector) Keep(ctx context.Context, words []uint64) (Result, error) {
	text := keptText{hash: sequenceHash(words), length: uint32(len(words))}
	rarest, err := s.prepare(ctx, &text, words)
	if err != nil {
		return Result{}, err
	}
	return s.keep(text, rarest), nil
}

// prepare returns the tokens of a text that comes next, and sets its bitmap, if there is an index.
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

// keep adds a text to the kept ones.
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

// index gives the first kept texts their postings.
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

// post lists a kept text under its keys.
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
// share the most keys, then those with the nearest bitmap, then the first.
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

// meet adds to the candidates those that are listed under a key, if their lengths and bitmaps allow
// the similarity.
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

// compare measures the similarity of a text to a kept one.
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

// sequenceHash returns a hash of words in their order.
func sequenceHash(words []uint64) uint64 {
	hash := uint64(len(words))
	for _, word := range words {
		hash = mix(hash ^ word)
	}
	return hash
}
