package dedup

import (
	"context"
	"slices"

	"simhashkit/asm/hamming"
	"simhashkit/dedup/similarity"
	"simhashkit/fphash/index"
)

// selection selects the records of one group that are kept. The records come in the order of
// preference. A record is kept unless it is similar to a kept record before it.
//
// It compares a record only with kept records within k bits, those with the nearest fingerprint
// first. Texts from one template, such as log lines, can all be within k bits although no two of
// them are similar. If records have many such candidates, a text is compared only with kept texts
// that share a rare word with it, unless too many do.
type selection struct {
	result   *Result
	verifier *Verifier
	set      *index.Set
	k        int
	members  []uint32 // positions, in the order of preference
	old      int      // this many members are kept in any case

	compare      *comparer
	traits       similarity.Traits // of the member that numbers has read
	kept         []int             // indices in members
	unread       [2]int            // the range of kept records of which only fingerprints are known
	fingerprints []uint64
	summaries    []summary            // of the kept records
	cached       [][]uint64           // by kept record: its numbers, while the cache has room
	room         int                  // numbers that fit into the cache
	examined     int                  // number of candidates
	prefixes     *similarity.Prefixes // nil: few candidates were examined
	texts        []int                // buffer
	matches      []hamming.Match
	sorted       []hamming.Match
	ends         []int // buffer, by distance
}

// summary bounds the similarity of two records without reading them, and says how they differ.
type summary struct {
	bitmap similarity.Bitmap
	words  int
	traits similarity.Traits
}

const (
	// fewKept is the number of kept records up to which a record is compared with all of them,
	// within k bits or not.
	fewKept = 64
	// manyExamined is the number of candidates for each member of the group from which rare words
	// are indexed. To examine that many takes about as long as to index a member.
	manyExamined = 64
	// worthScanning is the number of fingerprints whose scan costs as much as looking at a posting.
	worthScanning = 64
	// cachedNumbers is the size of the cache of a group, 32 MiB.
	cachedNumbers = 1 << 22
)

// keptFor is the member kept in the place of a member.
type keptFor struct {
	member     int // its index; that of the member itself if it is kept
	similarity float32
	differs    Difference
}

// run returns for each member the one kept in its place. It calls done after each member.
func (s *selection) run(ctx context.Context, done func()) ([]keptFor, error) {
	all := make([]keptFor, len(s.members))
	s.room = cachedNumbers
	s.compare = s.verifier.comparers.Get().(*comparer)
	defer s.verifier.comparers.Put(s.compare)
	defer func() { s.verifier.examined.Add(int64(s.examined)) }()
	for i := range s.members {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		numbers, err := s.numbers(i)
		if err != nil {
			return nil, err
		}
		if all[i].member = i; i >= s.old {
			if all[i], err = s.find(ctx, i, numbers); err != nil {
				return nil, err
			}
		}
		if all[i].member == i {
			if err := s.keep(i, numbers); err != nil {
				return nil, err
			}
		}
		done()
	}
	return all, nil
}

// numbers returns the words or the vector of a member, valid until the next call, and sets
// s.traits.
func (s *selection) numbers(member int) (numbers []uint64, err error) {
	store := s.verifier.store
	if s.isUnread(member) {
		s.traits = similarity.Traits{}
		return nil, nil
	}
	if s.compare.a, err = store.appendAll(s.compare.a[:0], s.set.ID(int(s.members[member]))); err != nil {
		return nil, err
	}
	s.traits = traitsOf(s.compare.a[:store.head])
	return s.compare.a[store.head:], nil
}

// isUnread reports whether only the fingerprint of a member is known.
func (s *selection) isUnread(member int) bool {
	return s.result.isUnread(s.set.ID(int(s.members[member])))
}

// find returns a kept member that is similar to a member, or the member itself if there is none.
func (s *selection) find(ctx context.Context, member int, numbers []uint64) (keptFor, error) {
	own := s.summaryOf(numbers)
	record, isOwn := s.result.Own[int(s.set.ID(int(s.members[member])))]
	for _, c := range s.candidatesOf(member, numbers) {
		if isOwn && uint64(record) == s.set.ID(int(s.members[s.kept[c.Index]])) {
			continue // it is the same record
		}
		if c.Index >= s.unread[0] && c.Index < s.unread[1] {
			if c.Distance <= s.k {
				return keptFor{member: s.kept[c.Index]}, nil
			}
			continue
		}
		s.examined++
		if !s.verifier.mayBeSimilar(&own, &s.summaries[c.Index]) {
			continue
		}
		words, err := s.wordsOf(c.Index)
		if err != nil {
			return keptFor{}, err
		}
		of, ok, err := s.verifier.compare(ctx, s.compare, numbers, words)
		if err != nil {
			return keptFor{}, err
		}
		if !ok {
			continue
		}
		equal := slices.Equal(numbers, words)
		differs := differences(own.traits, s.summaries[c.Index].traits, equal)
		if differs&s.verifier.Spec.KeepDifferent == 0 {
			return keptFor{s.kept[c.Index], float32(of), differenceOf(differs, equal)}, nil
		}
	}
	return keptFor{member: member}, nil
}

// candidatesOf returns the kept records that a member is compared with, by their indices in kept,
// the nearest first.
func (s *selection) candidatesOf(member int, numbers []uint64) []hamming.Match {
	s.matches = s.matches[:0]
	fingerprint := s.set.At(int(s.members[member]))
	if s.prefixes != nil {
		texts, ok := s.prefixes.Append(s.texts[:0], s.prefixes.Of(numbers), len(s.kept)/worthScanning)
		if s.texts = texts; ok {
			stride := len(fingerprint)
			for _, i := range texts {
				s.matches = append(s.matches, hamming.Match{Index: i, Distance: hamming.Distance(fingerprint, s.fingerprints[i*stride:(i+1)*stride])})
			}
			read := len(s.matches)
			s.matches = hamming.AppendWithin(s.matches, s.fingerprints[s.unread[0]*stride:s.unread[1]*stride], fingerprint, s.k)
			for i := range s.matches[read:] {
				s.matches[read+i].Index += s.unread[0]
			}
			return s.nearestFirst()
		}
	}
	k := s.k
	if len(s.kept) <= fewKept {
		k = s.set.Bits
	}
	s.matches = hamming.AppendWithin(s.matches, s.fingerprints, fingerprint, k)
	return s.nearestFirst()
}

// nearestFirst returns the matches in the order of their distances, those of one distance in the
// order in which they were kept. In a group of near-copies, nearly all kept records are matches, so
// it counts instead of comparing.
func (s *selection) nearestFirst() []hamming.Match {
	s.ends = slices.Grow(s.ends[:0], s.set.Bits+2)[:s.set.Bits+2]
	clear(s.ends)
	for _, m := range s.matches {
		s.ends[m.Distance+1]++
	}
	for d := range s.set.Bits {
		s.ends[d+1] += s.ends[d]
	}
	s.sorted = slices.Grow(s.sorted[:0], len(s.matches))[:len(s.matches)]
	for _, m := range s.matches {
		s.sorted[s.ends[m.Distance]] = m
		s.ends[m.Distance]++
	}
	return s.sorted
}

// keep adds a member to the kept ones.
func (s *selection) keep(member int, numbers []uint64) error {
	text := len(s.kept)
	if s.isUnread(member) { // they follow each other
		if s.unread[1] == 0 {
			s.unread[0] = text
		}
		s.unread[1] = text + 1
	}
	s.kept = append(s.kept, member)
	s.fingerprints = append(s.fingerprints, s.set.At(int(s.members[member]))...)
	s.summaries = append(s.summaries, s.summaryOf(numbers))
	var cached []uint64
	if s.room >= len(numbers) {
		s.room -= len(numbers)
		cached = append([]uint64{}, numbers...) // not nil, also for an unread record
	}
	s.cached = append(s.cached, cached)
	switch {
	case s.prefixes != nil:
		s.prefixes.Add(text, s.prefixes.Of(numbers))
	case s.examined > manyExamined*len(s.members) && s.verifier.inOrder():
		return s.index()
	}
	return nil
}

// index counts the words of the kept records, and indexes their prefixes.
func (s *selection) index() error {
	words := 0
	for _, summary := range s.summaries {
		words += summary.words
	}
	prefixes := similarity.NewPrefixes(s.verifier.Spec.Similarity, words)
	for i := range s.kept {
		words, err := s.wordsOf(i)
		if err != nil {
			return err
		}
		prefixes.Count(words)
	}
	for i := range s.kept {
		words, err := s.wordsOf(i)
		if err != nil {
			return err
		}
		prefixes.Add(i, prefixes.Of(words))
	}
	s.prefixes = prefixes
	return nil
}

// wordsOf returns the words or the vector of a kept record, valid until the next call.
func (s *selection) wordsOf(kept int) (numbers []uint64, err error) {
	if numbers = s.cached[kept]; numbers == nil {
		s.compare.b, err = s.verifier.store.append(s.compare.b[:0], s.set.ID(int(s.members[s.kept[kept]])))
		numbers = s.compare.b
	}
	return numbers, err
}

func (s *selection) summaryOf(numbers []uint64) summary {
	if !s.verifier.inOrder() {
		return summary{traits: s.traits}
	}
	return summary{similarity.BitmapOf(numbers), len(numbers), s.traits}
}
