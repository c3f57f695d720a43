package similarity

import (
	"context"
	"math/bits"
)

// subsequence finds longest common subsequences, with 64 words of a text at a time.
//
// Row j of the classic table has the lengths for the first j words of b and each prefix of a.
// Adjacent values differ by 0 or 1. Bit i of rows is 0 if the length for i+1 words of a is one more
// than for i words. So the length for the first i words is the number of zeros below bit i, and the
// next word of b needs only one long addition. The bits of words without a match so far are 1.
//
// Blocks without matches and carry do not change, so a word that is rare in a takes only a few
// steps.
type subsequence struct {
	rows      []uint64
	starts    []uint32 // by id: index of its first position; the last element is len(positions)
	next      []uint32 // by id: index of its first position not left of the band
	positions []uint32 // positions in a, sorted by id, then position
	dense     []int32  // by id: number of its part of matches, or -1
	matches   []uint64 // matches of the most frequent ids, with a bit for each word of a
}

// narrowest is the half-width of the first band that find tries.
const narrowest = 512

// find returns the length of the longest common subsequence of two texts, given as ids of words, or
// -1 if it is less than need.
//
// The matches of a subsequence of length l lie within max(|a|, |b|) - l words of the diagonal. If
// the texts are similar throughout, a narrow band quickly finds a long subsequence. Its length
// limits the band to search for a longer one.
func (f *subsequence) find(ctx context.Context, a, b []uint32, ids, need int) (int, error) {
	if need > min(len(a), len(b)) {
		return -1, nil
	}
	if len(a) == 0 || len(b) == 0 {
		return 0, nil
	}
	f.index(a, ids)
	longest := max(len(a), len(b))
	for width := narrowest; width < (longest-need)/8; width *= 8 {
		length, err := f.search(ctx, len(a), b, need, width)
		if err != nil {
			return 0, err
		}
		if length >= 0 {
			need = length
			break
		}
	}
	return f.search(ctx, len(a), b, need, longest)
}

// index computes the positions of each id in a.
func (f *subsequence) index(a []uint32, ids int) {
	f.starts = resize(f.starts, ids+1)
	clear(f.starts)
	for _, id := range a {
		f.starts[id+1]++
	}
	for id := range ids {
		f.starts[id+1] += f.starts[id]
	}
	f.next = append(f.next[:0], f.starts...)
	f.positions = resize(f.positions, len(a))
	for i, id := range a {
		f.positions[f.next[id]] = uint32(i)
		f.next[id]++
	}
	// Fewer than 64 ids occur in a more often than it has blocks.
	blocks := (len(a) + 63) / 64
	f.dense = resize(f.dense, ids)
	f.matches = f.matches[:0]
	for id := range ids {
		f.dense[id] = -1
		list := f.positions[f.starts[id]:f.starts[id+1]]
		if len(list) <= blocks {
			continue
		}
		from := len(f.matches)
		f.matches = append(f.matches, make([]uint64, blocks)...)
		f.dense[id] = int32(from / blocks)
		for _, i := range list {
			f.matches[from+int(i/64)] |= 1 << (i % 64)
		}
	}
	f.rows = resize(f.rows, blocks)
}

// search returns the length of the longest common subsequence whose matches lie within width words
// of the line between the corners of the table, or -1 if it is less than need.
//
// Only the blocks from first to last can contain matches of a subsequence of length need. After
// each 64 words of b, blocks on the left are dropped if too few words of b remain to reach need
// from them. Blocks on the right are added if they can be reached without skipping too many words
// of a.
func (f *subsequence) search(ctx context.Context, size int, b []uint32, need, width int) (int, error) {
	for i := range f.rows {
		f.rows[i] = ^uint64(0)
	}
	copy(f.next, f.starts)
	first, last := 0, -1
	left := 0 // length of the subsequence in the blocks before first
	for j := 0; ; {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		length := left
		for _, row := range f.rows[first : last+1] {
			length += bits.OnesCount64(^row)
		}
		rest := len(b) - j
		switch {
		case length+rest < need:
			return -1, nil
		case rest == 0:
			return length, nil
		}
		middle := int(int64(j) * int64(size) / int64(len(b)))
		for first <= last {
			inBlock := bits.OnesCount64(^f.rows[first])
			if left+inBlock+rest >= need && 64*(first+1) > middle-width {
				break
			}
			left += inBlock
			first++
		}
		reach := min(size-need+length+63, middle+width, size-1)
		last = max(last, reach/64)
		until := min(j+64, len(b))
		for _, id := range b[j:until] {
			if at := f.dense[id]; at >= 0 {
				from := int(at) * len(f.rows)
				addDense(f.rows[first:last+1], f.matches[from+first:from+last+1])
				continue
			}
			end := f.starts[id+1]
			for f.next[id] < end && int(f.positions[f.next[id]]) < 64*first {
				f.next[id]++
			}
			addSparse(f.rows[:last+1], f.positions[f.next[id]:end])
		}
		j = until
	}
}

// addDense processes a word of b that matches a where matches has ones. The unrolled loop keeps the
// carry in the processor's flag.
func addDense(rows, matches []uint64) {
	carry := uint64(0)
	for ; len(rows) >= 4 && len(matches) >= 4; rows, matches = rows[4:], matches[4:] {
		r0, r1, r2, r3 := rows[0], rows[1], rows[2], rows[3]
		m0, m1, m2, m3 := matches[0], matches[1], matches[2], matches[3]
		var s0, s1, s2, s3 uint64
		s0, carry = bits.Add64(r0, r0&m0, carry)
		s1, carry = bits.Add64(r1, r1&m1, carry)
		s2, carry = bits.Add64(r2, r2&m2, carry)
		s3, carry = bits.Add64(r3, r3&m3, carry)
		rows[0], rows[1], rows[2], rows[3] = s0|r0&^m0, s1|r1&^m1, s2|r2&^m2, s3|r3&^m3
	}
	for i, row := range rows {
		var sum uint64
		sum, carry = bits.Add64(row, row&matches[i], carry)
		rows[i] = sum | row&^matches[i]
	}
}

// addSparse processes a word of b that matches a at the given positions.
func addSparse(rows []uint64, positions []uint32) {
	block, carry := 0, uint64(0)
	for len(positions) > 0 || carry != 0 {
		if carry == 0 {
			block = int(positions[0] / 64)
		}
		if block >= len(rows) {
			return
		}
		matches := uint64(0)
		for len(positions) > 0 && int(positions[0]/64) == block {
			matches |= 1 << (positions[0] % 64)
			positions = positions[1:]
		}
		var sum uint64
		row := rows[block]
		sum, carry = bits.Add64(row, row&matches, carry)
		rows[block] = sum | row&^matches
		block++
	}
}
