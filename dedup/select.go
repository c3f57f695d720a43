package dedup

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"simhashkit/asm/hamming"
	"simhashkit/fphash"
	"simhashkit/internal/similarity"
	"simhashkit/textsketch"
)

// GroupText is a text of a group of candidates.
type GroupText struct {
	Group, ID string
	Text      []byte // only read before the next text is requested
	Old       bool   // kept in any case
}

// DroppedText is a text that is similar to a kept one.
type DroppedText struct {
	ID, Kept   string
	Similarity float32
}

// Select decides which texts of groups are kept, as Find does with the candidates that it finds. It
// yields the dropped ones of each group, in their order. spec must have a similarity and a measure
// of texts.
//
// The texts of a group follow each other in the order of preference, old ones first. Select writes
// the words of a few groups, or those of a large one, to a temporary file in a folder ("" is the
// default of the system).
func Select(ctx context.Context, spec Spec, folder string, texts iter.Seq2[GroupText, error]) iter.Seq2[DroppedText, error] {
	return func(yield func(DroppedText, error) bool) {
		s, err := newSelector(spec, folder)
		if err != nil {
			yield(DroppedText{}, err)
			return
		}
		defer func() { _ = s.verify.close() }() // a file that is read no more
		for text, err := range texts {
			if err == nil && s.isFull(text.Group) && !s.decide(ctx, yield) {
				return
			}
			if err == nil {
				err = s.add(text)
			}
			if err != nil {
				yield(DroppedText{}, err)
				return
			}
		}
		s.decide(ctx, yield)
	}
}

// The size from which groups are decided, so that small ones do not take a temporary file each.
const (
	selectedBytes = 4 << 20
	selectedTexts = 4 << 10
)

// selector collects the texts of one or more groups. Their records are numbered in order.
type selector struct {
	local  *textsketch.Local
	bits   int
	reader textReader

	verify  *verifier
	records *Records
	ids     []string // by record
	groups  []selectedGroup
	name    string // of the last group
}

// selectedGroup has the members of a group, old ones first.
type selectedGroup struct {
	members []uint32
	old     int
}

func newSelector(spec Spec, folder string) (*selector, error) {
	sketcher, err := spec.Sketcher(nil)
	if err != nil {
		return nil, err
	}
	s := &selector{local: sketcher.Local(), bits: sketcher.Bits(), verify: newVerifier(spec, folder)}
	s.reader.words = similarity.NewWordHasher(spec.Symbols)
	return s, s.begin()
}

// begin forgets all texts.
func (s *selector) begin() error {
	s.records = &Records{Name: "groups"}
	s.records.Set.Bits = s.bits
	s.ids, s.groups = s.ids[:0], s.groups[:0]
	return cmp.Or(s.verify.close(), s.verify.open(nil))
}

// isFull reports whether the collected groups are to be decided before a text of a group is added.
func (s *selector) isFull(group string) bool {
	store := s.verify.store
	return len(s.groups) > 0 && s.name != group && (store.ends[len(s.ids)] >= selectedBytes || len(s.ids) >= selectedTexts)
}

// add adds the next text. A text without features is a duplicate of nothing.
func (s *selector) add(t GroupText) error {
	if len(s.groups) == 0 || s.name != t.Group {
		s.groups, s.name = append(s.groups, selectedGroup{}), t.Group
	}
	group := &s.groups[len(s.groups)-1]
	if t.Old && group.old < len(group.members) {
		return fmt.Errorf("group %.80q: the old text %.80q comes after a new one, expected old texts first", t.Group, t.ID)
	}
	fingerprint, status, err := s.local.Append(nil, t.Text)
	if err != nil || status != fphash.Informative {
		return err
	}
	record := len(s.ids)
	if group.members = append(group.members, uint32(record)); t.Old {
		group.old++
	}
	s.ids = append(s.ids, t.ID)
	s.records.Add(nil, fingerprint, true)
	s.verify.store.records = append(s.verify.store.records, uint64(record))
	s.reader.numbers = s.reader.append(s.reader.numbers[:0], t.Text)
	return s.verify.store.add(s.reader.numbers)
}

// decide yields the dropped texts of the collected groups, and forgets these. It returns false if
// it fails, or if yield returns false.
func (s *selector) decide(ctx context.Context, yield func(DroppedText, error) bool) bool {
	kept, err := s.find(ctx)
	for record, of := range kept.canonical {
		if err == nil && int(of) != record && !yield(DroppedText{s.ids[record], s.ids[of], kept.similarity[record]}, nil) {
			return false
		}
	}
	if err == nil {
		err = s.begin()
	}
	if err != nil {
		yield(DroppedText{}, err)
	}
	return err == nil
}

// find decides which of the collected texts are kept.
func (s *selector) find(ctx context.Context) (kept choices, err error) {
	n := len(s.ids)
	kept = choices{ownCanonical(n), make([]float32, n), make([]similarity.Differences, n)}
	if err := s.verify.store.end(); err != nil {
		return kept, err
	}
	r := &Result{Options: Options{Spec: s.verify.spec}, Records: s.records, verifier: s.verify}
	if r.limit, err = r.Spec.limit(fphash.MinHash, s.bits); err != nil {
		return kept, err
	}
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(runtime.GOMAXPROCS(0))
	for _, g := range s.groups {
		if len(g.members) > 1 {
			all.Go(func() error {
				return (&selection{result: r, members: g.members, old: g.old}).decide(ctx, func() {}, &kept)
			})
		}
	}
	return kept, all.Wait()
}

// selection selects the records of one group that are kept. The records come in the order of
// preference. A record is kept unless it is similar to a kept record before it.
//
// It compares a record only with kept records within k bits, those with the nearest fingerprint
// first. Texts from one template, such as log lines, can all be within k bits although no two of
// them are similar. If records have many such candidates, a text is compared only with kept texts
// that share a rare word with it, unless too many do.
type selection struct {
	result  *Result
	members []uint32 // positions, in the order of preference
	old     int      // this many members are kept in any case

	compare      *comparer
	kept         []int  // indices in members
	unread       [2]int // the range of kept records of which only fingerprints are known
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

// decide sets the records kept in place of the members. It calls done after each member.
func (s *selection) decide(ctx context.Context, done func(), all *choices) error {
	v := s.result.verifier
	s.room = cachedNumbers
	s.compare = v.comparers.Get().(*comparer)
	defer v.comparers.Put(s.compare)
	defer func() { v.examined.Add(int64(s.examined)) }()
	for i, m := range s.members {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		var record stored // of an unread record, nothing is known
		var err error
		if !s.result.isUnread(s.id(i)) {
			if record, s.compare.a, err = v.store.read(s.compare.a, s.id(i)); err != nil {
				return err
			}
		}
		own, kept := s.summaryOf(record), i
		if i >= s.old {
			if kept, all.similarity[m], all.differs[m], err = s.find(ctx, i, record.numbers, own); err != nil {
				return err
			}
		}
		if kept == i {
			if err := s.keep(i, record.numbers, own); err != nil {
				return err
			}
		}
		all.canonical[m] = s.members[kept]
		done()
	}
	return nil
}

// id returns the number of the record that a member is.
func (s *selection) id(member int) uint64 {
	return s.result.Records.Set.ID(int(s.members[member]))
}

// find returns a kept member that is similar to a member, their similarity and how they differ. If
// there is none, it returns the member itself.
func (s *selection) find(ctx context.Context, member int, numbers []uint64, own summary) (int, float32, similarity.Differences, error) {
	v := s.result.verifier
	record, isOwn := s.result.Own[int(s.id(member))]
	for _, c := range s.candidatesOf(member, numbers) {
		if isOwn && uint64(record) == s.id(s.kept[c.Index]) {
			continue // it is the same record
		}
		if c.Index >= s.unread[0] && c.Index < s.unread[1] {
			if c.Distance <= s.result.limit.k {
				return s.kept[c.Index], 0, 0, nil
			}
			continue
		}
		s.examined++
		if !v.mayBeSimilar(&own, &s.summaries[c.Index]) {
			continue
		}
		words, err := s.wordsOf(c.Index)
		if err != nil {
			return 0, 0, 0, err
		}
		of, ok, err := v.compareNumbers(ctx, s.compare, numbers, words)
		if err != nil {
			return 0, 0, 0, err
		}
		if !ok {
			continue
		}
		differs := own.traits.Differences(s.summaries[c.Index].traits, slices.Equal(numbers, words))
		if differs&v.keep == 0 {
			return s.kept[c.Index], float32(of), differs, nil
		}
	}
	return member, 0, 0, nil
}

// candidatesOf returns the kept records that a member is compared with, by their indices in kept,
// the nearest first.
func (s *selection) candidatesOf(member int, numbers []uint64) []hamming.Match {
	s.matches = s.matches[:0]
	fingerprint := s.result.Records.Set.At(int(s.members[member]))
	if s.prefixes != nil {
		texts, ok := s.prefixes.Append(s.texts[:0], s.prefixes.Of(numbers), len(s.kept)/worthScanning)
		if s.texts = texts; ok {
			stride := len(fingerprint)
			for _, i := range texts {
				s.matches = append(s.matches, hamming.Match{Index: i, Distance: hamming.Distance(fingerprint, s.fingerprints[i*stride:(i+1)*stride])})
			}
			read := len(s.matches)
			s.matches = hamming.AppendWithin(s.matches, s.fingerprints[s.unread[0]*stride:s.unread[1]*stride], fingerprint, s.result.limit.k)
			for i := range s.matches[read:] {
				s.matches[read+i].Index += s.unread[0]
			}
			return s.nearestFirst()
		}
	}
	k := s.result.limit.k
	if len(s.kept) <= fewKept {
		k = s.result.Records.Set.Bits
	}
	s.matches = hamming.AppendWithin(s.matches, s.fingerprints, fingerprint, k)
	return s.nearestFirst()
}

// nearestFirst returns the matches in the order of their distances, those of one distance in the
// order in which they were kept. In a group of near-copies, nearly all kept records are matches, so
// it counts instead of comparing.
func (s *selection) nearestFirst() []hamming.Match {
	bits := s.result.Records.Set.Bits
	s.ends = slices.Grow(s.ends[:0], bits+2)[:bits+2]
	clear(s.ends)
	for _, m := range s.matches {
		s.ends[m.Distance+1]++
	}
	for d := range bits {
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
func (s *selection) keep(member int, numbers []uint64, own summary) error {
	text := len(s.kept)
	if s.result.isUnread(s.id(member)) { // they follow each other
		if s.unread[1] == 0 {
			s.unread[0] = text
		}
		s.unread[1] = text + 1
	}
	s.kept = append(s.kept, member)
	s.fingerprints = append(s.fingerprints, s.result.Records.Set.At(int(s.members[member]))...)
	s.summaries = append(s.summaries, own)
	var cached []uint64
	if s.room >= len(numbers) {
		s.room -= len(numbers)
		cached = append([]uint64{}, numbers...) // not nil, also for an unread record
	}
	s.cached = append(s.cached, cached)
	switch {
	case s.prefixes != nil:
		s.prefixes.Add(text, s.prefixes.Of(numbers))
	case s.examined > manyExamined*len(s.members) && s.result.verifier.inOrder():
		return s.index()
	}
	return nil
}

// index counts the words of the kept records, and indexes their prefixes.
func (s *selection) index() error {
	prefixes := similarity.NewPrefixes(s.result.Similarity)
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
func (s *selection) wordsOf(kept int) ([]uint64, error) {
	if s.cached[kept] != nil {
		return s.cached[kept], nil
	}
	record, buffer, err := s.result.verifier.store.read(s.compare.b, s.id(s.kept[kept]))
	s.compare.b = buffer
	return record.numbers, err
}

func (s *selection) summaryOf(record stored) summary {
	if !s.result.verifier.inOrder() {
		return summary{traits: record.traits}
	}
	return summary{similarity.BitmapOf(record.numbers), len(record.numbers), record.traits}
}
