package fphash

import (
	"bytes"
	"cmp"
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
	float32  bool // type of floating-point weights and their sums; false: float64
	tie      Tie
	key      Key
	minhash  bool // true: MinHash; false: SimHash

	bits      int          // of the fingerprint
	words     int          // of the fingerprint
	lastMask  uint64       // the bits of the last word that belong to the fingerprint
	codeWords int          // of a code
	refused   reflect.Kind // the floating-point type that weights may not have
	// plain says that fingerprints and codes have one word, and 64-bit indices are hashed
	// unchanged.
	plain bool
}

func newDefinition(c config) (*definition, error) {
	width := c.Bits
	if c.Kind == MinHash {
		width = keyBits
		if err := checkMinHash(c.Tie, c.Order, c.Float32, c.Widen); err != nil {
			return nil, err
		}
	}
	wide, err := c.family.Widen(c.Widen, width)
	if err != nil {
		return nil, err
	}
	key := Key{c.Seed, c.Key}
	h, err := wide.build(key)
	if err != nil {
		return nil, err
	}
	d := &definition{
		family: *c.family, hash: h, encoding: c.Encoding, order: c.Order, float32: c.Float32, refused: floatKind(!c.Float32), tie: c.Tie, key: key, minhash: c.Kind == MinHash,
		bits: c.Bits, words: wordsFor(c.Bits), lastMask: lastWordMask(c.Bits), codeWords: wide.Words(),
	}
	if width > c.family.Bits {
		d.widen = c.Widen
	}
	d.plain = d.words == 1 && d.codeWords == 1 && d.encoding == LE64 && !d.minhash
	d.bytes, _ = h.(ByteHash)
	if c.Encoding == Dec && d.bytes == nil {
		return nil, d.errNoBytes("encoding dec is")
	}
	return d, nil
}

// floatKind returns the kind of float32 if single, otherwise that of float64.
func floatKind(single bool) reflect.Kind {
	if single {
		return reflect.Float32
	}
	return reflect.Float64
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
	case d.float32 != e.float32:
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
// ParseDefinition. The zero Definition stands for the defaults.
type Definition struct {
	// Hash is the name of a registered hash; the default is DefaultHash.
	// See Families.
	Hash string
	// Encoding is how an index is written as bytes before it is hashed; the
	// default is LE64. Hashes of integers (splitmix64, identity) take no
	// other encoding. It does not apply to byte strings.
	Encoding Encoding
	// Bits is the width of the fingerprint, 1 to MaxBits; the default is
	// 64. A fingerprint narrower than the hash code uses the low bits of
	// that code. A wider one is an error without Widen.
	Bits int
	// Kind is the kind of sketch; the default is SimHash.
	Kind Kind
	// Widen says how to compute the bits of a fingerprint that is wider
	// than the hash; the default is WidenNone. If the hash is wide enough,
	// it has no effect, but New still refuses a widening that the hash does
	// not support.
	Widen Widen
	// Tie is the bit of a lane whose sum is exactly zero; the default is
	// TieZero.
	Tie Tie
	// Order is the order in which floating-point weights are summed; the
	// default is Grouped.
	Order Order
	// Float32 makes float32 the type of floating-point weights and of
	// their sums, the lanes. It is about twice as fast as the default,
	// float64. Weights of the other type are an error. Fingerprints of
	// float32 and of float64 weights cannot be compared: 0.1 is another
	// number in each type, and sums round differently. Integer and unit
	// weights have exact sums with either.
	Float32 bool
	// Seed is the seed of a hash that takes one (splitmix64, xxh64,
	// lookup3). For a hash with a key (highway64 and similar), it is added
	// to the first 8 bytes of the key, read as a little-endian number. For
	// other hashes, a seed other than 0 is an error.
	Seed uint64
	// Key is the secret key of a hash that takes one, of Family.KeyBytes
	// bytes. Nil, the default, means zero bytes.
	Key []byte

	// Convention names the convention of another system with which package
	// conventions computed the fingerprints. It is "" for fingerprints of
	// this package.
	Convention string

	keyID string // fingerprint of a key that is not in the parsed text
}

// Definition returns the definition of the Sketcher. New(d) returns an equal one, if the hash is
// registered.
func (s *Sketcher) Definition() Definition {
	d := s.made()
	return Definition{
		Hash: d.family.Name, Encoding: d.encoding, Bits: d.bits, Kind: d.kind(), Widen: d.widen, Tie: d.tie, Order: d.order, Float32: d.float32, Seed: d.key.Seed, Key: slices.Clone(d.key.Bytes),
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
	if d.Kind == SimHash {
		text += fmt.Sprintf(",tie=%v,order=%v", d.Tie, d.Order)
		if d.Float32 {
			text += ",lanes=float32"
		}
	} else {
		text += fmt.Sprintf(",sketch=%v", d.Kind) // MinHash has no sums
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
// fingerprint of a key, set Key before you pass it to New.
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
	if d.Kind == MinHash {
		if err := checkMinHash(d.Tie, d.Order, d.Float32, d.Widen); err != nil {
			return fail(err)
		}
		if d.Convention != "" {
			return fail(fmt.Errorf("convention %s cannot be combined with MinHash", d.Convention))
		}
	}
	if d.Convention != "" && d.Float32 {
		return fail(fmt.Errorf("lanes of float32, expected float64 with convention %s", d.Convention))
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
		err = d.Kind.UnmarshalText([]byte(value))
	case name == "widen":
		err = d.Widen.UnmarshalText([]byte(value))
	case name == "tie":
		err = d.Tie.UnmarshalText([]byte(value))
	case name == "order":
		err = d.Order.UnmarshalText([]byte(value))
	case name == "lanes":
		if d.Float32 = value == "float32"; !d.Float32 && value != "float64" {
			return fmt.Errorf("fphash: unknown type of lanes %q; expected float64, float32", value)
		}
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

// check returns an error if the definition is not one of this package, or if a field has no valid
// value.
func (d *Definition) check() error {
	if d.Convention != "" {
		return fmt.Errorf("fphash: fingerprints by the convention %s are computed by package simhashkit/fphash/conventions", d.Convention)
	}
	return cmp.Or(
		checkBits(d.Bits),
		known(d.Encoding, encodingNames[:], "encoding"),
		known(d.Kind, kindNames[:], "sketch"),
		known(d.Widen, widenNames[:], "widening"),
		known(d.Tie, tieNames[:], "tie rule"),
		known(d.Order, orderNames[:], "order of summation"))
}

// checkKeyID compares the key with the fingerprint of the key in a parsed definition.
func (d *Definition) checkKeyID() error {
	if d.keyID == "" {
		return nil
	}
	if d.Key == nil {
		return fmt.Errorf("fphash: the definition has only the fingerprint of a key of %s, %s; expected the key in Definition.Key", d.Hash, d.keyID)
	}
	if id := fingerprintOfKey(d.Key); id != d.keyID {
		return fmt.Errorf("fphash: the key has the fingerprint %s, expected the key of the definition, %s", id, d.keyID)
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
