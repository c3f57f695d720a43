package fingerprints

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/npy"
	"simhashkit/internal/scratch"
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

// npyWriter writes a NumPy array of uint64 with a row of words for each fingerprint. Its header has
// the number of rows, so the rows wait in a temporary file.
type npyWriter struct {
	w     io.Writer
	words int
	rows  uint64
	file  *scratch.File
	array *bufio.Writer
	bytes []byte
}

func newNPYWriter(w io.Writer, bits int) (*npyWriter, error) {
	file, err := scratch.New()
	if err != nil {
		return nil, err
	}
	return &npyWriter{w: w, words: (bits + 63) / 64, file: file, array: bufio.NewWriterSize(file, 64<<10)}, nil
}

func (n *npyWriter) Write(r Record) error {
	n.bytes = appendWords(n.bytes[:0], r.Fingerprint)
	n.rows++
	_, err := n.array.Write(n.bytes)
	return err
}

func appendWords(dst []byte, words []uint64) []byte {
	for _, word := range words {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	return dst
}

func (n *npyWriter) End() error {
	if err := n.array.Flush(); err != nil {
		return err
	}
	if _, err := n.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := n.w.Write(npy.AppendHeader(nil, npy.Header{Type: "<u8", Shape: []uint64{n.rows, uint64(n.words)}})); err != nil {
		return err
	}
	_, err := io.Copy(n.w, n.file)
	return err
}

func (n *npyWriter) Close() error { return n.file.Close() }
