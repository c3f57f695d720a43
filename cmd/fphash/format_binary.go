package main

import (
	"encoding/binary"
	"io"

	"github.com/cespare/xxhash/v2"

	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// The binary format, all numbers little-endian:
//
//	offset  bytes  content
//	     0      8  magic: 89 46 50 48 0d 0a 1a 0a (89, "FPH", CR LF, ^Z, LF: a transfer as text is seen at once)
//	     8      4  version of the format: 1
//	    12      4  f, the width in bits: 1 to 4096
//	    16      4  words of a fingerprint: ceil(f/64)
//	    20      1  encoding of indices: 0 le64, 1 be64, 2 dec
//	    21      1  tie rule: 0 zero, 1 one, 2 alternate
//	    22      1  order of summation: 0 grouped, 1 sequential
//	    23      1  1 if the hash was given a key (which is not in the file), else 0
//	    24      8  seed
//	    32      4  widening: 0 none, 1 reseed, 2 counter, 3 mix
//	    36      4  length of the hash's name
//	    40      n  the hash's name, then zero bytes up to a multiple of 8 from the start of the file
//	            …  the fingerprints, one after the other, each its words in order: bit j is bit j%64 of word j/64
//	  last 16   8  the number of fingerprints
//	            8  XXH64, seed 0, of everything before
//
// The count stands at the end because a stream's is not known before. Fingerprints have no ids;
// they come in the order of the input.
const binaryVersion = 1

// binaryWriter writes the binary format.
type binaryWriter struct {
	w        io.Writer
	checksum *xxhash.Digest
	count    uint64
	bytes    []byte
}

func newBinaryWriter(w io.Writer, s *fphash.Sketcher, keyed bool) (*binaryWriter, error) {
	b := &binaryWriter{w: w, checksum: xxhash.New()}
	header := []byte(fingerprints.BinaryMagic)
	for _, n := range []int{binaryVersion, s.Bits(), s.Words()} {
		header = binary.LittleEndian.AppendUint32(header, uint32(n))
	}
	flags := byte(0)
	if keyed {
		flags = 1
	}
	header = append(header, byte(s.Encoding()), byte(s.Tie()), byte(s.Order()), flags)
	header = binary.LittleEndian.AppendUint64(header, s.Seed())
	header = binary.LittleEndian.AppendUint32(header, uint32(s.Widen()))
	header = binary.LittleEndian.AppendUint32(header, uint32(len(s.Hash())))
	header = append(header, s.Hash()...)
	for len(header)%8 != 0 {
		header = append(header, 0)
	}
	return b, b.put(header)
}

// put writes bytes that the checksum covers.
func (b *binaryWriter) put(data []byte) error {
	b.checksum.Write(data) // never fails
	_, err := b.w.Write(data)
	return err
}

func (b *binaryWriter) write(r record) error {
	b.bytes = b.bytes[:0]
	for _, word := range r.fingerprint {
		b.bytes = binary.LittleEndian.AppendUint64(b.bytes, word)
	}
	b.count++
	return b.put(b.bytes)
}

func (b *binaryWriter) end() error {
	if err := b.put(binary.LittleEndian.AppendUint64(nil, b.count)); err != nil {
		return err
	}
	_, err := b.w.Write(binary.LittleEndian.AppendUint64(nil, b.checksum.Sum64()))
	return err
}
