package fphash

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// The form of an accumulator in bytes, all numbers little-endian:
//
//	8 bytes   accumulatorMagic
//	4 bytes   length of the definition, and the definition as Definition.String writes it
//	1 byte    type of the lanes: 1 int64, 2 float32, 3 float64
//	1 byte    number of pending features, below 16; of integers, which know no order, 0
//	          the lanes, in order, 8 bytes each, of float32 4
//	          the pending features: the words of the code, and the weight in 8 bytes
//	4 bytes   CRC-32C of all before
const accumulatorMagic = "FPHACC\x00\x01"

// AppendBinary appends the state, with the definition: sums and the open group, so that an
// accumulator that is read goes on bit for bit where this one stands. Of a key it has the
// fingerprint only.
func (a *Accumulator[W]) AppendBinary(dst []byte) ([]byte, error) {
	if a == nil || a.sketcher == nil {
		return dst, errors.New(accumulatorNotMade)
	}
	a.guard.read()
	start := len(dst)
	definition := a.sketcher.String()
	dst = append(dst, accumulatorMagic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(definition)))
	dst = append(dst, definition...)
	b := borrow(a.sketcher)
	if a.sums.i64 != nil {
		dst = append(dst, lanesInt64, 0)
		dst = a.closed(b).append(dst)
	} else {
		dst = append(dst, a.sums.kind(), byte(a.pending.n))
		dst = a.sums.append(dst)
		dst = a.pending.append(dst, b)
	}
	giveBack(a.sketcher, b)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli)), nil
}

// append appends the codes of the features, and their weights, which are floating-point numbers.
func (p *pendingFeatures[W]) append(dst []byte, b *buffers) []byte {
	codes := p.allCodes(b)
	for i := range p.n {
		for t := range b.words {
			dst = binary.LittleEndian.AppendUint64(dst, codes[t*pendingMost+i])
		}
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(p.weights[i])))
	}
	return dst
}

// MarshalBinary returns what AppendBinary appends.
func (a *Accumulator[W]) MarshalBinary() ([]byte, error) { return a.AppendBinary(nil) }

// UnmarshalBinary reads a state in place of the one that there is.
//
// An Accumulator that NewAccumulator has made must have the definition of the state, and a zero one
// takes it over, where that is possible: not with a key, nor with a hash that is not registered. It
// fails, with nothing changed, where the definitions differ or the sums have another type, and
// where the bytes are cut off or damaged.
func (a *Accumulator[W]) UnmarshalBinary(data []byte) error {
	a.entered()
	r := stateReader{rest: data}
	if string(r.next(len(accumulatorMagic))) != accumulatorMagic {
		return errors.New("fphash: these bytes are no accumulator of this version")
	}
	if len(data) < 4 || crc32.Checksum(data[:len(data)-4], castagnoli) != binary.LittleEndian.Uint32(data[len(data)-4:]) {
		return errors.New("fphash: the accumulator is cut off or damaged: its checksum is wrong")
	}
	r.rest = r.rest[:len(r.rest)-4]
	text := string(r.next(int(min(r.uint32(), uint32(len(data))))))
	read, err := a.readState(&r, text)
	if err != nil {
		return err
	}
	a.sketcher, a.sums, a.pending = read.sketcher, read.sums, read.pending
	return nil
}

func (a *Accumulator[W]) readState(r *stateReader, definition string) (*Accumulator[W], error) {
	s := a.sketcher
	if s == nil {
		d, err := ParseDefinition(definition)
		if err == nil {
			s, err = New(WithDefinition(d))
		}
		if err != nil {
			return nil, fmt.Errorf("fphash: an accumulator of %s can be read into one by NewAccumulator only: %w", definition, err)
		}
	}
	if own := s.String(); own != definition {
		return nil, fmt.Errorf("%w: %s, expected %s", ErrMismatch, definition, own)
	}
	read := NewAccumulator[W](s)
	kind, n := r.byte(), int(r.byte())
	if kind != read.sums.kind() {
		return nil, fmt.Errorf("%w: sums of type %s, expected %s", ErrMismatch, laneKind(kind), laneKind(read.sums.kind()))
	}
	size := read.sums.size() + n*(s.words+1)*8
	if n >= pendingMost || n > 0 && kind == lanesInt64 || len(r.rest) != size {
		return nil, fmt.Errorf("fphash: the accumulator has %d bytes of sums and features, expected %d", len(r.rest), size)
	}
	read.sums.read(r)
	p := &read.pending
	if p.n, p.hashed = n, n; n > 0 {
		p.codes = make([]uint64, s.words*pendingMost)
	}
	for i := range n {
		for t := range s.words {
			p.codes[t*pendingMost+i] = r.uint64()
		}
		p.weights[i] = W(math.Float64frombits(r.uint64()))
	}
	return read, nil
}

// MarshalJSON refuses: sums are binary, and would be {} otherwise.
func (a *Accumulator[W]) MarshalJSON() ([]byte, error) {
	return nil, errors.New("fphash: an Accumulator is not for JSON; its MarshalBinary gives bytes that are")
}

// allCodes returns the codes of the pending features, word t of feature i at [t·pendingMost+i].
func (p *pendingFeatures[W]) allCodes(b *buffers) []uint64 {
	all := make([]uint64, b.words*pendingMost)
	copy(all, p.codes)
	if n := p.n - p.hashed; n > 0 {
		rest := encode(&b.coder, p.indices[p.hashed:p.n])
		for t := range b.words {
			copy(all[t*pendingMost+p.hashed:], rest[t*n:(t+1)*n])
		}
	}
	return all
}

// laneKind is how the type of lanes is written.
type laneKind byte

const (
	lanesInt64 = 1 + iota
	lanesFloat32
	lanesFloat64
)

func (k laneKind) String() string {
	switch k {
	case lanesInt64:
		return "int64"
	case lanesFloat32:
		return "float32"
	case lanesFloat64:
		return "float64"
	}
	return fmt.Sprintf("%d, which is unknown", byte(k))
}

// kind is how the type of the lanes is written.
func (l lanes) kind() byte {
	switch {
	case l.f32 != nil:
		return lanesFloat32
	case l.f64 != nil:
		return lanesFloat64
	}
	return lanesInt64
}

// size is the number of bytes of all lanes.
func (l lanes) size() int { return 64 * (8*len(l.i64) + 4*len(l.f32) + 8*len(l.f64)) }

func (l lanes) append(dst []byte) []byte {
	for t := range l.i64 {
		for _, v := range l.i64[t] {
			dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
		}
	}
	for t := range l.f32 {
		for _, v := range l.f32[t] {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
		}
	}
	for t := range l.f64 {
		for _, v := range l.f64[t] {
			dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
		}
	}
	return dst
}

func (l lanes) read(r *stateReader) {
	for t := range l.i64 {
		for j := range l.i64[t] {
			l.i64[t][j] = int64(r.uint64())
		}
	}
	for t := range l.f32 {
		for j := range l.f32[t] {
			l.f32[t][j] = math.Float32frombits(r.uint32())
		}
	}
	for t := range l.f64 {
		for j := range l.f64[t] {
			l.f64[t][j] = math.Float64frombits(r.uint64())
		}
	}
}

// stateReader takes bytes apart; of what is not there it gives zeros.
type stateReader struct{ rest []byte }

func (r *stateReader) next(n int) []byte {
	got := make([]byte, n)
	r.rest = r.rest[copy(got, r.rest):]
	return got
}

func (r *stateReader) byte() byte     { return r.next(1)[0] }
func (r *stateReader) uint32() uint32 { return binary.LittleEndian.Uint32(r.next(4)) }
func (r *stateReader) uint64() uint64 { return binary.LittleEndian.Uint64(r.next(8)) }
