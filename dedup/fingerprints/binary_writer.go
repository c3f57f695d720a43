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

// BinaryWriter writes fingerprints of one definition as bytes, with a header that has all of it,
// and a count and a checksum at the end. Ids have no place there.
type BinaryWriter struct {
	w             io.Writer
	checksum      *xxhash.Digest
	words, unsure int
	count         uint64
	buffer        []byte
}

// NewBinaryWriter writes the header. Unsure is the number of bits that the mask of each fingerprint
// marks; 0 is for fingerprints without masks. What is written is not buffered.
func NewBinaryWriter(w io.Writer, definition fphash.Definition, unsure int) (*BinaryWriter, error) {
	text := definition.String()
	if len(text) > mostDefinition {
		return nil, fmt.Errorf("fingerprints: definition of %d bytes, expected at most %d", len(text), mostDefinition)
	}
	if unsure < 0 || unsure > definition.Bits {
		return nil, fmt.Errorf("fingerprints: masks of %d bits, expected 0 to %d", unsure, definition.Bits)
	}
	b := &BinaryWriter{w: w, checksum: xxhash.New(), words: (definition.Bits + 63) / 64, unsure: unsure}
	return b, b.put(appendHeader(nil, text, unsure))
}

// put writes bytes that the checksum covers.
func (b *BinaryWriter) put(data []byte) error {
	b.checksum.Write(data) // never fails
	_, err := b.w.Write(data)
	return err
}

// Write writes a fingerprint, and its mask, which is nil where the header says that there are none.
func (b *BinaryWriter) Write(fingerprint, mask []uint64) error {
	masks := 0
	if b.unsure > 0 {
		masks = b.words
	}
	if len(fingerprint) != b.words || len(mask) != masks {
		return fmt.Errorf("fingerprints: %d words and a mask of %d, expected %d and %d", len(fingerprint), len(mask), b.words, masks)
	}
	b.buffer = b.buffer[:0]
	for _, part := range [][]uint64{fingerprint, mask} {
		for _, word := range part {
			b.buffer = binary.LittleEndian.AppendUint64(b.buffer, word)
		}
	}
	b.count++
	return b.put(b.buffer)
}

// End writes what stands behind the last fingerprint. Without it readers find the file damaged.
func (b *BinaryWriter) End() error {
	if err := b.put(binary.LittleEndian.AppendUint64(nil, b.count)); err != nil {
		return err
	}
	_, err := b.w.Write(binary.LittleEndian.AppendUint64(nil, b.checksum.Sum64()))
	return err
}
