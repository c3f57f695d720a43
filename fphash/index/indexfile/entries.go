package indexfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"simhashkit/fphash/index"
)

// ID is what an entry is called: a number, or a text in files that have texts.
type ID struct {
	Number uint64
	Text   string
}

// compare puts ids in the order of the file: all are numbers, or all are texts.
func (a ID) compare(b ID) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Text, b.Text))
}

// name writes the id as it stands in lists.
func (a ID) name(texts bool) string {
	if texts {
		return strconv.Quote(a.Text)
	}
	return strconv.FormatUint(a.Number, 10)
}

// Entries are fingerprints with their ids: numbers in Set.IDs, where nil means positions, or Texts
// in files that have texts.
type Entries struct {
	index.Set
	Texts []string
}

// id returns the id at a position.
func (e *Entries) id(i int) ID {
	if e.Texts != nil {
		return ID{Text: e.Texts[i]}
	}
	return ID{Number: e.ID(i)}
}

// longestText is the longest id, in bytes.
const longestText = 1 << 16

// check returns an error unless the entries can stand in a file with such ids: each is there once.
func (e *Entries) check(texts bool) error {
	if texts != (e.Texts != nil) && e.Len() > 0 {
		if texts {
			return errors.New("indexfile: ids are numbers, expected texts as in the file")
		}
		return errors.New("indexfile: ids are texts, expected numbers as in the file")
	}
	if err := e.Set.Check(); err != nil {
		return err
	}
	if e.Texts == nil {
		return nil
	}
	if len(e.Texts) != e.Len() || e.IDs != nil {
		return fmt.Errorf("indexfile: %d texts as ids, expected one for each of %d fingerprints", len(e.Texts), e.Len())
	}
	seen := make(map[string]bool, len(e.Texts))
	for _, text := range e.Texts {
		if seen[text] {
			return fmt.Errorf("indexfile: id %q twice, expected each once", text)
		}
		if len(text) > longestText {
			return fmt.Errorf("indexfile: id of %d bytes, expected at most %d", len(text), longestText)
		}
		seen[text] = true
	}
	return nil
}

// sorted returns the entries in ascending order of their ids, the same where they are so already.
func (e *Entries) sorted() *Entries {
	n := e.Len()
	ascend := true
	for i := 1; i < n && ascend; i++ {
		ascend = e.id(i-1).compare(e.id(i)) < 0
	}
	if ascend {
		return e
	}
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return e.id(int(a)).compare(e.id(int(b))) })
	to := newEntries(&e.Set, e.Texts != nil, n)
	for _, i := range order {
		to.add(e.id(int(i)), e.At(int(i)))
	}
	return to
}

// newEntries returns no entries, with room for n, of fingerprints like those of the set.
func newEntries(like *index.Set, texts bool, n int) *Entries {
	e := &Entries{Set: index.Set{Bits: like.Bits, Definition: like.Definition}}
	e.Words = make([]uint64, 0, n*like.Stride())
	if texts {
		e.Texts = make([]string, 0, n)
	} else {
		e.IDs = make([]uint64, 0, n)
	}
	return e
}

// add adds an entry.
func (e *Entries) add(id ID, words []uint64) {
	e.Words = append(e.Words, words...)
	if e.Texts != nil {
		e.Texts = append(e.Texts, id.Text)
	} else {
		e.IDs = append(e.IDs, id.Number)
	}
}
