package text

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// numberer numbers the repeats of features: the second "the" of a text becomes "the 2". It counts
// features by their XXH64, in a hash table with linear probing.
type numberer struct {
	slots   []numbered // a power of two, at least half of them free
	used    int
	feature []byte // buffer for a numbered feature
}

type numbered struct {
	code  uint64
	count uint64 // 0: the slot is free
}

// fewestNumbered is the initial number of slots of a table.
const fewestNumbered = 1 << 6

// begin prepares for a batch with the given number of features. Before the first batch of a text,
// it forgets the features of the previous text.
func (n *numberer) begin(first bool, features int) {
	if !first {
		return
	}
	size := max(fewestNumbered, 1<<bits.Len(uint(2*features)))
	n.slots = slices.Grow(n.slots[:0], size)[:size]
	clear(n.slots)
	n.used = 0
}

// next returns the occurrence number of the next feature, given by its code: 1 for the first.
func (n *numberer) next(code uint64) uint64 {
	slot := n.slot(code)
	if slot.count == 0 {
		if 2*(n.used+1) > len(n.slots) {
			n.grow()
			slot = n.slot(code)
		}
		n.used++
		slot.code = code
	}
	slot.count++
	return slot.count
}

// slot returns the slot of a feature, or a free slot for it.
func (n *numberer) slot(code uint64) *numbered {
	mask := uint64(len(n.slots) - 1)
	for i := code & mask; ; i = (i + 1) & mask {
		if s := &n.slots[i]; s.count == 0 || s.code == code {
			return s
		}
	}
}

func (n *numberer) grow() {
	before := n.slots
	n.slots = make([]numbered, 2*len(before))
	for _, s := range before {
		if s.count > 0 {
			*n.slot(s.code) = s
		}
	}
}

// appendNumber appends a feature with its occurrence number.
func appendNumber(dst, feature []byte, occurrence uint64) []byte {
	return strconv.AppendUint(append(append(dst, feature...), ' '), occurrence, 10)
}

// numberCodes replaces the codes of repeated features by those of the numbered features. The
// features are the spans of the text.
func (n *numberer) numberCodes(codes []uint64, text []byte, spans []span) {
	for i, code := range codes {
		if occurrence := n.next(code); occurrence > 1 {
			n.feature = appendNumber(n.feature[:0], text[spans[i].From:spans[i].To], occurrence)
			codes[i] = xxhash.Sum64(n.feature)
		}
	}
}

// number replaces repeated features by numbered ones, whose bytes it allocates.
func (n *numberer) number(features [][]byte) {
	for i, feature := range features {
		if occurrence := n.next(xxhash.Sum64(feature)); occurrence > 1 {
			features[i] = appendNumber(nil, feature, occurrence)
		}
	}
}
