package pipeline

import (
	"context"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"simhashkit/fphash/index"
	"simhashkit/fphash/index/blocks"
)

// Part is a fingerprint of a hot block that has been cut into parts.
type Part struct {
	Second bool // it is of the second of two parts that are compared
	Of     Fingerprint
}

func init() {
	beam.RegisterCoder(reflect.TypeFor[Part](), encodePart, decodePart)
	register.DoFn2x0[Fingerprint, func([]byte, Fingerprint)](&blocksFn{})
	register.DoFn5x1[context.Context, []byte, func(*Fingerprint) bool, func(Pair), func([]byte, Part), error](&pairsFn{})
	register.DoFn4x1[context.Context, []byte, func(*Part) bool, func(Pair), error](&partsFn{})
	register.Emitter2[[]byte, Fingerprint]()
	register.Emitter2[[]byte, Part]()
	register.Iter1[Fingerprint]()
	register.Iter1[Part]()
}

func encodePart(p Part) []byte { return append(encodeFingerprint(p.Of), truths(p.Second)) }

func decodePart(data []byte) (p Part, err error) {
	if len(data) == 0 {
		return p, errCutOff
	}
	last := len(data) - 1
	p.Second = data[last] != 0
	p.Of, err = decodeFingerprint(data[:last])
	return p, err
}

// Search says which fingerprints are near, and how they are brought together.
type Search struct {
	Bits, K int
	Design  index.Design // of the tables; the zero design is the smallest
	Recall  float64      // if it is not 0, tables are drawn that find this share of the pairs at distance K
	KeyBits int          // of a key of those
	Block   int          // fingerprints of a block that are compared at a time; more are a hot block
}

// Tables returns what brings fingerprints together.
func (s Search) Tables() (*blocks.Tables, error) {
	if s.Recall != 0 {
		return blocks.Draw(s.Bits, s.K, s.Recall, s.KeyBits, 0)
	}
	return blocks.New(s.Bits, s.K, s.Design)
}

// blocksFn has each fingerprint under its key in each table.
type blocksFn struct {
	Search Search
	tables *blocks.Tables
}

func (f *blocksFn) Setup() (err error) {
	f.tables, err = f.Search.Tables()
	return err
}

func (f *blocksFn) ProcessElement(d Fingerprint, emit func([]byte, Fingerprint)) {
	for table := range f.tables.Len() {
		emit(f.tables.AppendKey(nil, table, d.Words), d)
	}
}

// pairsFn finds the pairs of a block. A hot one it cuts into parts, of which each is to be compared
// with itself and with each other, so that many workers share the work. Until then it holds the
// block: 16 bytes for each fingerprint of 64 bits.
type pairsFn struct {
	Search Search
	tables *blocks.Tables
}

func (f *pairsFn) Setup() (err error) {
	f.tables, err = f.Search.Tables()
	return err
}

func (f *pairsFn) ProcessElement(ctx context.Context, key []byte, values func(*Fingerprint) bool, pairs func(Pair), parts func([]byte, Part)) (err error) {
	defer mark(&err)
	table, err := f.tables.Table(key)
	if err != nil {
		return err
	}
	var block side
	for d := (Fingerprint{}); values(&d); {
		block.add(d)
	}
	blockSizes.Update(ctx, int64(len(block.positions)))
	if len(block.positions) <= f.Search.Block {
		return compare(ctx, f.tables, table, &block, nil, pairs)
	}
	hotCount.Inc(ctx, 1)
	last := (len(block.positions) - 1) / f.Search.Block
	for i := range block.positions {
		own := i / f.Search.Block
		for other := range last + 1 {
			parts(fmt.Appendf(nil, "%s/%d/%d", key, min(own, other), max(own, other)), Part{own > other, block.at(i)})
		}
	}
	return nil
}

// partsFn finds the pairs of a part, or of two.
type partsFn struct {
	Search Search
	tables *blocks.Tables
}

func (f *partsFn) Setup() (err error) {
	f.tables, err = f.Search.Tables()
	return err
}

func (f *partsFn) ProcessElement(ctx context.Context, key []byte, values func(*Part) bool, pairs func(Pair)) (err error) {
	defer mark(&err)
	table, err := f.tables.Table(key)
	if err != nil {
		return err
	}
	var sides [2]side
	for p := (Part{}); values(&p); {
		sides[truths(p.Second)].add(p.Of)
	}
	if len(sides[1].positions) == 0 {
		return compare(ctx, f.tables, table, &sides[0], nil, pairs)
	}
	return compare(ctx, f.tables, table, &sides[0], &sides[1], pairs)
}

// side is fingerprints that are compared with each other or with those of another side.
type side struct {
	positions []Position
	words     []uint64
}

func (s *side) add(f Fingerprint) {
	s.positions = append(s.positions, f.Position)
	s.words = append(s.words, f.Words...)
}

func (s *side) at(i int) Fingerprint {
	words := len(s.words) / len(s.positions)
	return Fingerprint{s.positions[i], s.words[i*words : (i+1)*words]}
}

// compare finds the pairs of a side, or of two, that are for the table to report.
func compare(ctx context.Context, tables *blocks.Tables, table int, a, b *side, emit func(Pair)) error {
	found := tables.Pairs(ctx, table, a.words)
	second := a
	if b != nil {
		found, second = tables.PairsBetween(ctx, table, a.words, b.words), b
	}
	n := int64(0)
	for p, err := range found {
		if err != nil {
			return err
		}
		x, y := a.positions[p.A], second.positions[p.B]
		emit(Pair{A: min(x, y), B: max(x, y), Distance: int64(p.Distance)})
		n++
	}
	pairCount.Inc(ctx, n)
	blockPairs.Update(ctx, n)
	return nil
}

// near returns all pairs among distinct fingerprints.
func near(s beam.Scope, fingerprints beam.PCollection, search Search) beam.PCollection {
	s = s.Scope("near")
	byKey := beam.GroupByKey(s, beam.ParDo(s, &blocksFn{Search: search}, fingerprints))
	pairs, parts := beam.ParDo2(s, &pairsFn{Search: search}, byKey)
	s = s.Scope("hot blocks")
	return beam.Flatten(s, pairs, beam.ParDo(s, &partsFn{Search: search}, beam.GroupByKey(s, parts)))
}
