package fingerprints

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
	"simhashkit/dedup"
	"simhashkit/fphash"
)

// errDamaged begins what is said of a file that is not as it was written.
var errDamaged = errors.New("damaged binary fingerprints")

// trailerBytes is the size of count and checksum at the end.
const trailerBytes = 16

// readBinary reads binary fingerprints, which have no ids.
func readBinary(r *bufio.Reader, options Options, records *dedup.Records) error {
	checksum := xxhash.New()
	source := bufio.NewReaderSize(r, 64<<10)
	take := func(n int) ([]byte, error) { // of what the checksum covers
		data := make([]byte, n)
		if _, err := io.ReadFull(source, data); err != nil {
			return nil, tooShort(err)
		}
		checksum.Write(data) // never fails
		return data, nil
	}
	header, err := readHeader(take)
	if err != nil {
		return err
	}
	records.Set.Bits = header.definition.Bits
	if header.known {
		records.Set.Definition = header.definition.String()
	}
	size := 8 * records.Set.Stride()
	zeros := header.definition.Tie == fphash.TieZero // is what vectors without information have
	words := make([]uint64, size/8)
	for {
		next, err := source.Peek(size + trailerBytes)
		if err != nil && err != io.EOF {
			return tooShort(err)
		}
		if len(next) < size+trailerBytes {
			break
		}
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(next[8*i:])
		}
		checksum.Write(next[:size])
		source.Discard(size) // which are there
		if err := header.check(words); err != nil {
			return fmt.Errorf("%w: fingerprint %d: %w", errDamaged, records.Len()+1, err)
		}
		records.Add(nil, words, !zeros || Informative(words, header.definition.Bits))
		if err := options.Tell(records); err != nil {
			return err
		}
	}
	return readTrailer(source, records.Len(), checksum)
}

// readTrailer holds what was read to the count and the checksum at the end.
func readTrailer(source io.Reader, count int, checksum *xxhash.Digest) error {
	var trailer [trailerBytes]byte
	if _, err := io.ReadFull(source, trailer[:]); err != nil {
		return tooShort(err)
	}
	if n, _ := source.Read(make([]byte, 1)); n > 0 {
		return fmt.Errorf("%w: the end is not where it is expected", errDamaged)
	}
	if n := binary.LittleEndian.Uint64(trailer[:]); n != uint64(count) {
		return fmt.Errorf("%w: %d fingerprints, expected %d by the count at the end", errDamaged, count, n)
	}
	checksum.Write(trailer[:8])
	if sum := binary.LittleEndian.Uint64(trailer[8:]); sum != checksum.Sum64() {
		return fmt.Errorf("%w: checksum %016x, expected %016x", errDamaged, checksum.Sum64(), sum)
	}
	return nil
}

// tooShort says in words that a file ends too early.
func tooShort(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: it ends too early, expected a count and a checksum at the end", errDamaged)
	}
	return err
}

// check holds a fingerprint to the width.
func (h *headerOfFile) check(fingerprint []uint64) error {
	if high := h.definition.Bits % 64; high > 0 && fingerprint[len(fingerprint)-1]>>high > 0 {
		return fmt.Errorf("expected no bits above the %d", h.definition.Bits)
	}
	return nil
}

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

// binaryVersion is the version of the form that is written; FORMAT.md has the form.
const binaryVersion = 2

// binaryWriter writes fingerprints of one definition as bytes, with a header that has all of it,
// and a count and a checksum at the end. Ids have no place there.
type binaryWriter struct {
	w        io.Writer
	checksum *xxhash.Digest
	words    int
	count    uint64
	buffer   []byte
}

func newBinaryWriter(w io.Writer, definition fphash.Definition) (*binaryWriter, error) {
	text := definition.String()
	if len(text) > mostDefinition {
		return nil, fmt.Errorf("fingerprints: definition of %d bytes, expected at most %d", len(text), mostDefinition)
	}
	b := &binaryWriter{w: w, checksum: xxhash.New(), words: (definition.Bits + 63) / 64}
	return b, b.put(appendHeader(nil, text))
}

// put writes bytes that the checksum covers.
func (b *binaryWriter) put(data []byte) error {
	b.checksum.Write(data) // never fails
	_, err := b.w.Write(data)
	return err
}

func (b *binaryWriter) Write(r Record) error {
	if len(r.Fingerprint) != b.words {
		return fmt.Errorf("fingerprints: %d words, expected %d", len(r.Fingerprint), b.words)
	}
	b.buffer = appendWords(b.buffer[:0], r.Fingerprint)
	b.count++
	return b.put(b.buffer)
}

func (b *binaryWriter) End() error {
	if err := b.put(binary.LittleEndian.AppendUint64(nil, b.count)); err != nil {
		return err
	}
	_, err := b.w.Write(binary.LittleEndian.AppendUint64(nil, b.checksum.Sum64()))
	return err
}

func appendWords(dst []byte, words []uint64) []byte {
	for _, word := range words {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	return dst
}
