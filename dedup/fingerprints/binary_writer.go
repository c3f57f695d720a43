package fingerprints

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash"
)

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
