package join

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index"
	"simhashkit/internal/binomial"
)

// Measured is the recall of a join by a sample: of some fingerprints all near pairs are known.
type Measured struct {
	Drawn int // fingerprints that were compared with all

	// By distance from 0 to K, or to the width if that is less: near pairs of theirs, and how many
	// of these the join found.
	Pairs, Found []int

	// Low and High are the 95% interval of the share of all near pairs that the join found (Wilson
	// 1927), wider by as much as the pairs of one fingerprint are found or missed together. Where
	// most pairs are of a few large groups that are found or missed as a whole, the interval is too
	// narrow: in a test of such sets it held the share in 83% of cases.
	Low, High float64
}

// Of returns the near pairs of the sample, and how many of them were found.
func (m *Measured) Of() (pairs, found int) {
	for d, n := range m.Pairs {
		pairs, found = pairs+n, found+m.Found[d]
	}
	return pairs, found
}

const (
	mostCompared  = 3e9 // words, for a measurement
	enoughPairs   = 300 // after which it ends
	rowsTogether  = 16
	seedOfMeasure = 1 << 32 // beside that of a join
)

// MeasureRecall draws fingerprints of Set, compares them with all, and asks of each near pair
// whether it was found, by positions. It ends once it has met 300 pairs, or after 3·10^9
// comparisons of words. If that is enough for all fingerprints, it takes all.
func (j *Join) MeasureRecall(ctx context.Context, found func(a, b int) bool) (*Measured, error) {
	if err := j.check(); err != nil {
		return nil, err
	}
	return j.measure(ctx, rowsCompared(j.Set.Len(), len(j.columns().Words)), found)
}

// rowsCompared returns how many of n fingerprints a measurement compares.
func rowsCompared(n, words int) int {
	return int(min(float64(n), mostCompared/max(1, float64(words))))
}

// measure is MeasureRecall with that many fingerprints.
func (j *Join) measure(ctx context.Context, rows int, found func(a, b int) bool) (*Measured, error) {
	m := newMeasured(j.K, j.Set.Bits)
	n, columns := j.Set.Len(), j.columns()
	all := rows == n
	r := rand.New(rand.NewPCG(j.Seed, seedOfMeasure))
	row := func(int) int { return r.IntN(n) }
	if all { // in another order than theirs, since enough pairs may end it
		order := r.Perm(n)
		row = func(i int) int { return order[i] }
	}
	var spread spread
	var matches []hamming.QueryMatch
	words := []uint64{}
	for from := 0; from < rows; from += rowsTogether {
		if pairs, _ := m.Of(); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		} else if pairs >= enoughPairs {
			all = false
			break
		}
		words = words[:0]
		sample, at := newSample(min(rowsTogether, rows-from), j.Against == nil), 0
		for i := from; i < min(from+rowsTogether, rows); i++ {
			sample.rows[i-from] = row(i)
			words = append(words, j.Set.At(sample.rows[i-from])...)
		}
		for column := range slices.Chunk(columns.Words, columnsOfRow*columns.Stride()) { // all may be near
			matches = hamming.AppendWithinBatch(matches[:0], column, words, j.Set.Stride(), len(m.Pairs)-1)
			sample.add(m, matches, at, func(row, position int) bool { return found(sample.rows[row], position) })
			at += columnsOfRow
		}
		sample.end(m, &spread)
	}
	m.Low, m.High = spread.interval(all)
	return m, nil
}

func newMeasured(k, width int) *Measured {
	k = min(k, width)
	return &Measured{Pairs: make([]int, k+1), Found: make([]int, k+1)}
}

// sample is the fingerprints that are compared with all.
type sample struct {
	rows   []int // their positions
	within bool  // the set that they are of

	pairs, found []float64 // of each
}

func newSample(rows int, within bool) *sample {
	return &sample{make([]int, rows), within, make([]float64, rows), make([]float64, rows)}
}

// add counts the near pairs with fingerprints from that position on, and those that were found.
func (s *sample) add(m *Measured, matches []hamming.QueryMatch, from int, found func(row, position int) bool) {
	for _, match := range matches {
		position := from + match.Index
		if s.within && s.rows[match.Query] == position {
			continue
		}
		s.pairs[match.Query]++
		m.Pairs[match.Distance]++
		if found(match.Query, position) {
			s.found[match.Query]++
			m.Found[match.Distance]++
		}
	}
}

// end adds the pairs of each fingerprint to the spread.
func (s *sample) end(m *Measured, spread *spread) {
	m.Drawn += len(s.rows)
	for i := range s.rows {
		spread.add(s.pairs[i], s.found[i])
	}
}

// spread has the sums over clusters of cases that the interval needs.
type spread struct{ clusters, cases, hits, cases2, hits2, both float64 }

func (s *spread) add(cases, hits float64) {
	if cases > 0 {
		s.clusters++
	}
	s.cases, s.hits = s.cases+cases, s.hits+hits
	s.cases2, s.hits2, s.both = s.cases2+cases*cases, s.hits2+hits*hits, s.both+cases*hits
}

// interval returns the 95% interval of the share of hits. Cases that vary together count as fewer,
// by the variance of the ratio over clusters compared with that of independent cases. Without cases
// it is 0 to 1; if all cases are known, it is the share.
func (s *spread) interval(known bool) (low, high float64) {
	if s.cases == 0 {
		return 0, 1
	}
	share := s.hits / s.cases
	if known {
		return share, share
	}
	n := s.clusters // where hits or misses alone show no variance
	if alone := share * (1 - share) * s.cases; alone > 0 {
		together := (s.hits2 - 2*share*s.both + share*share*s.cases2) * s.clusters / max(1, s.clusters-1)
		n = s.cases / max(1, together/alone)
	}
	return binomial.Wilson(share, math.Max(1, n))
}

// MeasureRecall is Join.MeasureRecall of the fingerprints of the source, by their ids: it draws
// fingerprints, compares them with all, and asks of each near pair whether it was found. It reads
// the source three times, and compares 3·10^9 words or less.
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

// measure is MeasureRecall with that many of n fingerprints.
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

// Threshold returns the smallest k such that fingerprints of that many bits, each of which differs
// with the probability differ, are within k with a probability of recall: the K of a join that is
// to find this share of the pairs of a similarity.
func Threshold(bits int, differ, recall float64) int {
	atMost := distribution(bits, differ)
	return sort.Search(bits, func(k int) bool { return atMost[k] >= recall })
}

// within returns which share of the pairs asked for is within K, or 1 if none are asked for.
func (p *Plan) within() float64 {
	if p.differ == 0 || p.K >= p.Bits {
		return 1
	}
	return distribution(p.Bits, p.differ)[p.K]
}
