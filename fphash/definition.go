package fphash

import "bytes"

// definition is everything that decides which fingerprint a vector has. It does not change, so Sketchers and Accumulators share it.
type definition struct {
	family   Family
	hash     Hash
	bytes    ByteHash // hash, where the encoding needs it
	encoding Encoding
	order    Order
	tie      Tie
	key      Key

	bits      int    // of a fingerprint
	words     int    // of a fingerprint
	lastMask  uint64 // the bits of the last word that belong to the fingerprint
	codeWords int    // of a code

	call     kernelCall // how hash is called
	callSeed uint64
}

func newDefinition(c config) (*definition, error) {
	h, err := c.family.build(c.key)
	if err != nil {
		return nil, err
	}
	d := &definition{
		family: c.family, hash: h, encoding: c.encoding, order: c.order, tie: c.tie, key: c.key,
		bits: c.bits, words: wordsFor(c.bits), lastMask: lastWordMask(c.bits), codeWords: c.family.Words(),
	}
	d.call, d.callSeed = kernelOf(h)
	if c.encoding == Dec {
		var ok bool
		if d.bytes, ok = h.(ByteHash); !ok {
			return nil, errNoBytes(c.family.Name)
		}
	}
	return d, nil
}

// differs names the first thing by which lanes of d and e mean something else; it is empty if they can be added. The tie rule does not matter: it is
// applied when a fingerprint is read.
func (d *definition) differs(e *definition) string {
	switch {
	case d == e:
		return ""
	case d.family.Name != e.family.Name || d.family.Bits != e.family.Bits:
		return "hash"
	case d.encoding != e.encoding:
		return "encoding"
	case d.bits != e.bits:
		return "width"
	case d.order != e.order:
		return "order of summation"
	case d.key.Seed != e.key.Seed:
		return "seed"
	case !bytes.Equal(d.key.Bytes, e.key.Bytes):
		return "key"
	}
	return ""
}
