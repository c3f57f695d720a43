package dedup

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"simhashkit/dedup/similarity"
	"simhashkit/fphash"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/scratch"
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
// the texts of a few groups, or those of a large one, to a temporary file in a folder ("" is the
// default of the system), and the words of their Verifier to another.
func Select(ctx context.Context, spec Spec, folder string, texts iter.Seq2[GroupText, error]) iter.Seq2[DroppedText, error] {
	return func(yield func(DroppedText, error) bool) {
		s, err := newSelector(spec, folder)
		if err != nil {
			yield(DroppedText{}, err)
			return
		}
		defer s.file.Close()
		for text, err := range texts {
			if err == nil && s.isFull(text) && !s.decide(ctx, yield) {
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

// selector collects the texts of one or more groups.
type selector struct {
	spec   Spec
	folder string
	local  *textsketch.Local
	hash   *fphash.Sketcher
	file   *scratch.File // the texts
	w      *bufio.Writer
	size   int64 // of the texts
	texts  []selectedText
	words  []uint64 // their fingerprints
	groups int
	group  string // the last one
}

// selectedText is a text in the file.
type selectedText struct {
	id       string
	group    int // its number
	old      bool
	from, to int64 // its place
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
	s := &selector{spec: spec, folder: folder, local: sketcher.Local(), hash: hash}
	if s.file, err = scratch.NewIn(folder); err != nil {
		return nil, err
	}
	s.w = bufio.NewWriterSize(s.file, 1<<20)
	return s, nil
}

// isFull reports whether the collected groups are to be decided before a text is added.
func (s *selector) isFull(t GroupText) bool {
	return s.groups > 0 && s.group != t.Group && (s.size >= selectedBytes || len(s.texts) >= selectedTexts)
}

// add adds the next text. A text without features is a duplicate of nothing.
func (s *selector) add(t GroupText) error {
	first := s.groups == 0 || s.group != t.Group
	if first {
		s.groups++
		s.group = t.Group
	}
	if last := len(s.texts) - 1; t.Old && !first && last >= 0 && s.texts[last].group == s.groups && !s.texts[last].old {
		return fmt.Errorf("group %.80q: the old text %.80q comes after a new one, expected old texts first", t.Group, t.ID)
	}
	words, status, err := s.local.Append(s.words, t.Text)
	if err != nil || status != fphash.Informative {
		return err
	}
	if _, err := s.w.Write(t.Text); err != nil {
		return failedTexts(err)
	}
	s.words = words
	s.texts = append(s.texts, selectedText{t.ID, s.groups, t.Old, s.size, s.size + int64(len(t.Text))})
	s.size += int64(len(t.Text))
	return nil
}

// decide yields the dropped texts of the collected groups, and forgets these. It returns false if
// it fails, or if yield returns false.
func (s *selector) decide(ctx context.Context, yield func(DroppedText, error) bool) bool {
	dropped, err := s.find(ctx)
	for _, d := range dropped {
		if !yield(d, nil) {
			return false
		}
	}
	if err == nil {
		_, err = s.file.Seek(0, io.SeekStart)
	}
	if err != nil {
		yield(DroppedText{}, err)
		return false
	}
	s.size, s.texts, s.words, s.groups = 0, s.texts[:0], s.words[:0], 0
	return true
}

// find returns the dropped texts of the collected groups.
func (s *selector) find(ctx context.Context) (dropped []DroppedText, err error) {
	if err := s.w.Flush(); err != nil {
		return nil, failedTexts(err)
	}
	// The numbers of records are those of the texts with all old ones first.
	order := make([]int, len(s.texts)) // by record: the text
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return old(s.texts[b].old) - old(s.texts[a].old) })
	records := &Records{Name: "groups"}
	records.Set.Bits, records.Set.Definition = s.hash.Bits(), s.hash.String()
	groups, numbers, olds := make([][]uint32, s.groups), []uint64(nil), 0
	for record, text := range order {
		records.Add(nil, s.words[text*s.hash.Words():(text+1)*s.hash.Words()], true)
		olds += old(s.texts[text].old)
		group := &groups[s.texts[text].group-1]
		if *group = append(*group, uint32(record)); len(*group) == 2 {
			numbers = append(numbers, uint64((*group)[0]))
		}
		if len(*group) > 1 {
			numbers = append(numbers, uint64(record))
		}
	}
	groups = slices.DeleteFunc(groups, func(members []uint32) bool { return len(members) < 2 })
	if len(groups) == 0 {
		return nil, nil
	}
	slices.Sort(numbers)

	read := func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error {
		var text []byte
		for _, record := range records {
			of := s.texts[order[record]]
			text = slices.Grow(text[:0], int(of.to-of.from))[:of.to-of.from]
			if _, err := s.file.ReadAt(text, of.from); err != nil {
				return failedTexts(err)
			}
			if err := take(record, text); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	v := &Verifier{Spec: s.spec, Texts: read, Folder: s.folder}
	r, err := newResult(records, Options{Spec: s.spec, Old: olds, Verify: v})
	if err != nil {
		return nil, err
	}
	defer v.Close()
	if err := v.Load(ctx, numbers); err != nil {
		return nil, err
	}
	kept, similarity, differs, err := r.selectVerified(ctx, join.NewGroups(&records.Set, 0, groups), nil)
	if err != nil {
		return nil, err
	}
	for _, members := range groups {
		for _, m := range members {
			if kept[m] != m {
				dropped = append(dropped, DroppedText{s.texts[order[m]].id, s.texts[order[kept[m]]].id, similarity[m], differs[m]})
			}
		}
	}
	return dropped, nil
}

func old(is bool) int {
	if is {
		return 1
	}
	return 0
}

func failedTexts(err error) error {
	return fmt.Errorf("texts of candidates, in a temporary file: %w", err)
}
