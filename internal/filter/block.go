package filter

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"

	"simhashkit/fphash"
	"simhashkit/internal/blocks"
	"simhashkit/internal/lines"
)

// BlockWriter writes the block lines of fingerprints. A fingerprint has a line for each table: the
// key, a tab, the fingerprint in hexadecimal, a tab and the id.
type BlockWriter struct {
	tables     *blocks.Tables
	w          *lines.Writer
	line, tail []byte
}

// NewBlockWriter returns a writer of block lines to w.
func NewBlockWriter(w io.Writer, tables *blocks.Tables) *BlockWriter {
	return &BlockWriter{tables: tables, w: lines.NewWriter(w)}
}

// Write writes the lines of a fingerprint, one for each table. Tabs and line breaks in the id
// become spaces.
func (b *BlockWriter) Write(fingerprint []uint64, id []byte) error {
	b.tail = append(fphash.Fingerprint(fingerprint).AppendHex(append(b.tail[:0], '\t'), b.tables.Bits()), '\t')
	for _, c := range id {
		if c == '\t' || c == '\n' || c == '\r' {
			c = ' '
		}
		b.tail = append(b.tail, c)
	}
	b.tail = append(b.tail, '\n')
	for table := range b.tables.Len() {
		b.line = append(b.tables.AppendKey(b.line[:0], table, fingerprint), b.tail...)
		if _, err := b.w.Write(b.line); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes the buffered lines.
func (b *BlockWriter) Flush() error { return b.w.Flush() }

func cutBlockLine(line []byte) (key, digits, id []byte, err error) {
	key, rest, first := bytes.Cut(line, []byte("\t"))
	digits, id, second := bytes.Cut(rest, []byte("\t"))
	if !first || !second || bytes.IndexByte(id, '\t') >= 0 {
		return nil, nil, nil, fmt.Errorf("expected a key, a fingerprint and an id with tabs between them, as written by fphash blocks, got %.80q", line)
	}
	return key, digits, id, nil
}

// appendDigits appends the words of a fingerprint of the width, given in hexadecimal.
func appendDigits(dst []uint64, digits []byte, bits int) ([]uint64, error) {
	var word [8]byte
	if bits == 64 && len(digits) == 16 { // without allocations
		if _, err := hex.Decode(word[:], digits); err == nil {
			return append(dst, binary.BigEndian.Uint64(word[:])), nil
		}
	}
	words, err := fphash.ParseHex(string(digits), bits)
	if err != nil {
		return nil, err
	}
	return append(dst, words...), nil
}
