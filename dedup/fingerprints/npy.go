package fingerprints

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/npy"
)

// readNPY reads a NumPy array of uint64: a row has the words of a fingerprint. It has no ids.
func readNPY(r *bufio.Reader, options Options, records *dedup.Records) error {
	header, err := npy.ReadHeader(r)
	if err != nil {
		return err
	}
	kind, ok := npy.ParseType(header.Type)
	if !ok || kind.Kind != 'u' || kind.Size != 8 || len(header.Shape) < 1 || len(header.Shape) > 2 {
		return fmt.Errorf("expected an array of uint64 with a row for each fingerprint, got %s of %d dimensions", header.Type, len(header.Shape))
	}
	rows, words := header.Shape[0], uint64(1)
	if len(header.Shape) == 2 {
		words = header.Shape[1]
	}
	if header.Fortran && words > 1 && rows > 1 {
		return errors.New("expected rows one after the other, got columns: numpy.ascontiguousarray makes rows of them")
	}
	if words < 1 || words > fphash.MaxBits/64 {
		return fmt.Errorf("expected 1 to %d words in a row, got %d", fphash.MaxBits/64, words)
	}
	bits := int(64 * words)
	if options.Bits > 0 {
		bits = options.Bits
	}
	if uint64(bits+63)/64 != words {
		return fmt.Errorf("%d words in a row, expected %d for %d bits", words, (bits+63)/64, bits)
	}
	records.Set.Bits = bits
	return readWords(r, kind, rows, make([]uint64, words), options, records)
}

// readWords reads so many rows, and wants the file to end behind them.
func readWords(r *bufio.Reader, kind npy.Type, rows uint64, words []uint64, options Options, records *dedup.Records) error {
	data := make([]byte, 8*len(words))
	for row := range rows {
		if _, err := io.ReadFull(r, data); err != nil {
			if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
				return fmt.Errorf("expected %d rows, got %d", rows, row)
			}
			return err
		}
		for i := range words {
			words[i] = kind.Bits(data[8*i:])
		}
		if high := records.Set.Bits % 64; high > 0 && words[len(words)-1]>>high > 0 {
			return fmt.Errorf("row %d: expected a fingerprint of %d bits, got more", row+1, records.Set.Bits)
		}
		records.Add(nil, words, Informative(words, records.Set.Bits))
		if err := options.Tell(records); err != nil {
			return err
		}
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return fmt.Errorf("expected the end behind %d rows", rows)
	}
	return nil
}
