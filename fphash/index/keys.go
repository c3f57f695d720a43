package index

import "fmt"

// Keys returns a mask for each of the tables that find every match within k, in order, with ones
// for the bits of its key: two fingerprints of that many bits within k have the same bits there in
// at least one of them. Of designs with Errors, whose keys may differ, there is none.
func (d Design) Keys(bits, k int) ([][]uint64, error) {
	if err := d.check(bits); err != nil {
		return nil, err
	}
	if d.Errors > 0 {
		return nil, fmt.Errorf("index: keys with %d errors, expected keys that are the same or not", d.Errors)
	}
	if k < 0 || k > d.MaxK() {
		return nil, fmt.Errorf("%w: %d, expected 0 to %d, the largest of %s", ErrDistance, k, d.MaxK(), d)
	}
	tables, _ := d.reach(k)
	masks := make([][]uint64, tables)
	for i, key := range d.keys(bits)[:tables] {
		masks[i] = keyMask(key, (bits+63)/64)
	}
	return masks, nil
}

// span is a run of bits of a fingerprint.
type span struct{ from, width int }

// keys returns the keys of all tables, each as the blocks that it is made of. Choices of the first
// blocks come first, such that a smaller distance needs the first tables only.
func (d Design) keys(width int) (keys [][]span) {
	blocks := cut([]span{{0, width}}, d.Blocks)
	for _, chosen := range choices(d.Blocks, d.Choose) {
		key := make([]span, len(chosen))
		for i, b := range chosen {
			key[i] = blocks[b][0]
		}
		if d.Rest == 0 {
			keys = append(keys, key)
			continue
		}
		for _, more := range cut(outside(key, width), d.Rest) {
			keys = append(keys, append(key[:len(key):len(key)], more...))
		}
	}
	return keys
}

// cut cuts the bits of the spans, one span after the other, into n blocks of equal width, the first
// of them one bit wider if need be. A block is several spans where it reaches into the next.
func cut(spans []span, n int) [][]span {
	total := 0
	for _, s := range spans {
		total += s.width
	}
	blocks, at, used := make([][]span, n), 0, 0
	for i := range blocks {
		width := total / n
		if i < total%n {
			width++
		}
		for width > 0 {
			take := min(width, spans[at].width-used)
			blocks[i] = append(blocks[i], span{spans[at].from + used, take})
			width, used = width-take, used+take
			if used == spans[at].width {
				at, used = at+1, 0
			}
		}
	}
	return blocks
}

// outside returns the bits that are in none of the spans, from the end of the first of them on and
// round to its beginning.
func outside(spans []span, width int) (rest []span) {
	inside := make([]bool, width)
	for _, s := range spans {
		for j := range s.width {
			inside[s.from+j] = true
		}
	}
	start := spans[0].from + spans[0].width
	for i := range width {
		j := (start + i) % width
		switch last := len(rest) - 1; {
		case inside[j]:
		case last >= 0 && rest[last].from+rest[last].width == j:
			rest[last].width++
		default:
			rest = append(rest, span{j, 1})
		}
	}
	return rest
}

// choices returns all choices of k of the numbers below n, each ascending, in ascending order of
// their largest number, then of the second largest and so on.
func choices(n, k int) (all [][]int) {
	if k == 0 {
		return [][]int{nil}
	}
	for last := k - 1; last < n; last++ {
		for _, c := range choices(last, k-1) {
			all = append(all, append(c[:len(c):len(c)], last))
		}
	}
	return all
}

// keyMask has a 1 for every bit of the spans.
func keyMask(key []span, words int) []uint64 {
	mask := make([]uint64, words)
	for _, s := range key {
		for j := s.from; j < s.from+s.width; j++ {
			mask[j/64] |= 1 << (j % 64)
		}
	}
	return mask
}
