package indexfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
)

// ID identifies an entry: a number, or a text in files with text ids.
type ID struct {
	Number uint64
	Text   string
}

// compare orders ids as in the file. All ids are numbers, or all are texts.
func (a ID) compare(b ID) int {
	return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Text, b.Text))
}

// name formats the id for messages.
func (a ID) name(texts bool) string {
	if texts {
		return strconv.Quote(a.Text)
	}
	return strconv.FormatUint(a.Number, 10)
}

// Entries are fingerprints with their ids. The ids are the numbers in Set.IDs (nil means
// positions), or Texts in files with text ids.
type Entries struct {
	index.Set
	Texts []string
}

func (e *Entries) id(i int) ID {
	if e.Texts != nil {
		return ID{Text: e.Texts[i]}
	}
	return ID{Number: e.ID(i)}
}

const longestText = 1 << 16 // maximum length of an id in bytes

// check returns an error if the entries are invalid, or do not match a file with text or number
// ids. Ids must not repeat.
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
			return fmt.Errorf("indexfile: duplicate id %q", text)
		}
		if len(text) > longestText {
			return fmt.Errorf("indexfile: id of %d bytes, expected at most %d", len(text), longestText)
		}
		seen[text] = true
	}
	return nil
}

// sorted returns the entries in ascending order of their ids, or e itself if it is sorted.
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

// newEntries returns empty Entries with capacity for n fingerprints like those of the set.
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

func (e *Entries) add(id ID, words []uint64) {
	e.Words = append(e.Words, words...)
	if e.Texts != nil {
		e.Texts = append(e.Texts, id.Text)
	} else {
		e.IDs = append(e.IDs, id.Number)
	}
}

// contents is the content of a file: its base with the deleted entries marked, and the entries
// inserted after the base was written.
type contents struct {
	*base
	deadBase  []uint64 // by position in the base: a bit that is set if the entry is deleted
	deadCount int

	since   *Entries      // entries inserted after the base, in order, including deleted ones
	slots   map[ID]uint32 // indices in since of the entries that are not deleted
	end     int64         // end of the log
	last    uint64        // number of the last frame
	known   int64         // minimum size of the file
	dropped []uint32      // slots deleted after the last update of the delta
}

// newContents returns the content of a file before its log is read.
func newContents(b *base) *contents {
	set := b.header.set()
	return &contents{
		base: b, deadBase: make([]uint64, (b.entries+63)/64), since: newEntries(&set, b.texts, 0), slots: map[ID]uint32{},
		end: b.logFrom, known: b.allocated,
	}
}

// Len returns the number of entries.
func (c *contents) Len() int { return int(c.entries) - c.deadCount + len(c.slots) }

func (c *contents) isDead(position int) bool { return c.deadBase[position/64]>>(position%64)&1 != 0 }

// standsInBase returns the position of an id in the base, unless the entry is deleted.
func (c *contents) standsInBase(id ID) (position int, found bool, err error) {
	err = reading(func() (err error) {
		position, found, err = c.position(id)
		return err
	})
	return position, found && !c.isDead(position), err
}

// has reports whether there is an entry with the given id.
func (c *contents) has(id ID) (bool, error) {
	if _, ok := c.slots[id]; ok || c.entries == 0 {
		return ok, nil
	}
	_, found, err := c.standsInBase(id)
	return found, err
}

// insert adds an entry with a new id.
func (c *contents) insert(id ID, words []uint64) error {
	if _, ok := c.slots[id]; ok {
		return fmt.Errorf("id %s is inserted twice", id.name(c.texts))
	}
	c.slots[id] = uint32(c.since.Len())
	c.since.add(id, words)
	return nil
}

// delete removes the entry with the given id, if any.
func (c *contents) delete(id ID) error {
	if slot, ok := c.slots[id]; ok {
		delete(c.slots, id)
		c.dropped = append(c.dropped, slot)
		return nil
	}
	if c.entries == 0 {
		return nil
	}
	position, found, err := c.standsInBase(id)
	if err == nil && found {
		c.deadBase[position/64] |= 1 << (position % 64)
		c.deadCount++
	}
	return err
}

// apply applies the changes of a frame.
func (c *contents) apply(f frame) error {
	if err := c.replay(f.payload, c); err != nil {
		return &Damage{c.end, f.next - c.end, fmt.Sprintf("batch %d: %v", f.number, err)}
	}
	c.end, c.last, c.known = f.next, f.number, max(c.known, f.allocated)
	return nil
}

// read applies all good frames of the log. It returns the outcome of the next read, and why that
// is not a good frame.
func (c *contents) read(l *logReader) (is outcome, what string, err error) {
	for {
		f, is, what, err := l.next(c.end, c.last+1)
		if err != nil || is != good {
			return is, what, err
		}
		if err := c.apply(f); err != nil {
			return 0, "", err
		}
	}
}

// readTo applies the frames up to the given number, which are known to be on disk.
func (c *contents) readTo(last uint64, l *logReader) error {
	for c.last < last {
		f, err := l.mustNext(c.end, c.last+1)
		if err == nil {
			err = c.apply(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cursor yields all entries in ascending order of their ids.
type cursor struct {
	*contents
	position int      // next position in the base
	since    []uint32 // remaining slots, in ascending order of ids
}

func (c *contents) cursor() *cursor { return &cursor{contents: c, since: c.sinceInOrder()} }

// next returns the next entry. The words must not be changed. After the last entry, ok is false.
func (c *cursor) next() (id ID, words []uint64, ok bool, err error) {
	for c.position < int(c.entries) && c.isDead(c.position) {
		c.position++
	}
	if c.position < int(c.entries) {
		if id, err = c.id(c.position); err != nil {
			return id, nil, false, err
		}
		if len(c.since) == 0 || id.compare(c.contents.since.id(int(c.since[0]))) < 0 {
			words, err = c.entry(c.position)
			c.position++
			return id, words, err == nil, err
		}
	}
	if len(c.since) == 0 {
		return id, nil, false, nil
	}
	slot := int(c.since[0])
	c.since = c.since[1:]
	return c.contents.since.id(slot), c.contents.since.At(slot), true, nil
}

// copyNext returns copies of the next entries, at most n. After the last entry, it returns none.
func (c *cursor) copyNext(n int) (*Entries, error) {
	set := c.header.set()
	e := newEntries(&set, c.texts, n)
	err := reading(func() error {
		for range n {
			id, words, ok, err := c.next()
			if err != nil || !ok {
				return err
			}
			e.add(id, words)
		}
		return nil
	})
	return e, err
}

// readTogether is the number of entries that are copied at a time.
const readTogether = 1 << 10

// all returns a copy of all entries, in ascending order of their ids.
func (c *contents) all(ctx context.Context) (*Entries, error) {
	set := c.header.set()
	e, from := newEntries(&set, c.texts, c.Len()), c.cursor()
	for {
		some, err := from.copyNext(readTogether)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if some.Len() == 0 {
			return e, nil
		}
		e.Words, e.Texts, e.IDs = append(e.Words, some.Words...), append(e.Texts, some.Texts...), append(e.IDs, some.IDs...)
	}
}

// sinceInOrder returns the slots of the entries in since that are not deleted, in ascending order
// of ids.
func (c *contents) sinceInOrder() []uint32 {
	return slices.SortedFunc(maps.Values(c.slots), func(a, b uint32) int {
		return c.since.id(int(a)).compare(c.since.id(int(b)))
	})
}

// options returns the options with which the file was created.
func (h *header) options() Options {
	return Options{K: h.k, Texts: h.texts, Features: h.features}
}

// delta is an index of the entries inserted after the base was written. The first search creates
// it, and later searches update it.
type delta struct {
	index *index.Index // ids are slots; nil before the first search
	known int          // number of slots in the index
}

// update adds the changes since the last update.
func (d *delta) update(c *contents) error {
	if d.index == nil {
		if c.since.Len() == 0 {
			return nil
		}
		var err error
		if d.index, err = index.New(c.bits, c.definition, c.k); err != nil {
			return err
		}
	}
	set := c.header.set()
	for slot := d.known; slot < c.since.Len(); slot++ {
		if live, ok := c.slots[c.since.id(slot)]; !ok || int(live) != slot {
			continue
		}
		set.IDs = append(set.IDs, uint64(slot))
		set.Words = append(set.Words, c.since.At(slot)...)
	}
	if set.Len() > 0 {
		if err := d.index.Insert(&set); err != nil {
			return err
		}
	}
	d.known = c.since.Len()
	dropped := make([]uint64, 0, len(c.dropped))
	for _, slot := range c.dropped {
		dropped = append(dropped, uint64(slot))
	}
	c.dropped = c.dropped[:0]
	_, err := d.index.Delete(dropped...)
	return err
}

// checkQuery returns an error if the query or k does not fit the file.
func (c *contents) checkQuery(query *index.Query, k int) error {
	if query.Allow != nil && c.texts {
		return errors.New("an Allow function for numbers, expected none because ids are texts")
	}
	set := c.header.set()
	return query.Check(&set, k, c.k)
}

// within appends the matches of a checked query among all entries, in ascending order of ids. The
// delta must be current.
func (d *delta) within(dst []Match, c *contents, query index.Query, k int) ([]Match, error) {
	found, err := c.withinBase(dst, query, k)
	if err == nil && d.index != nil {
		found, err = d.withinSince(found, c, query, k)
		slices.SortFunc(found[len(dst):], func(a, b Match) int { return a.ID.compare(b.ID) })
	}
	if err != nil {
		return dst, err
	}
	return found, nil
}

// buffers holds buffers for the matches in a base.
var buffers = sync.Pool{New: func() any { return new([]hamming.Match) }}

// withinBase appends the matches in the base.
func (c *contents) withinBase(dst []Match, query index.Query, k int) ([]Match, error) {
	buffer := buffers.Get().(*[]hamming.Match)
	defer buffers.Put(buffer)
	err := reading(func() (err error) {
		if *buffer, err = c.structure.AppendWithin((*buffer)[:0], query.Words, k); err != nil {
			return err
		}
		if allows := c.allows(&query); allows != nil {
			*buffer = slices.DeleteFunc(*buffer, func(m hamming.Match) bool { return !allows(m.Index) })
		}
		dst, err = c.appendMatches(dst, *buffer)
		return err
	})
	return dst, err
}

// appendMatches appends matches in the base.
func (c *contents) appendMatches(dst []Match, matches []hamming.Match) ([]Match, error) {
	for _, m := range matches {
		id, err := c.id(m.Index)
		if err != nil {
			return dst, err
		}
		dst = append(dst, Match{id, m.Distance})
	}
	return dst, nil
}

// allows returns a function that accepts the positions in the base of entries that are not deleted
// and that the query allows; nil accepts all.
func (c *contents) allows(query *index.Query) func(i int) bool {
	if query.Allow == nil && c.deadCount == 0 {
		return nil
	}
	return func(i int) bool {
		if c.isDead(i) {
			return false
		}
		if query.Allow == nil {
			return true
		}
		id, err := c.id(i)
		return err != nil || query.Allow(id.Number) // the error occurs again when the match is reported
	}
}

// allowedSince returns a function that accepts the slots whose ids the given function accepts.
func (c *contents) allowedSince(ids func(id uint64) bool) func(slot uint64) bool {
	if ids == nil {
		return nil
	}
	return func(slot uint64) bool { return ids(c.since.id(int(slot)).Number) }
}

// withinSince appends the matches among the entries inserted after the base.
func (d *delta) withinSince(dst []Match, c *contents, query index.Query, k int) ([]Match, error) {
	query.Allow = c.allowedSince(query.Allow)
	matches, err := d.index.Snapshot().AppendWithin(nil, query, k)
	for _, m := range matches {
		dst = append(dst, Match{c.since.id(int(m.ID)), m.Distance})
	}
	return dst, err
}

// isCurrent reports whether the delta includes all changes of the contents.
func (d *delta) isCurrent(c *contents) bool { return d.known == c.since.Len() && len(c.dropped) == 0 }
