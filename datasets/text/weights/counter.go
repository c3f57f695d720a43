package weights

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// counter counts the features of one document after the other, without allocating once it is warm.
type counter struct {
	seed  maphash.Seed
	slots []uint32 // numbers of terms + 1, 0 where there is none; at most half of them are taken
	terms []term   // in the order of their first occurrence
	order []place
}

// term is a feature of the document and how often it occurs.
type term struct {
	feature []byte
	hash    uint64
	count   int
}

// place is a term with the first bytes of its feature, most significant first, which settle nearly
// all comparisons.
type place struct {
	prefix uint64
	term   uint32
}

func newCounter() counter { return counter{seed: maphash.MakeSeed()} }

// count counts further features. The terms refer to their memory.
func (c *counter) count(features [][]byte) {
	if size := slotsFor(len(c.terms) + len(features)); size > len(c.slots) {
		c.slots = make([]uint32, size)
		mask := uint64(size - 1)
		for i := range c.terms {
			at := c.terms[i].hash & mask
			for c.slots[at] != 0 {
				at = (at + 1) & mask
			}
			c.slots[at] = uint32(i + 1)
		}
	}
	for _, feature := range features {
		c.terms[c.number(feature)].count++
	}
}

// slotsFor returns how many slots so many features take.
func slotsFor(features int) int {
	size := 16
	for size < 2*features {
		size *= 2
	}
	return size
}

// reset makes room for so many features.
func (c *counter) reset(features int) {
	size := slotsFor(features)
	if size > cap(c.slots) {
		c.slots = make([]uint32, size)
	}
	c.slots = c.slots[:size] // after a long document, a short one clears but its own part
	clear(c.slots)
	c.terms = c.terms[:0]
}

// number returns the place of a feature among the terms, where it is added if it is new.
func (c *counter) number(feature []byte) uint32 {
	hash := maphash.Bytes(c.seed, feature)
	mask := uint64(len(c.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := c.slots[at]
		if slot == 0 {
			c.terms = append(c.terms, term{feature: feature, hash: hash})
			c.slots[at] = uint32(len(c.terms))
			return uint32(len(c.terms) - 1)
		}
		if t := &c.terms[slot-1]; t.hash == hash && bytes.Equal(t.feature, feature) {
			return slot - 1
		}
	}
}

// ascending returns the terms in ascending order of their features' bytes. It is valid until the
// next call.
func (c *counter) ascending() []place {
	c.order = c.order[:0]
	for i := range c.terms {
		c.order = append(c.order, place{prefix(c.terms[i].feature), uint32(i)})
	}
	slices.SortFunc(c.order, func(a, b place) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return bytes.Compare(c.terms[a.term].feature, c.terms[b.term].feature)
	})
	return c.order
}

func prefix(feature []byte) uint64 {
	if len(feature) >= 8 {
		return binary.BigEndian.Uint64(feature)
	}
	var padded [8]byte
	copy(padded[:], feature)
	return binary.BigEndian.Uint64(padded[:])
}
