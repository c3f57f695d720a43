package naive

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// K is the distance of all searches: they find fingerprints that differ in at most 3 bits.
const K = 3

// A Searcher finds the fingerprints within K bits of a query.
type Searcher interface {
	// AppendWithin appends the positions of the fingerprints within K bits, in any order, each at
	// least once. It returns how many entries or keys were looked at.
	AppendWithin(dst []int32, query uint64) (positions []int32, candidates int)
	// Bytes is the size of all arrays, with the fingerprints.
	Bytes() int
}

func within(a, b uint64) bool { return bits.OnesCount64(a^b) <= K }

// Scan compares the query with every fingerprint.
type Scan []uint64

func (s Scan) AppendWithin(dst []int32, query uint64) ([]int32, int) {
	for i, f := range s {
		if within(f, query) {
			dst = append(dst, int32(i))
		}
	}
	return dst, len(s)
}

func (s Scan) Bytes() int { return 8 * len(s) }

// Postings has a list for each bit: the set of fingerprints in which it is 1, as a bit map. A query
// counts for 64 fingerprints at a time in how many lists they differ from it.
type Postings struct {
	lists [][64]uint64 // bit i of lists[n][j] is bit j of fingerprint 64·n+i
	n     int
}

func NewPostings(fingerprints []uint64) *Postings {
	p := &Postings{make([][64]uint64, (len(fingerprints)+63)/64), len(fingerprints)}
	for i, f := range fingerprints {
		for j := range 64 {
			p.lists[i/64][j] |= f >> j & 1 << (i % 64)
		}
	}
	return p
}

func (p *Postings) AppendWithin(dst []int32, query uint64) ([]int32, int) {
	for n := range p.lists {
		var ones, twos, above uint64 // the count of each fingerprint: bits 0 and 1, and "above 3"
		for j, list := range &p.lists[n] {
			differs := list ^ -(query >> j & 1)
			carry := ones & differs
			ones ^= differs
			above |= twos & carry
			twos ^= carry
			if above == ^uint64(0) {
				break
			}
		}
		for found := ^above; found != 0; found &= found - 1 {
			if i := 64*n + bits.TrailingZeros64(found); i < p.n {
				dst = append(dst, int32(i))
			}
		}
	}
	return dst, p.n
}

func (p *Postings) Bytes() int { return len(p.lists) * 64 * 8 }

// Neighbours has the fingerprints in a hash table. A query looks up every number within K bits of
// itself: C(64,3) + C(64,2) + 64 + 1 = 43,745 probes.
type Neighbours struct {
	first map[uint64]int32
	next  []int32 // the following fingerprint of the same value, or -1
}

func NewNeighbours(fingerprints []uint64) *Neighbours {
	t := &Neighbours{make(map[uint64]int32, len(fingerprints)), make([]int32, len(fingerprints))}
	for i, f := range fingerprints {
		t.next[i] = -1
		if former, ok := t.first[f]; ok {
			t.next[i] = former
		}
		t.first[f] = int32(i)
	}
	return t
}

func (t *Neighbours) AppendWithin(dst []int32, query uint64) (positions []int32, probes int) {
	probe := func(value uint64) {
		probes++
		if i, ok := t.first[value]; ok {
			for ; i >= 0; i = t.next[i] {
				dst = append(dst, i)
			}
		}
	}
	probe(query)
	for a := range 64 {
		one := query ^ 1<<a
		probe(one)
		for b := range a {
			two := one ^ 1<<b
			probe(two)
			for c := range b {
				probe(two ^ 1<<c)
			}
		}
	}
	return dst, probes
}

// Bytes is an estimate: Go's maps hold at most 7 entries in groups of 8, with a byte each, and are
// between half full and full.
func (t *Neighbours) Bytes() int {
	groups := 1
	for 7*groups < len(t.first) {
		groups *= 2
	}
	return groups*(8*(8+8)+8) + 4*len(t.next)
}

// Blocks has four tables, one for each 16 bits of a fingerprint. Two fingerprints within 3 bits are
// equal in one of the four.
type Blocks struct {
	fingerprints []uint64
	starts       [4][]int32 // positions with block value v are at starts[v] to starts[v+1]
	positions    [4][]int32
}

func NewBlocks(fingerprints []uint64) *Blocks {
	t := &Blocks{fingerprints: fingerprints}
	for b := range t.starts {
		starts, positions := make([]int32, 1<<16+1), make([]int32, len(fingerprints))
		for _, f := range fingerprints {
			starts[block(f, b)+1]++
		}
		for v := range 1 << 16 {
			starts[v+1] += starts[v]
		}
		next := append([]int32(nil), starts...)
		for i, f := range fingerprints {
			v := block(f, b)
			positions[next[v]] = int32(i)
			next[v]++
		}
		t.starts[b], t.positions[b] = starts, positions
	}
	return t
}

func block(fingerprint uint64, b int) uint64 { return fingerprint >> (16 * b) & 0xFFFF }

func (t *Blocks) AppendWithin(dst []int32, query uint64) (positions []int32, candidates int) {
	for b := range t.starts {
		v := block(query, b)
		list := t.positions[b][t.starts[b][v]:t.starts[b][v+1]]
		candidates += len(list)
		for _, i := range list {
			if within(t.fingerprints[i], query) {
				dst = append(dst, i)
			}
		}
	}
	return dst, candidates
}

func (t *Blocks) Bytes() int { return len(t.fingerprints)*(8+4*4) + 4*4*(1<<16+1) }

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
