package hamming

import (
	"fmt"
	"math/bits"
	"slices"

	"simhashkit/asm/cpu"
)

// Planes holds fingerprints as bit planes, in blocks of 512 fingerprints: plane j of a block has
// bit j of each of its fingerprints. A scan counts the planes in which fingerprints differ from the
// query, 512 fingerprints at a time. It leaves a block as soon as all of its fingerprints differ in
// more than k bits. For random fingerprints and k = 3, that is after about 24 planes, whatever the
// width.
type Planes struct {
	bits, n int
	planes  []uint64 // block by block, and within a block plane by plane, 8 words each
}

const (
	lanesOfBlock = 512
	wordsOfPlane = lanesOfBlock / 64
	mostPlanes   = 256
)

// NewPlanes returns an empty Planes for fingerprints of that width. It panics unless bits is 64,
// 128, 192 or 256.
func NewPlanes(bits int) *Planes {
	if bits <= 0 || bits > mostPlanes || bits%64 != 0 {
		panic(fmt.Sprintf("hamming: planes of %d bits, expected 64, 128, 192 or 256", bits))
	}
	return &Planes{bits: bits}
}

// Grow makes room for exactly n more fingerprints. Append alone would allocate more than that.
func (p *Planes) Grow(n int) {
	blocks := (p.n+n+lanesOfBlock-1)/lanesOfBlock - (p.n+lanesOfBlock-1)/lanesOfBlock
	p.planes = slices.Grow(p.planes, blocks*p.bits*wordsOfPlane)
}

// Append appends fingerprints, which lie one after the other. It panics if the number of words is
// not a multiple of the words of a fingerprint. Cost: about a nanosecond for each bit that is set.
func (p *Planes) Append(fingerprints ...uint64) {
	words := p.bits / 64
	if len(fingerprints)%words != 0 {
		panic(fmt.Sprintf("hamming: %d words are no whole number of fingerprints of %d words", len(fingerprints), words))
	}
	for ; len(fingerprints) > 0; fingerprints = fingerprints[words:] {
		lane := p.n % lanesOfBlock
		if lane == 0 {
			p.planes = append(p.planes, make([]uint64, p.bits*wordsOfPlane)...)
		}
		block := p.planes[len(p.planes)-p.bits*wordsOfPlane:]
		for i, word := range fingerprints[:words] {
			for ; word != 0; word &= word - 1 {
				plane := i*64 + bits.TrailingZeros64(word)
				block[plane*wordsOfPlane+lane/64] |= 1 << (lane % 64)
			}
		}
		p.n++
	}
}

// Len returns the number of fingerprints.
func (p *Planes) Len() int { return p.n }

// At appends the words of the fingerprint at position i to dst. It panics if there is no such
// fingerprint.
func (p *Planes) At(dst []uint64, i int) []uint64 {
	if i < 0 || i >= p.n {
		panic(fmt.Sprintf("hamming: fingerprint %d of %d", i, p.n))
	}
	block := p.planes[i/lanesOfBlock*p.bits*wordsOfPlane:]
	lane := i % lanesOfBlock
	for from := 0; from < p.bits; from += 64 {
		var word uint64
		for j := range 64 {
			word |= block[(from+j)*wordsOfPlane+lane/64] >> (lane % 64) & 1 << j
		}
		dst = append(dst, word)
	}
	return dst
}

// AppendWithin appends to dst a Match for every fingerprint that differs from the query in at most
// k bits, in ascending order of Index. The function AppendWithin gives the same matches for the
// same fingerprints. It panics if the query has a different width. Cost: see Planes.
func (p *Planes) AppendWithin(dst []Match, query []uint64, k int) []Match {
	return p.scan(cpu.Active(), dst, query, k)
}

// PlanesKernel is one implementation of Planes.AppendWithin.
type PlanesKernel struct {
	cpu.Kernel
	AppendWithin func(dst []Match, p *Planes, query []uint64, k int) []Match
}

// PlanesKernels returns the implementations of Planes.AppendWithin, fastest first, generic last.
func PlanesKernels() (list []PlanesKernel) {
	for _, k := range planesKernels {
		list = append(list, PlanesKernel{k, func(dst []Match, p *Planes, query []uint64, limit int) []Match {
			return p.scan(k.Usable(), dst, query, limit)
		}})
	}
	return list
}

// blocksWithinGeneric returns the number of the first block with a match, or the number of blocks
// if there is none. It counts, for each fingerprint, the planes that differ from their signs. A
// counter begins at start, and a fingerprint whose counter does not overflow is a match. For the
// returned block, counts has a bit for each fingerprint, which is 1 if its counter overflows,
// followed by the planes of the counters.
func blocksWithinGeneric(counts *planeCounts, planes, signs, start []uint64) (block int) {
	for size := len(signs) * wordsOfPlane; len(planes) > 0; planes = planes[size:] {
		all := ^uint64(0)
		for i := range wordsOfPlane {
			if len(start) == 2 {
				countFew(counts, planes[i:], signs, start, i)
			} else {
				countMany(counts, planes[i:], signs, start, i)
			}
			all &= counts[0][i]
		}
		if all != 1<<64-1 {
			break
		}
		block++
	}
	return block
}

// countFew counts the differing planes of 64 fingerprints in counters of two bits. The planes are 8
// words apart. It adds four planes at a time, like the adders of the kernels.
func countFew(counts *planeCounts, planes, signs, start []uint64, i int) {
	low, high, over := start[0], start[1], uint64(0)
	for j := 0; j+4 <= len(signs); j += 4 {
		s, p := (*[4]uint64)(signs[j:]), (*[3*wordsOfPlane + 1]uint64)(planes[j*wordsOfPlane:])
		a, b, c, d := p[0]^s[0], p[wordsOfPlane]^s[1], p[2*wordsOfPlane]^s[2], p[3*wordsOfPlane]^s[3]
		first := low&a | (low^a)&b
		low ^= a ^ b
		second := low&c | (low^c)&d
		low ^= c ^ d
		over |= high&first | (high^first)&second
		high ^= first ^ second
		if over == 1<<64-1 {
			break
		}
	}
	counts[0][i], counts[1][i], counts[2][i] = over, low, high
}

// countMany is countFew with counters of any number of bits.
func countMany(counts *planeCounts, planes, signs, start []uint64, i int) {
	var count [8]uint64
	n := copy(count[:], start)
	over := uint64(0)
	for j, sign := range signs {
		carry := planes[j*wordsOfPlane] ^ sign
		for b := range count[:n] {
			count[b], carry = count[b]^carry, count[b]&carry
		}
		if over |= carry; over == 1<<64-1 {
			break
		}
	}
	counts[0][i] = over
	for b, c := range count[:n] {
		counts[1+b][i] = c
	}
}

// planeCounts holds the counters of a block, bit-sliced. The first plane says which counters have
// overflowed.
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

func (p *Planes) appendAll(dst []Match, query []uint64) []Match {
	var buffer [mostPlanes / 64]uint64
	for i := range p.n {
		dst = append(dst, Match{i, Distance(p.At(buffer[:0], i), query)})
	}
	return dst
}

// counterStart is the initial value of counters with that many bits.
type counterStart struct{ bits, value int }

// startOf returns the initial value with which counters overflow as soon as they have counted more
// than k, and the same value as planes.
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

// appendBlock appends the fingerprints of a block whose counters have not overflowed. After the
// last block, it appends none.
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
