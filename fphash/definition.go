package fphash

// definition is everything that decides which fingerprint a vector has. It does not change, so
// Sketchers and Accumulators share it.
type definition struct {
	family   Family
	hash     Hash
	bytes    ByteHash // hash, if it takes byte strings
	widen    Widen    // WidenNone where the hash is wide enough
	encoding Encoding
	order    Order
	tie      Tie
	key      Key
	minhash  bool // else simhash

	bits      int    // of a fingerprint
	words     int    // of a fingerprint
	lastMask  uint64 // the bits of the last word that belong to the fingerprint
	codeWords int    // of a code
	// fingerprints and codes have one word, and indices of 64 bits enter the hash as they are
	plain bool
}

func newDefinition(c config) (*definition, error) {
	width := c.bits
	if c.sketch == MinHash {
		width = keyBits
		if err := checkMinHash(c.tie, c.order, c.widen); err != nil {
			return nil, err
		}
	}
	wide, err := c.family.Widen(c.widen, width)
	if err != nil {
		return nil, err
	}
	h, err := wide.build(c.key)
	if err != nil {
		return nil, err
	}
	d := &definition{
		family: c.family, hash: h, encoding: c.encoding, order: c.order, tie: c.tie, key: c.key, minhash: c.sketch == MinHash,
		bits: c.bits, words: wordsFor(c.bits), lastMask: lastWordMask(c.bits), codeWords: wide.Words(),
	}
	if width > c.family.Bits {
		d.widen = c.widen
	}
	d.plain = d.words == 1 && d.codeWords == 1 && d.encoding == LE64 && !d.minhash
	d.bytes, _ = h.(ByteHash)
	if c.encoding == Dec && d.bytes == nil {
		return nil, d.errNoBytes("encoding dec is")
	}
	return d, nil
}

// differs names the first thing by which lanes of d and e mean something else; it is empty if they
// can be added. The tie rule does not matter: it is applied when a fingerprint is read.
func (d *definition) differs(e *definition) string {
	switch {
	case d == e:
		return ""
	case d.family.Name != e.family.Name || d.family.Bits != e.family.Bits:
		return "hash"
	case d.minhash != e.minhash:
		return "sketch"
	case d.widen != e.widen:
		return "widening"
	case d.encoding != e.encoding:
		return "encoding"
	case d.bits != e.bits:
		return "width"
	case d.order != e.order:
		return "order of summation"
	case d.key.Seed != e.key.Seed:
		return "seed"
	case !sameKey(d.key.Bytes, e.key.Bytes):
		return "key"
	}
	return ""
}
