package fingerprints

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash"
)

// headerOfFile is what stands before the fingerprints of a binary file; FORMAT.md has it byte by
// byte.
type headerOfFile struct {
	definition fphash.Definition
	known      bool // what the definition says is all that decides the fingerprints
}

// taker reads so many bytes, all of which the checksum at the end covers.
type taker func(n int) ([]byte, error)

// The parts of a header, in bytes.
const (
	prefixBytes    = 12 // magic and version
	fixedBytes     = 12 // of version 2 behind them
	mostDefinition = 4096
)

// readHeader reads the header of any version.
func readHeader(take taker) (h headerOfFile, err error) {
	prefix, err := take(prefixBytes)
	if err != nil {
		return h, err
	}
	switch version := binary.LittleEndian.Uint32(prefix[len(BinaryMagic):]); version {
	case 1:
		return readHeader1(take)
	case binaryVersion:
		return readHeader2(take, prefix)
	default:
		return h, fmt.Errorf("binary fingerprints of version %d, expected %d or less", version, binaryVersion)
	}
}

// readHeader2 reads what is behind the version.
func readHeader2(take taker, prefix []byte) (h headerOfFile, err error) {
	fixed, err := take(fixedBytes)
	if err != nil {
		return h, err
	}
	length, reserved, n := binary.LittleEndian.Uint32(fixed), binary.LittleEndian.Uint32(fixed[4:]), binary.LittleEndian.Uint32(fixed[8:])
	if n > mostDefinition || int(length) != headerLength(int(n)) {
		return h, fmt.Errorf("%w: a header of %d bytes with a definition of %d, expected a definition of at most %d", errDamaged, length, n, mostDefinition)
	}
	rest, err := take(int(length) - prefixBytes - fixedBytes)
	if err != nil {
		return h, err
	}
	checksum := xxhash.New()
	for _, part := range [][]byte{prefix, fixed, rest[:len(rest)-8]} {
		checksum.Write(part) // never fails
	}
	if sum := binary.LittleEndian.Uint64(rest[len(rest)-8:]); sum != checksum.Sum64() {
		return h, fmt.Errorf("%w: checksum of the header %016x, expected %016x", errDamaged, checksum.Sum64(), sum)
	}
	if h.definition, err = fphash.ParseDefinition(string(rest[:n])); err != nil {
		return h, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if reserved != 0 {
		return h, fmt.Errorf("binary fingerprints: %d at byte 16 of the header, expected 0: more than a fingerprint stands in each record", reserved)
	}
	h.known = true
	return h, nil
}

// headerLength returns the length of a header whose definition has n bytes: a multiple of 8.
func headerLength(n int) int { return (prefixBytes+fixedBytes+n+7)&^7 + 8 }

// appendHeader appends the header of a file.
func appendHeader(dst []byte, definition string) []byte {
	start := len(dst)
	dst = append(dst, BinaryMagic...)
	for _, n := range []int{binaryVersion, headerLength(len(definition)), 0, len(definition)} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	dst = append(dst, definition...)
	for (len(dst)-start)%8 != 0 {
		dst = append(dst, 0)
	}
	return binary.LittleEndian.AppendUint64(dst, xxhash.Sum64(dst[start:]))
}

// header1 is what version 1 had behind the version.
type header1 struct {
	Bits, Words                 uint32
	Encoding, Tie, Order, Keyed uint8
	Seed                        uint64
	Widen, NameLength           uint32
}

const mostName = 200

// readHeader1 reads what was behind the version. A key it only had notice of, so that fingerprints
// of different keys looked the same.
func readHeader1(take taker) (h headerOfFile, err error) {
	var one header1
	size := binary.Size(one)
	data, err := take(size)
	if err != nil {
		return h, err
	}
	if _, err := binary.Decode(data, binary.LittleEndian, &one); err != nil {
		return h, err
	}
	switch {
	case one.NameLength > mostName:
		return h, fmt.Errorf("%w: the name of the hash has %d bytes, expected %d or less", errDamaged, one.NameLength, mostName)
	case one.Bits < 1 || one.Bits > fphash.MaxBits || one.Words != (one.Bits+63)/64:
		return h, fmt.Errorf("%w: %d bits in %d words, expected 1 to %d bits, 64 a word", errDamaged, one.Bits, one.Words, fphash.MaxBits)
	}
	padding := -(prefixBytes + size + int(one.NameLength)) & 7
	name, err := take(int(one.NameLength) + padding)
	if err != nil {
		return h, err
	}
	h.definition = fphash.Definition{
		Hash: string(name[:one.NameLength]), Bits: int(one.Bits), Encoding: fphash.Encoding(one.Encoding), Tie: fphash.Tie(one.Tie), Order: fphash.Order(one.Order),
		Widen: fphash.Widen(min(one.Widen, 255)), Seed: one.Seed,
	}
	if err := checkNames(h.definition); err != nil {
		return h, fmt.Errorf("%w: %w", errDamaged, err)
	}
	h.known = one.Keyed == 0
	return h, nil
}

// checkNames returns an error if one of the numbers in a header has no name.
func checkNames(d fphash.Definition) error {
	return errors.Join(
		d.Encoding.UnmarshalText([]byte(d.Encoding.String())), d.Tie.UnmarshalText([]byte(d.Tie.String())),
		d.Order.UnmarshalText([]byte(d.Order.String())), d.Widen.UnmarshalText([]byte(d.Widen.String())))
}
