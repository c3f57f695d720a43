package index

import (
	"math/bits"
	"slices"

	"simhashkit/internal/binomial"
)

// ball asks a hash set of the fingerprints for everything within k bits of the query: 43,745
// fingerprints of 64 bits at k = 3. It is there to be measured, since the literature weighs it.
type ball struct {
	scan  *scan
	heads []uint32 // by hash: 1 + the position of the last fingerprint there, 0 if there is none
	next  []uint32 // by position: the same of the one before it
	loose []uint32 // positions with unsure bits, which are in no chain
}

// mostNeighbours is how many fingerprints a query asks for at most: all within 4 bits of 64.
const mostNeighbours = 1 << 20

func newBall(set *Set) *ball {
	n, w := set.Len(), set.Stride()
	b := &ball{scan: newScan(set), heads: make([]uint32, ballHeads(n)), next: make([]uint32, n)}
	b.loose = make([]uint32, 0, looseInBall(set))
	for i := range n {
		if set.Masks != nil && onesCount(set.Masks[i*w:i*w+w]) > 0 {
			b.loose = append(b.loose, uint32(i))
			continue
		}
		h := b.hash(set.At(i))
		b.next[i], b.heads[h] = b.heads[h], uint32(i+1)
	}
	return b
}

// ballHeads returns how many chains there are for n fingerprints.
func ballHeads(n int) int { return 1 << bits.Len(uint(n)) }

// looseInBall returns how many fingerprints are in no chain.
func looseInBall(set *Set) (n int) {
	for from, w := 0, set.Stride(); from < len(set.Masks); from += w {
		n += min(onesCount(set.Masks[from:from+w]), 1)
	}
	return n
}

// ballBytes returns what a ball of a set needs.
func ballBytes(set *Set) int64 { return 4 * int64(ballHeads(set.Len())+set.Len()+looseInBall(set)) }

func (b *ball) Name() string { return "ball" }
func (b *ball) Set() *Set    { return b.scan.set }
func (b *ball) Bytes() int64 { return ballBytes(b.scan.set) }

func (b *ball) MaxK() int {
	k := 0
	for k < b.scan.set.Bits && binomial.Ball(b.scan.set.Bits, k+1) <= mostNeighbours {
		k++
	}
	return k
}

// hash returns where the chain of a fingerprint begins.
func (b *ball) hash(words []uint64) uint64 {
	h := uint64(0)
	for _, w := range words {
		h = (h ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h * 0xd6e8feb86659fd93 >> 32 & uint64(len(b.heads)-1)
}

func (b *ball) AppendWithin(dst []Match, query Query, k int) ([]Match, error) {
	queries := [1]Query{query}
	if err := checkAll(b, queries[:], k); err != nil {
		return dst, err
	}
	r := results{one: dst}
	b.answer(&r, queries[:], k)
	sortMatches(r.one[len(dst):])
	return r.one, nil
}

func (b *ball) AppendWithinBatch(dst []QueryMatch, queries []Query, k int) ([]QueryMatch, error) {
	if err := checkAll(b, queries, k); err != nil {
		return dst, err
	}
	r := results{each: dst, many: true}
	b.answer(&r, queries, k)
	sortQueryMatches(r.each[len(dst):])
	return r.each, nil
}

func (b *ball) answer(r *results, queries []Query, k int) {
	width := b.scan.set.Bits
	for i := range queries {
		q := &queries[i]
		unsure := q.unsure()
		if binomial.Ball(width-unsure, k)*float64(uint64(1)<<min(unsure, 63)) > mostNeighbours {
			b.scan.one(r, i, q, k)
			continue
		}
		b.neighbours(r, i, q, slices.Clone(q.Words), 0, k)
		for _, position := range b.loose {
			r.offer(b.scan.set, i, q, int(position), k)
		}
	}
}

// neighbours adds the fingerprints that are equal to the given words, or are when bits from the
// given one on are changed: all unsure ones, and up to so many others.
func (b *ball) neighbours(r *results, i int, q *Query, words []uint64, bit, left int) {
	b.equal(r, i, q, words)
	for ; bit < b.scan.set.Bits; bit++ {
		w, one := bit/64, uint64(1)<<(bit%64)
		less := 1
		if q.Mask != nil && q.Mask[w]&one != 0 {
			less = 0
		}
		if left >= less {
			words[w] ^= one
			b.neighbours(r, i, q, words, bit+1, left-less)
			words[w] ^= one
		}
	}
}

// equal adds the fingerprints that are equal to the words.
func (b *ball) equal(r *results, query int, q *Query, words []uint64) {
	set := b.scan.set
	for at := b.heads[b.hash(words)]; at != 0; at = b.next[at-1] {
		if i := int(at - 1); slices.Equal(set.At(i), words) && q.allows(set.ID(i)) {
			r.add(query, Match{set.ID(i), i, set.distanceTo(q, i)})
		}
	}
}
