package fphash

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// definition is everything that determines the fingerprint of a vector. It does not change, so
// Sketchers and Accumulators share it.
type definition struct {
	family   Family
	hash     Hash
	bytes    ByteHash // hash, if it takes byte strings
	widen    Widen    // WidenNone if the hash is wide enough
	encoding Encoding
	order    Order
	lanes    Lanes
	tie      Tie
	key      Key
	minhash  bool // true: MinHash; false: SimHash

	bits      int          // of the fingerprint
	words     int          // of the fingerprint
	lastMask  uint64       // the bits of the last word that belong to the fingerprint
	codeWords int          // of a code
	refused   reflect.Kind // the floating-point type that is not that of the lanes
	// plain says that fingerprints and codes have one word, and 64-bit indices are hashed
	// unchanged.
	plain bool
}

func newDefinition(c config) (*definition, error) {
	width := c.bits
	if c.sketch == MinHash {
		width = keyBits
		if err := checkMinHash(c.tie, c.order, c.lanes, c.widen); err != nil {
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
		family: c.family, hash: h, encoding: c.encoding, order: c.order, lanes: c.lanes, refused: c.lanes.refused(), tie: c.tie, key: c.key, minhash: c.sketch == MinHash,
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

// differs returns the first difference that makes the lanes of d and e incompatible, or "" if the
// lanes can be added. The tie rule does not matter, because it is applied when a fingerprint is
// read.
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
	case d.lanes != e.lanes:
		return "type of weights"
	case d.key.Seed != e.key.Seed:
		return "seed"
	case !sameKey(d.key.Bytes, e.key.Bytes):
		return "key"
	}
	return ""
}

// Definition is everything that determines the fingerprint of a vector: store it with the
// fingerprints. Two fingerprints can be compared if their definitions have the same String after
// ParseDefinition.
type Definition struct {
	Hash     string
	Encoding Encoding
	Bits     int
	Sketch   Sketch
	Widen    Widen // WidenNone if the hash is wide enough
	Tie      Tie
	Order    Order
	Lanes    Lanes
	Seed     uint64
	Key      []byte // the secret itself; nil for hashes without keys

	// Convention names the convention of another system with which package
	// conventions computed the fingerprints. It is "" for fingerprints of
	// this package.
	Convention string

	keyID string // fingerprint of a key that is not in the parsed text
}

// Definition returns the definition of the Sketcher. New(WithDefinition(d)) returns an equal one.
func (s *Sketcher) Definition() Definition {
	d := s.made()
	return Definition{
		Hash: d.family.Name, Encoding: d.encoding, Bits: d.bits, Sketch: d.sketchOf(), Widen: d.widen, Tie: d.tie, Order: d.order, Lanes: d.lanes, Seed: d.key.Seed, Key: slices.Clone(d.key.Bytes),
	}
}

// String returns the definition in one line, such as "xxh64,le64,64,tie=zero,order=grouped".
// ParseDefinition parses it. Instead of a key, String includes only the key's fingerprint,
// key#0123456789abcdef: the first 8 bytes of its SHA-256. It omits a key of zeros, which is the
// default. Full includes the key.
func (d Definition) String() string {
	text := d.withoutKey()
	if id := d.idOfKey(); id != "" {
		text += ",key#" + id
	}
	return text
}

// Full returns the same as String, but with the key itself, which is secret, in hexadecimal: key=….
func (d Definition) Full() string {
	if d.Key == nil {
		return d.String()
	}
	return d.withoutKey() + ",key=" + hex.EncodeToString(d.Key)
}

func (d Definition) withoutKey() string {
	text := fmt.Sprintf("%s,%v,%d", d.Hash, d.Encoding, d.Bits)
	if d.Widen != WidenNone {
		text += fmt.Sprintf(",widen=%v", d.Widen)
	}
	if d.Sketch == SimHash {
		text += fmt.Sprintf(",tie=%v,order=%v", d.Tie, d.Order)
		if d.Lanes != Float64 {
			text += fmt.Sprintf(",lanes=%v", d.Lanes)
		}
	} else {
		text += fmt.Sprintf(",sketch=%v", d.Sketch) // MinHash has no sums
	}
	if d.Seed != 0 {
		text += fmt.Sprintf(",seed=%d", d.Seed)
	}
	if d.Convention != "" {
		text += ",convention=" + d.Convention
	}
	return text
}

// idOfKey returns a fingerprint of the key that does not reveal it, or "" without a key.
func (d Definition) idOfKey() string {
	if isZeros(d.Key) {
		return d.keyID
	}
	return fingerprintOfKey(d.Key)
}

func fingerprintOfKey(key []byte) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:8])
}

// ParseDefinition parses the result of String or Full. The hash comes first, then the encoding and
// the number of bits. The other parts may come in any order; missing parts have their defaults.
// ParseDefinition does not check that the hash exists; New does. If the text has only the
// fingerprint of a key, you must also pass the key to New, with WithKey.
func ParseDefinition(text string) (d Definition, err error) {
	fail := func(err error) (Definition, error) {
		return Definition{}, fmt.Errorf("fphash: definition %.200q: %w", text, err)
	}
	parts := strings.Split(text, ",")
	if len(parts) < 3 || parts[0] == "" || strings.ContainsFunc(parts[0], badInName) {
		return fail(errors.New("expected HASH,ENCODING,BITS, as in xxh64,le64,64,tie=zero,order=grouped"))
	}
	d.Hash = parts[0]
	if err = d.Encoding.UnmarshalText([]byte(parts[1])); err != nil {
		return fail(err)
	}
	if d.Bits, err = strconv.Atoi(parts[2]); err != nil || d.Bits < 1 || d.Bits > MaxBits {
		return fail(fmt.Errorf("%q: expected a number of bits, 1 to %d", parts[2], MaxBits))
	}
	var seen []string
	for _, part := range parts[3:] {
		name, _, _ := strings.Cut(strings.Replace(part, "#", "=", 1), "=")
		if slices.Contains(seen, name) {
			return fail(fmt.Errorf("%s occurs twice", name))
		}
		seen = append(seen, name)
		if err := d.parsePart(part); err != nil {
			return fail(err)
		}
	}
	if d.Sketch == MinHash {
		if err := checkMinHash(d.Tie, d.Order, d.Lanes, d.Widen); err != nil {
			return fail(err)
		}
		if d.Convention != "" {
			return fail(fmt.Errorf("convention %s cannot be combined with MinHash", d.Convention))
		}
	}
	if d.Convention != "" && d.Lanes != Float64 {
		return fail(fmt.Errorf("lanes of %v, expected float64 with convention %s", d.Lanes, d.Convention))
	}
	return d, nil
}

func (d *Definition) parsePart(part string) (err error) {
	name, value, _ := strings.Cut(part, "=")
	id, isID := strings.CutPrefix(part, "key#")
	switch {
	case isID:
		if b, err := hex.DecodeString(id); err != nil || len(b) != 8 || strings.ToLower(id) != id {
			return fmt.Errorf("%q: expected key# and 16 hexadecimal digits", part)
		}
		d.keyID = id
	case name == "sketch":
		err = d.Sketch.UnmarshalText([]byte(value))
	case name == "widen":
		err = d.Widen.UnmarshalText([]byte(value))
	case name == "tie":
		err = d.Tie.UnmarshalText([]byte(value))
	case name == "order":
		err = d.Order.UnmarshalText([]byte(value))
	case name == "lanes":
		err = d.Lanes.UnmarshalText([]byte(value))
	case name == "seed":
		if d.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			return fmt.Errorf("%q: expected a number below 2^64", part)
		}
	case name == "key":
		if d.Key, err = hex.DecodeString(value); err != nil || len(d.Key) == 0 {
			return errors.New("key: expected hexadecimal digits")
		}
	case name == "convention":
		if d.Convention = value; value == "" || strings.ContainsFunc(value, badInName) {
			return fmt.Errorf("%q: expected the name of a convention", part)
		}
	default:
		return fmt.Errorf("unknown part %q; expected sketch=, widen=, tie=, order=, lanes=, seed=, convention=, key= or key#", part)
	}
	return err
}

// MarshalText returns the same as String.
func (d Definition) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses the definition like ParseDefinition.
func (d *Definition) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDefinition(string(text))
	return err
}

// WithDefinition sets all options at once. It looks up the hash by name, unless an earlier
// WithFamily chose a hash with that name. If the definition has only the fingerprint of a key, a
// later WithKey must supply the key. A definition with a Convention is an error: only package
// conventions can compute it.
func WithDefinition(d Definition) Option {
	d.Key = slices.Clone(d.Key)
	return func(c *config) (err error) {
		if d.Convention != "" {
			return fmt.Errorf("fphash: fingerprints by the convention %s are computed by package simhashkit/fphash/conventions", d.Convention)
		}
		if c.family.Name != d.Hash {
			if c.family, err = Lookup(d.Hash); err != nil {
				return err
			}
		}
		c.key, c.keyID = Key{d.Seed, d.Key}, d.keyID
		for _, choose := range []Option{
			WithEncoding(d.Encoding), WithBits(d.Bits), WithSketch(d.Sketch), WithWiden(d.Widen), WithTie(d.Tie), WithOrder(d.Order), WithLanes(d.Lanes),
		} {
			if err := choose(c); err != nil {
				return err
			}
		}
		return nil
	}
}

// checkKeyID compares the key with the fingerprint of the key in a definition.
func (c *config) checkKeyID() error {
	if c.keyID == "" {
		return nil
	}
	if c.key.Bytes == nil {
		return fmt.Errorf("fphash: the definition has only the fingerprint of a key of %s, %s; expected the key with WithKey", c.family.Name, c.keyID)
	}
	if id := fingerprintOfKey(c.key.Bytes); id != c.keyID {
		return fmt.Errorf("fphash: the key has the fingerprint %s, expected the key of the definition, %s", id, c.keyID)
	}
	return nil
}

// String returns the definition in one line; see Definition.String.
func (s *Sketcher) String() string {
	if s == nil || s.definition == nil {
		return notMade
	}
	return s.Definition().String()
}

// sameKey reports whether two keys of a family select the same function. An empty key means zeros.
func sameKey(a, b []byte) bool {
	if len(a) == len(b) {
		return bytes.Equal(a, b)
	}
	return isZeros(a) && isZeros(b)
}

func isZeros(key []byte) bool { return len(bytes.Trim(key, "\x00")) == 0 }
