package naive

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// permuted is a sorted list of fingerprints whose bits are in another order.
type permuted struct {
	order [8][256]uint64 // order[b][v] is where the bits of byte b with value v go
	list  []entry
}

type entry struct {
	word     uint64
	position int32
}

const entryBytes = 16

// newPermuted puts bit bitsInOrder[63-j] of each fingerprint to bit j, so the first is the highest.
func newPermuted(fingerprints []uint64, bitsInOrder []int) *permuted {
	p := &permuted{list: make([]entry, len(fingerprints))}
	for to, from := range bitsInOrder {
		for v := range uint64(256) {
			p.order[from/8][v] |= v >> (from % 8) & 1 << (63 - to)
		}
	}
	for i, f := range fingerprints {
		p.list[i] = entry{p.permute(f), int32(i)}
	}
	slices.SortFunc(p.list, func(a, b entry) int { return cmp.Compare(a.word, b.word) })
	return p
}

func (p *permuted) permute(f uint64) (word uint64) {
	for b := range p.order {
		word |= p.order[b][byte(f>>(8*b))]
	}
	return word
}

// from returns the place of the first word that is not below the given one.
func (p *permuted) from(word uint64) int {
	at, _ := slices.BinarySearchFunc(p.list, word, func(e entry, word uint64) int { return cmp.Compare(e.word, word) })
	return at
}

// Manku has a sorted list for every choice of blocks. The bits of the chosen blocks come first. Two
// fingerprints within 3 bits agree in all chosen blocks of one list (Manku, Jain, Das Sarma 2007).
type Manku struct {
	tables []*permuted
	prefix []int // the number of bits in the chosen blocks of each table
	n      int
}

// NewManku cuts fingerprints into blocks, and chooses all but K of them for each list: 4 blocks
// give 4 lists, 5 blocks 10, and 6 blocks 20.
func NewManku(fingerprints []uint64, blocks int) *Manku {
	m := &Manku{n: len(fingerprints)}
	for chosen := range uint(1) << blocks {
		if bits.OnesCount(chosen) != blocks-K {
			continue
		}
		var first, rest []int
		for j := range 64 {
			if chosen>>(j*blocks/64)&1 == 1 {
				first = append(first, j)
			} else {
				rest = append(rest, j)
			}
		}
		m.tables = append(m.tables, newPermuted(fingerprints, append(slices.Clone(first), rest...)))
		m.prefix = append(m.prefix, len(first))
	}
	return m
}

func (m *Manku) AppendWithin(dst []int32, query uint64) (positions []int32, candidates int) {
	for t, table := range m.tables {
		word := table.permute(query)
		low := word >> (64 - m.prefix[t]) << (64 - m.prefix[t])
		for _, e := range table.list[table.from(low):] {
			if (e.word^word)>>(64-m.prefix[t]) != 0 {
				break
			}
			candidates++
			if within(e.word, word) {
				dst = append(dst, e.position)
			}
		}
	}
	return dst, candidates
}

func (m *Manku) Bytes() int { return len(m.tables) * m.n * entryBytes }

// Permutations has a sorted list for each of several random permutations of the bits. A query is
// compared with a window of entries around its place in each list. It may miss fingerprints
// (Ravichandran, Pantel, Hovy 2005).
type Permutations struct {
	tables []*permuted
	window int
	n      int
}

// NewPermutations draws the permutations. window is the number of entries to compare in each list.
func NewPermutations(fingerprints []uint64, permutations, window int) *Permutations {
	p := &Permutations{window: window, n: len(fingerprints)}
	random := rand.New(rand.NewPCG(1, 3))
	for range permutations {
		p.tables = append(p.tables, newPermuted(fingerprints, random.Perm(64)))
	}
	return p
}

func (p *Permutations) AppendWithin(dst []int32, query uint64) (positions []int32, candidates int) {
	for _, table := range p.tables {
		word := table.permute(query)
		at := table.from(word)
		for _, e := range table.list[max(0, at-p.window/2):min(p.n, at+p.window/2)] {
			candidates++
			if within(e.word, word) {
				dst = append(dst, e.position)
			}
		}
	}
	return dst, candidates
}

func (p *Permutations) Bytes() int { return len(p.tables) * p.n * entryBytes }
