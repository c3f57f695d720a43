package join

import (
	"context"
	"math/rand/v2"
	"slices"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
)

// MeasureRecall is Join.MeasureRecall of the fingerprints of the source, by their ids: it draws
// fingerprints, compares them with all, and asks of each near pair whether it was found. It reads
// the source three times, and compares 10^10 words or less.
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

// measure is MeasureRecall of so many of n fingerprints.
func (x *External) measure(ctx context.Context, n, rows int, found func(a, b uint64) bool) (*Measured, error) {
	s := newSample(rows, true)
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
		s.add(m, matches, from, func(row, position int) bool { return found(drawn.IDs[row], columns.IDs[position-from]) })
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
	var spread spread
	s.end(m, &spread)
	m.Low, m.High = spread.interval(rows == n)
	return m, nil
}

// columnsTogether is how many fingerprints of a source those of a sample are compared with at a
// time.
const columnsTogether = 1 << 12

// at returns the fingerprints at some positions of the source, which ascend.
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
