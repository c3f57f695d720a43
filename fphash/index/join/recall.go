package join

import (
	"context"
	"math/rand/v2"
	"slices"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
)

const (
	mostCompared  = 3e9 // maximum number of compared words
	enoughPairs   = 300 // number of pairs after which a sample ends
	rowsTogether  = 16
	seedOfMeasure = 1 << 32 // combined with the seed of a join
)

// SamplePairs compares random fingerprints of Set with all fingerprints, and returns the number of
// random ones. It calls found with the positions of near pairs, whether or not the join finds them,
// so that a recall can be measured. These are up to four pairs for each random fingerprint, drawn
// from those that differ in at least one bit, so that a large group does not fill the sample. It
// ends after 300 pairs or 3·10^9 comparisons of words. If that is enough for all fingerprints, the
// sample is the whole set.
func (j *Join) SamplePairs(ctx context.Context, found func(a, b int)) (drawn int, err error) {
	if err := j.check(); err != nil {
		return 0, err
	}
	return j.sample(ctx, rowsCompared(j.Set.Len(), len(j.Set.Words)), found)
}

// rowsCompared returns the number of fingerprints, of n, that are compared with all.
func rowsCompared(n, words int) int {
	return int(min(float64(n), mostCompared/max(1, float64(words))))
}

// sample is SamplePairs with the given number of random fingerprints.
func (j *Join) sample(ctx context.Context, rows int, found func(a, b int)) (drawn int, err error) {
	n, pairs := j.Set.Len(), 0
	r := rand.New(rand.NewPCG(j.Seed, seedOfMeasure))
	row := func(int) int { return r.IntN(n) }
	if rows == n { // in random order, because the sample may end early
		order := r.Perm(n)
		row = func(i int) int { return order[i] }
	}
	var matches []hamming.QueryMatch
	chosen := newPairsOfRows(j.Seed)
	for drawn < rows && pairs < enoughPairs {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		sample := make([]int, min(rowsTogether, rows-drawn)) // positions
		words := []uint64{}
		for i := range sample {
			sample[i] = row(drawn + i)
			words = append(words, j.Set.At(sample[i])...)
		}
		at := 0
		for column := range slices.Chunk(j.Set.Words, columnsOfRow*j.Set.Stride()) { // limits the number of matches
			matches = hamming.AppendWithinBatch(matches[:0], column, words, j.Set.Stride(), min(j.K, j.Set.Bits))
			for _, m := range matches {
				chosen.add(m.Query, m.Distance, uint64(at+m.Index))
			}
			at += columnsOfRow
		}
		for row, matches := range chosen.take() {
			pairs += len(matches)
			for _, b := range matches {
				found(sample[row], int(b))
			}
		}
		drawn += len(sample)
	}
	return drawn, nil
}

// pairsOfRows draws matches of rows.
type pairsOfRows struct {
	random *rand.Rand
	rows   [][]uint64 // the drawn matches of each row
	seen   []int      // number of matches of each row
}

// mostOfRow is the maximum number of matches that are drawn for a row.
const mostOfRow = 4

func newPairsOfRows(seed uint64) *pairsOfRows {
	return &pairsOfRows{random: rand.New(rand.NewPCG(seed, seedOfMeasure+1))}
}

// add adds a match of a row. It ignores equal fingerprints, which every join finds.
func (p *pairsOfRows) add(row, distance int, match uint64) {
	if distance == 0 {
		return
	}
	for row >= len(p.rows) {
		p.rows, p.seen = append(p.rows, nil), append(p.seen, 0)
	}
	if p.seen[row]++; len(p.rows[row]) < mostOfRow {
		p.rows[row] = append(p.rows[row], match)
	} else if i := p.random.IntN(p.seen[row]); i < mostOfRow { // reservoir sampling
		p.rows[row][i] = match
	}
}

// take returns the drawn matches of each row, and forgets them.
func (p *pairsOfRows) take() [][]uint64 {
	rows := p.rows
	p.rows, p.seen = nil, nil
	return rows
}

// SamplePairs is Join.SamplePairs for the fingerprints of the source; it calls found with ids. It
// reads the source three times, and compares at most 3·10^9 words.
func (x *External) SamplePairs(ctx context.Context, found func(a, b uint64)) (drawn int, err error) {
	if err := x.check(); err != nil {
		return 0, err
	}
	n := 0
	if err := x.records(ctx, func(Record) error { n++; return nil }); err != nil {
		return 0, err
	}
	rows := rowsCompared(n, n*((x.Bits+63)/64))
	return rows, x.sample(ctx, n, rows, found)
}

// sample is SamplePairs with a sample of rows of the n fingerprints.
func (x *External) sample(ctx context.Context, n, rows int, found func(a, b uint64)) error {
	positions := rand.New(rand.NewPCG(x.Seed, seedOfMeasure)).Perm(n)[:rows]
	slices.Sort(positions)
	drawn, err := x.at(ctx, positions)
	if err != nil {
		return err
	}
	var matches []hamming.QueryMatch
	columns := index.Set{Bits: x.Bits}
	chosen := newPairsOfRows(x.Seed)
	compare := func() {
		matches = hamming.AppendWithinBatch(matches[:0], columns.Words, drawn.Words, drawn.Stride(), min(x.K, x.Bits))
		for _, m := range matches {
			chosen.add(m.Query, m.Distance, columns.IDs[m.Index])
		}
		columns.IDs, columns.Words = columns.IDs[:0], columns.Words[:0]
	}
	err = x.records(ctx, func(r Record) error {
		columns.IDs, columns.Words = append(columns.IDs, r.ID), append(columns.Words, r.Words...)
		if len(columns.IDs) == columnsTogether {
			compare()
		}
		return nil
	})
	if err == nil {
		compare()
	}
	for row, matches := range chosen.take() {
		for _, b := range matches {
			found(drawn.IDs[row], b)
		}
	}
	return err
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

// within returns the share of the requested pairs that are within K, or 1 if no pairs are
// requested.
func (p *Plan) within() float64 {
	if p.differ == 0 || p.K >= p.Bits {
		return 1
	}
	return distribution(p.Bits, p.differ)[p.K]
}
