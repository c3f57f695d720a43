package hamming

import (
	"fmt"
	"math/bits"

	"simhashkit/asm/cpu"
)

// planeCounts are the counters of a block, bit-sliced: first whether they have overflown.
type planeCounts = [1 + 8][wordsOfPlane]uint64

func (p *Planes) scan(tier cpu.Tier, dst []Match, query []uint64, k int) []Match {
	if len(query)*64 != p.bits {
		panic(fmt.Sprintf("hamming: a query of %d words for planes of %d bits", len(query), p.bits))
	}
	switch {
	case k < 0:
		return dst
	case k >= p.bits:
		return p.appendAll(dst, query)
	}
	var signs [mostPlanes]uint64
	for i := range p.bits {
		signs[i] = -(query[i/64] >> (i % 64) & 1)
	}
	start, counters := startOf(k)
	var counts planeCounts
	size := p.bits * wordsOfPlane
	for block := 0; block*size < len(p.planes); block++ {
		block += blocksWithin(tier, &counts, p.planes[block*size:], signs[:p.bits], counters[:start.bits])
		dst = p.appendBlock(dst, block, &counts, start)
	}
	return dst
}

// appendAll appends all fingerprints.
func (p *Planes) appendAll(dst []Match, query []uint64) []Match {
	var buffer [mostPlanes / 64]uint64
	for i := range p.n {
		dst = append(dst, Match{i, Distance(p.At(buffer[:0], i), query)})
	}
	return dst
}

// counterStart is the value at which counters of that many bits begin.
type counterStart struct{ bits, value int }

// startOf returns where counters begin that overflow as soon as they have counted more than k, and
// the same as planes.
func startOf(k int) (start counterStart, counters [8]uint64) {
	start.bits = 8
	if k < 4 {
		start.bits = 2
	} else if k < 16 {
		start.bits = 4
	}
	start.value = 1<<start.bits - 1 - k
	for i := range start.bits {
		counters[i] = -uint64(start.value >> i & 1)
	}
	return start, counters
}

// appendBlock appends the fingerprints of a block whose counters have not overflown; there is none
// behind the last block.
func (p *Planes) appendBlock(dst []Match, block int, counts *planeCounts, start counterStart) []Match {
	left := p.n - block*lanesOfBlock
	for i := 0; i*64 < min(left, lanesOfBlock); i++ {
		within := ^counts[0][i]
		if left-i*64 < 64 {
			within &= 1<<(left-i*64) - 1
		}
		for ; within != 0; within &= within - 1 {
			lane, count := bits.TrailingZeros64(within), -start.value
			for b := range start.bits {
				count += int(counts[1+b][i]>>lane&1) << b
			}
			dst = append(dst, Match{block*lanesOfBlock + i*64 + lane, count})
		}
	}
	return dst
}
