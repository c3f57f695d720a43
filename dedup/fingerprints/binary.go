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
