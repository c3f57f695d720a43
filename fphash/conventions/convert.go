package conventions

import (
	"bytes"
	"cmp"
	"fmt"

	"simhashkit/fphash"
)

// Conversion converts fingerprints of one Convention to another, without the features.
type Conversion struct {
	from, to Convention
	places   []int // the bit of the old fingerprint for each bit of the new one; -1: always 0
	invert   bool
}

// NewConversion returns the conversion if it is exact, that is, if the conventions differ only in
// the order and number of bits and in inversion. Otherwise the error says what cannot be undone.
func NewConversion(from, to Convention) (*Conversion, error) {
	fromFamily, err := from.family()
	if err != nil {
		return nil, err
	}
	toFamily, err := to.family()
	if err != nil {
		return nil, err
	}
	if reason := obstacle(from, to); reason != "" {
		return nil, fmt.Errorf("conventions: fingerprints of %s cannot become those of %s: %s", from.Name, to.Name, reason)
	}
	place := map[int]int{} // by the bit of the code
	for j := range from.FingerprintBits() {
		if bit := from.codeBit(fromFamily, j); bit < from.votedBits(fromFamily) {
			place[bit] = j
		}
	}
	c := &Conversion{from: from, to: to, invert: from.Inverted != to.Inverted, places: make([]int, to.FingerprintBits())}
	for j := range c.places {
		bit := to.codeBit(toFamily, j)
		at, ok := place[bit]
		if bit >= to.votedBits(toFamily) { // padding of the last byte
			at, ok = -1, true
		}
		if !ok {
			return nil, fmt.Errorf("conventions: fingerprints of %s cannot become those of %s: they lack bits that those have", from.Name, to.Name)
		}
		c.places[j] = at
	}
	return c, nil
}

// codeBit returns the bit of the code from which bit j of the fingerprint is made. The bits of a
// digest are counted from the first byte's least significant bit.
func (c Convention) codeBit(f fphash.Family, j int) int {
	last := 0
	switch c.BitOrder {
	case numberOrder:
		return j
	case lastBytes:
		last = f.Bits/8 - 1
	case firstBytes:
		last = c.FingerprintBits()/8 - 1
	}
	return 8*(last-j/8) + j%8
}

// obstacle says why a conversion is not exact. It returns "" if the conversion is exact.
func obstacle(from, to Convention) string {
	tie := from.Tie
	if from.Inverted != to.Inverted {
		if tie == fphash.TieAlternate {
			return "ties that alternate do so otherwise once they are inverted"
		}
		tie = fphash.TieOne - tie
	}
	switch {
	case from.Hash != to.Hash:
		return fmt.Sprintf("the hashes differ (%s, %s), so no bit of one says anything about the other; the features are needed again", from.Hash, to.Hash)
	case !bytes.Equal(bytes.TrimRight(from.Key, "\x00"), bytes.TrimRight(to.Key, "\x00")):
		return "the keys of the hash differ; the features are needed again"
	case from.Framing != to.Framing || from.Encoding != to.Encoding:
		return fmt.Sprintf("the bytes that are hashed differ (%v, %v); the features are needed again", from.bytesHashed(), to.bytesHashed())
	case (from.Weights == Python) != (to.Weights == Python):
		return fmt.Sprintf("the votes differ (weights %v, %v)", from.Weights, to.Weights)
	case tie != to.Tie:
		return fmt.Sprintf("bits whose votes were equal have been decided, and nothing says which they were (ties give %v, and would give %v)", tie, to.Tie)
	case from.Weights != to.Weights && from.Weights != Unweighted:
		return fmt.Sprintf("the weights differ (%v, %v)", from.Weights, to.Weights)
	case from.Empty != to.Empty && (from.Empty == emptyZero || to.Empty == emptyZero) && to.Tie != fphash.TieZero:
		return "no features give another fingerprint, and nothing says which these were"
	case from.Order != to.Order && (from.Weights == Float64 || from.Weights == Python):
		return fmt.Sprintf("weights were summed in another order (%v, %v)", from.Order, to.Order)
	}
	return ""
}

// bytesHashed describes which bytes of a feature are hashed.
func (c Convention) bytesHashed() string {
	return cmp.Or(c.Framing, "plain") + " with indices as " + c.Encoding.String()
}

// Append appends the given fingerprint, converted to the new convention.
func (c *Conversion) Append(dst, fingerprint []uint64) ([]uint64, error) {
	if want := (c.from.FingerprintBits() + 63) / 64; len(fingerprint) != want {
		return dst, fmt.Errorf("conventions: a fingerprint of %d words, expected %d for %s", len(fingerprint), want, c.from.Name)
	}
	at := len(dst)
	dst = append(dst, make([]uint64, (len(c.places)+63)/64)...)
	for j, place := range c.places {
		if place < 0 {
			continue
		}
		bit := fingerprint[place/64] >> (place % 64) & 1
		if c.invert {
			bit ^= 1
		}
		dst[at+j/64] |= bit << (j % 64)
	}
	return dst, nil
}
