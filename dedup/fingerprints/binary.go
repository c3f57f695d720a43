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

// header is the part of fixed size behind the magic; fphash sketch says what it has.
type header struct {
	Version, Bits, Words        uint32
	Encoding, Tie, Order, Keyed uint8
	Seed                        uint64
	Widen, NameLength           uint32
}

const (
	headerBytes  = 40 // with the magic
	trailerBytes = 16 // count and checksum
	mostName     = 200
)

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
	definition, keyed, err := readHeader(take)
	if err != nil {
		return err
	}
	records.Set.Bits = definition.Bits
	if !keyed {
		records.Set.Definition = definition.String()
	}
	stride := records.Set.Stride()
	zeros := definition.Tie == fphash.TieZero // is what vectors without information have
	words := make([]uint64, stride)
	for {
		next, err := source.Peek(8*stride + trailerBytes)
		if err != nil && err != io.EOF {
			return tooShort(err)
		}
		if len(next) < 8*stride+trailerBytes {
			break
		}
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(next[8*i:])
		}
		checksum.Write(next[:8*stride])
		source.Discard(8 * stride) // which are there
		records.Add(nil, words, !zeros || Informative(words, definition.Bits))
		options.Tell(records)
	}
	return readTrailer(source, records.Len(), checksum)
}

// readHeader reads what stands before the fingerprints.
func readHeader(take func(int) ([]byte, error)) (d fphash.Definition, keyed bool, err error) {
	data, err := take(headerBytes)
	if err != nil {
		return d, false, err
	}
	var h header
	if _, err := binary.Decode(data[len(BinaryMagic):], binary.LittleEndian, &h); err != nil {
		return d, false, err
	}
	switch {
	case h.Version != 1:
		return d, false, fmt.Errorf("binary fingerprints of version %d, expected 1", h.Version)
	case h.NameLength > mostName:
		return d, false, fmt.Errorf("%w: the name of the hash has %d bytes, expected %d or less", errDamaged, h.NameLength, mostName)
	case h.Bits < 1 || h.Bits > fphash.MaxBits || h.Words != (h.Bits+63)/64:
		return d, false, fmt.Errorf("%w: %d bits in %d words, expected 1 to %d bits, 64 a word", errDamaged, h.Bits, h.Words, fphash.MaxBits)
	}
	padding := -(headerBytes + int(h.NameLength)) & 7
	name, err := take(int(h.NameLength) + padding)
	if err != nil {
		return d, false, err
	}
	d = fphash.Definition{
		Hash: string(name[:h.NameLength]), Bits: int(h.Bits), Encoding: fphash.Encoding(h.Encoding), Tie: fphash.Tie(h.Tie), Order: fphash.Order(h.Order),
		Widen: fphash.Widen(min(h.Widen, 255)), Seed: h.Seed,
	}
	if err := checkNames(d); err != nil {
		return d, false, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return d, h.Keyed != 0, nil
}

// checkNames returns an error if one of the numbers in a header has no name.
func checkNames(d fphash.Definition) error {
	_, encoding := fphash.ParseEncoding(d.Encoding.String())
	_, tie := fphash.ParseTie(d.Tie.String())
	_, order := fphash.ParseOrder(d.Order.String())
	_, widen := fphash.ParseWiden(d.Widen.String())
	return errors.Join(encoding, tie, order, widen)
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
