package join

import (
	"context"
	"math/rand/v2"
	"slices"
	"sort"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
)

// Measured is the recall of a join, measured on a sample of fingerprints for which all near pairs
// are known.
type Measured struct {
	Drawn int // number of fingerprints in the sample, each compared with all

	// Pairs has the number of near pairs of the sample at each distance up to K or the width.
	// Found has the number of these that the join found.
	Pairs, Found []int
}

// Of returns the number of near pairs of the sample, and the number of these that the join found.
func (m *Measured) Of() (pairs, found int) {
	for d, n := range m.Pairs {
		pairs, found = pairs+n, found+m.Found[d]
	}
	return pairs, found
}

const (
	mostCompared  = 3e9 // maximum number of compared words
	enoughPairs   = 300 // number of pairs after which a measurement ends
	rowsTogether  = 16
	seedOfMeasure = 1 << 32 // combined with the seed of a join
)

// MeasureRecall compares random fingerprints of Set with all fingerprints. For each near pair it
// calls found, with positions, to learn whether the join found the pair. It ends after 300 pairs or
// 3·10^9 comparisons of words. If that is enough for all fingerprints, the sample is the whole set.
func (j *Join) MeasureRecall(ctx context.Context, found func(a, b int) bool) (*Measured, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	return j.measure(ctx, rowsCompared(j.Set.Len(), len(j.columns().Words)), found)
}

// rowsCompared returns the number of fingerprints, of n, that a measurement compares with all.
func rowsCompared(n, words int) int {
	return int(min(float64(n), mostCompared/max(1, float64(words))))
}

// measure is MeasureRecall with a sample of rows fingerprints.
func (j *Join) measure(ctx context.Context, rows int, found func(a, b int) bool) (*Measured, error) {
	m := newMeasured(j.K, j.Set.Bits)
	n, columns := j.Set.Len(), j.columns()
	r := rand.New(rand.NewPCG(j.Seed, seedOfMeasure))
	row := func(int) int { return r.IntN(n) }
	if rows == n { // in random order, because the measurement may end early
		order := r.Perm(n)
		row = func(i int) int { return order[i] }
	}
	var matches []hamming.QueryMatch
	for from := 0; from < rows; from += rowsTogether {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if pairs, _ := m.Of(); pairs >= enoughPairs {
			break
		}
		sample := sample{make([]int, min(rowsTogether, rows-from)), j.Against == nil}
		words := []uint64{}
		for i := range sample.rows {
			sample.rows[i] = row(from + i)
			words = append(words, j.Set.At(sample.rows[i])...)
		}
		at := 0
		for column := range slices.Chunk(columns.Words, columnsOfRow*columns.Stride()) { // limits the number of matches
			matches = hamming.AppendWithinBatch(matches[:0], column, words, j.Set.Stride(), len(m.Pairs)-1)
			sample.count(m, matches, at, func(row, position int) bool { return found(sample.rows[row], position) })
			at += columnsOfRow
		}
		m.Drawn += len(sample.rows)
	}
	return m, nil
}

func newMeasured(k, width int) *Measured {
	k = min(k, width)
	return &Measured{Pairs: make([]int, k+1), Found: make([]int, k+1)}
}

// sample is the fingerprints that are compared with all.
type sample struct {
	rows   []int // their positions
	within bool  // whether they are compared with their own set
}

// count counts the near pairs of the sample with the fingerprints from the given position on, and
// how many of them the join found.
func (s *sample) count(m *Measured, matches []hamming.QueryMatch, from int, found func(row, position int) bool) {
	for _, match := range matches {
		position := from + match.Index
		if s.within && s.rows[match.Query] == position {
			continue
		}
		m.Pairs[match.Distance]++
		if found(match.Query, position) {
			m.Found[match.Distance]++
		}
	}
}

// MeasureRecall is Join.MeasureRecall for the fingerprints of the source; it calls found with ids.
// It reads the source three times, and compares at most 3·10^9 words.
func (x *External) MeasureRecall(ctx context.Context, found func(a, b uint64) bool) (*Measured, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	n := 0
	if err := x.records(ctx, func(Record) error { n++; return nil }); err != nil {
		return nil, err
	}
	return x.measure(ctx, n, rowsCompared(n, n*((x.Bits+63)/64)), found)
}

// measure is MeasureRecall with a sample of rows of the n fingerprints.
func (x *External) measure(ctx context.Context, n, rows int, found func(a, b uint64) bool) (*Measured, error) {
	s := sample{make([]int, rows), true}
	copy(s.rows, rand.New(rand.NewPCG(x.Seed, seedOfMeasure)).Perm(n))
	slices.Sort(s.rows)
	drawn, err := x.at(ctx, s.rows)
	if err != nil {
		return nil, err
	}
	m := newMeasured(x.K, x.Bits)
	var matches []hamming.QueryMatch
	columns, from := index.Set{Bits: x.Bits}, 0
	compare := func() {
		matches = hamming.AppendWithinBatch(matches[:0], columns.Words, drawn.Words, drawn.Stride(), len(m.Pairs)-1)
		s.count(m, matches, from, func(row, position int) bool { return found(drawn.IDs[row], columns.IDs[position-from]) })
		from += columns.Len()
		columns.IDs, columns.Words = columns.IDs[:0], columns.Words[:0]
	}
	err = x.records(ctx, func(r Record) error {
		columns.IDs, columns.Words = append(columns.IDs, r.ID), append(columns.Words, r.Words...)
		if len(columns.IDs) == columnsTogether {
			compare()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	compare()
	m.Drawn = rows
	return m, nil
}

// columnsTogether is the number of fingerprints of the source that are compared with the sample at
// a time.
const columnsTogether = 1 << 12

// at returns the fingerprints at the given ascending positions of the source.
func (x *External) at(ctx context.Context, positions []int) (*index.Set, error) {
	set, position := &index.Set{Bits: x.Bits}, 0
	err := x.records(ctx, func(r Record) error {
		if len(positions) > 0 && position == positions[0] {
			set.IDs, set.Words, positions = append(set.IDs, r.ID), append(set.Words, r.Words...), positions[1:]
		}
		position++
		return nil
	})
	if err == nil && len(positions) > 0 {
		err = errShort
	}
	return set, err
}

// Threshold returns the smallest k such that two fingerprints are within k bits with probability
// recall, if each of their bits differs with probability differ. Use it as the K of a join to find
// this share of the pairs with a similarity.
func Threshold(bits int, differ, recall float64) int {
	atMost := distribution(bits, differ)
	return sort.Search(bits, func(k int) bool { return atMost[k] >= recall })
}

// within returns the share of the requested pairs that are within K, or 1 if no pairs are
// requested.
func (p *Plan) within() float64 {
	if p.differ == 0 || p.K >= p.Bits {
		return 1
	}
	return distribution(p.Bits, p.differ)[p.K]
}
