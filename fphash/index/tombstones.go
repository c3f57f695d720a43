package index

// tombstones are the positions that are deleted. Pages are shared with the snapshots before, and
// copied when they change. Nil has none.
type tombstones struct {
	pages []*tombstonePage
	own   []bool // pages that are of this one alone
	n     int
}

const tombstonePageBits = 4096

type tombstonePage [tombstonePageBits / 64]uint64

func (t *tombstones) len() int {
	if t == nil {
		return 0
	}
	return t.n
}

func (t *tombstones) has(i int) bool {
	if t == nil {
		return false
	}
	page := t.pages[i/tombstonePageBits]
	return page != nil && page[i%tombstonePageBits/64]>>(i%64)&1 != 0
}

// fork returns tombstones of so many positions that may be added to while readers have these.
func (t *tombstones) fork(positions int) *tombstones {
	n := (positions + tombstonePageBits - 1) / tombstonePageBits
	fork := &tombstones{pages: make([]*tombstonePage, n), own: make([]bool, n), n: t.len()}
	if t != nil {
		copy(fork.pages, t.pages)
	}
	return fork
}

// add adds a position that is not there.
func (t *tombstones) add(i int) {
	p := i / tombstonePageBits
	if !t.own[p] {
		page := new(tombstonePage)
		if t.pages[p] != nil {
			*page = *t.pages[p]
		}
		t.pages[p], t.own[p] = page, true
	}
	t.pages[p][i%tombstonePageBits/64] |= 1 << (i % 64)
	t.n++
}
