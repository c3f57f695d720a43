package dedup

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"

	"golang.org/x/sync/errgroup"

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
	Differs    Difference
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
		defer func() { _ = s.verify.Close() }() // a file that is read no more
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
	hash   *fphash.Sketcher
	local  *textsketch.Local
	reader textReader

	verify  *Verifier
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
	c := spec.Candidates()
	if c.Sketch != fphash.MinHash {
		return nil, fmt.Errorf("dedup: Select requires texts, got the measure %s", spec.Measure)
	}
	hash, err := fphash.New(fphash.Definition{Bits: c.Bits, Kind: c.Sketch})
	if err != nil {
		return nil, err
	}
	features := similarity.Features(spec.Symbols)
	features.Numbered = spec.Measure != Jaccard
	sketcher, err := textsketch.New(textsketch.Options{Text: features, Hash: hash, Whole: true})
	if err != nil {
		return nil, err
	}
	s := &selector{hash: hash, local: sketcher.Local(), verify: &Verifier{Spec: spec, Folder: folder}}
	s.reader.words = similarity.NewWordHasher(spec.Symbols)
	return s, s.begin()
}

// begin forgets all texts.
func (s *selector) begin() error {
	s.records = &Records{Name: "groups"}
	s.records.Set.Bits, s.records.Set.Definition = s.hash.Bits(), s.hash.String()
	s.ids, s.groups = s.ids[:0], s.groups[:0]
	return cmp.Or(s.verify.Close(), s.verify.open(nil))
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
		if err == nil && int(of) != record && !yield(DroppedText{s.ids[record], s.ids[of], kept.similarity[record], kept.differs[record]}, nil) {
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
	kept = choices{ownCanonical(n), make([]float32, n), make([]Difference, n)}
	if err := s.verify.store.end(); err != nil {
		return kept, err
	}
	r, err := newResult(s.records, Options{Spec: s.verify.Spec, Verify: s.verify})
	if err != nil {
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
