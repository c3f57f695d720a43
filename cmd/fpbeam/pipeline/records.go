package pipeline

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// Input is a file of documents, or a folder of which each file is a document.
type Input struct {
	Number int64  // from 0, in the order of all inputs
	Path   string // where workers read it
	Name   string // of its file of attributes, without its ending
}

// Position is the place of a document among all: the number of its input, and in the lowest bits
// its own there, from 1. Positions are in the order in which fphash dedup counts records.
type Position = int64

// documentBits are the bits of a position that number documents of one input.
const documentBits = 40

// positionOf returns the position of a document of an input.
func positionOf(input int64, number int) (Position, error) {
	if input < 0 || input >= 1<<(63-documentBits) || number < 1 || number >= 1<<documentBits {
		return 0, fmt.Errorf("document %d of input %d, expected at most %d inputs with %d documents each", number, input, 1<<(63-documentBits), 1<<documentBits-1)
	}
	return input<<documentBits | int64(number), nil
}

func inputOf(p Position) int64 { return p >> documentBits }

// Record is a document and its fingerprint.
type Record struct {
	Position    Position
	ID          []byte
	Number      bool // the id is a number
	Informative bool // false: the text has no features, and is no duplicate of anything
	Words       []uint64
}

// Fingerprint is that of a document, or of several with the same one: the first of them.
type Fingerprint struct {
	Position Position
	Words    []uint64
}

// Pair is two documents within k; A comes first.
type Pair struct {
	A, B     Position
	Distance int64
	Copies   bool // both have the same fingerprint, and A is the first that has it
}

// Member is a document that is in a group.
type Member struct {
	Position  Position
	Cluster   int64 // the number of the group, from 1
	Canonical bool  // it is the one to keep
}

func init() {
	beam.RegisterCoder(reflect.TypeFor[Record](), encodeRecord, decodeRecord)
	beam.RegisterCoder(reflect.TypeFor[Fingerprint](), encodeFingerprint, decodeFingerprint)
	beam.RegisterCoder(reflect.TypeFor[Pair](), encodePair, decodePair)
	beam.RegisterCoder(reflect.TypeFor[Member](), encodeMember, decodeMember)
	beam.RegisterType(reflect.TypeFor[Input]())
}

// The bits of a byte that holds truths.
const (
	isNumber = 1 << iota
	isInformative
)

func truths(values ...bool) (b byte) {
	for i, value := range values {
		if value {
			b |= 1 << i
		}
	}
	return b
}

func encodeRecord(r Record) []byte {
	dst := binary.AppendUvarint(make([]byte, 0, 16+len(r.ID)+8*len(r.Words)), uint64(r.Position))
	dst = append(dst, truths(r.Number, r.Informative))
	dst = append(binary.AppendUvarint(dst, uint64(len(r.ID))), r.ID...)
	return appendWords(dst, r.Words)
}

func decodeRecord(data []byte) (r Record, err error) {
	d := decoder{data: data}
	r.Position = int64(d.uvarint())
	b := d.byte()
	r.Number, r.Informative = b&isNumber != 0, b&isInformative != 0
	r.ID = d.bytes(d.uvarint())
	r.Words = d.words()
	return r, d.err
}

func encodeFingerprint(f Fingerprint) []byte {
	return appendWords(binary.AppendUvarint(make([]byte, 0, 10+8*len(f.Words)), uint64(f.Position)), f.Words)
}

func decodeFingerprint(data []byte) (f Fingerprint, err error) {
	d := decoder{data: data}
	f.Position = int64(d.uvarint())
	f.Words = d.words()
	return f, d.err
}

func encodePair(p Pair) []byte {
	dst := append(make([]byte, 0, 24), truths(p.Copies))
	for _, n := range []int64{p.A, p.B, p.Distance} {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	return dst
}

func decodePair(data []byte) (p Pair, err error) {
	d := decoder{data: data}
	p.Copies = d.byte() != 0
	p.A, p.B, p.Distance = int64(d.uvarint()), int64(d.uvarint()), int64(d.uvarint())
	return p, d.err
}

func encodeMember(m Member) []byte {
	dst := append(make([]byte, 0, 24), truths(m.Canonical))
	return binary.AppendUvarint(binary.AppendUvarint(dst, uint64(m.Position)), uint64(m.Cluster))
}

func decodeMember(data []byte) (m Member, err error) {
	d := decoder{data: data}
	m.Canonical = d.byte() != 0
	m.Position, m.Cluster = int64(d.uvarint()), int64(d.uvarint())
	return m, d.err
}

func appendWords(dst []byte, words []uint64) []byte {
	for _, word := range words {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	return dst
}

// decoder reads what was encoded; after an error it gives zeros.
type decoder struct {
	data []byte
	err  error
}

var errCutOff = errors.New("fpbeam: an element is cut off")

func (d *decoder) fail() { d.data, d.err = nil, errCutOff }

func (d *decoder) byte() byte {
	if len(d.data) == 0 {
		d.fail()
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

func (d *decoder) uvarint() uint64 {
	value, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.data = d.data[n:]
	return value
}

// bytes returns a copy: what is decoded may be kept.
func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.data)) {
		d.fail()
		return nil
	}
	taken := append([]byte(nil), d.data[:n]...)
	d.data = d.data[n:]
	return taken
}

// words returns what is left.
func (d *decoder) words() []uint64 {
	if len(d.data)%8 != 0 {
		d.fail()
	}
	words := make([]uint64, 0, len(d.data)/8)
	for ; len(d.data) > 0; d.data = d.data[8:] {
		words = append(words, binary.LittleEndian.Uint64(d.data))
	}
	return words
}
