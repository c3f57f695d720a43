package fphash

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// ErrMismatch means that fingerprints cannot be compared, or sums cannot be added, because their
// definitions differ. Test for it with errors.Is.
var ErrMismatch = errors.New("fphash: different definitions")

// The binary form of an accumulator begins with a magic number, whose last byte is the version, and
// the definition. It ends with a checksum. FORMAT.md describes it byte by byte. All numbers are
// little-endian.

// appendHeader appends the magic number and the definition.
func appendHeader(dst []byte, magic, definition string) []byte {
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(definition)))
	return append(dst, definition...)
}

// appendChecksum appends the CRC-32C of dst[start:].
func appendChecksum(dst []byte, start int) []byte {
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// openState checks the magic number, the version and the checksum. It returns the definition and a
// reader of the rest. name is the kind of data, for errors.
func openState(data []byte, magic, name string) (r stateReader, definition string, err error) {
	version := len(magic) - 1
	if len(data) < len(magic) || string(data[:version]) != magic[:version] {
		return r, "", fmt.Errorf("fphash: invalid %s: expected data that begins with %s", name, magic[:version-1])
	}
	if data[version] != magic[version] {
		return r, "", fmt.Errorf("fphash: %s of version %d, expected %d", name, data[version], magic[version])
	}
	end := len(data) - 4
	if end < len(magic) || crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return r, "", fmt.Errorf("fphash: the %s is cut off or damaged: its checksum is wrong", name)
	}
	r.rest = data[len(magic):end]
	return r, string(r.next(int(min(r.uint32(), uint32(len(data)))))), nil
}

// stateReader reads values from bytes. At the end, it returns zeros.
type stateReader struct{ rest []byte }

func (r *stateReader) next(n int) []byte {
	got := make([]byte, n)
	r.rest = r.rest[copy(got, r.rest):]
	return got
}

func (r *stateReader) byte() byte     { return r.next(1)[0] }
func (r *stateReader) uint32() uint32 { return binary.LittleEndian.Uint32(r.next(4)) }
func (r *stateReader) uint64() uint64 { return binary.LittleEndian.Uint64(r.next(8)) }

// accumulatorMagic is the magic number of an accumulator; its last byte is the version. FORMAT.md
// describes the binary form.
const accumulatorMagic = "FPHACC\x00\x01"

// AppendBinary appends the definition and the state, that is, the sums and the open group. An
// accumulator that reads the state continues from it, bit for bit. Instead of a key, AppendBinary
// writes only the key's fingerprint.
func (a *Accumulator[W]) AppendBinary(dst []byte) ([]byte, error) {
	if a == nil || a.sketcher == nil {
		return dst, errors.New(accumulatorNotMade)
	}
	a.guard.read()
	start := len(dst)
	dst = appendHeader(dst, accumulatorMagic, a.sketcher.String())
	b := borrow(a.sketcher)
	if kind := a.sums.kind(); kind == lanesInt64 || kind == lanesMinima {
		dst = append(dst, kind, 0)
		dst = a.closed(b).append(dst)
	} else {
		dst = append(dst, a.sums.kind(), byte(a.pending.n))
		dst = a.sums.append(dst)
		dst = a.pending.append(dst, b)
	}
	giveBack(a.sketcher, b)
	return appendChecksum(dst, start), nil
}

// append appends the codes of the features and their floating-point weights.
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

// MarshalBinary returns the same bytes as AppendBinary.
func (a *Accumulator[W]) MarshalBinary() ([]byte, error) { return a.AppendBinary(nil) }

// UnmarshalBinary replaces the state with the one in data.
//
// An Accumulator made by NewAccumulator must have the definition of the state. A zero Accumulator
// adopts the definition, unless it has a key or an unregistered hash. UnmarshalBinary returns an
// error and changes nothing if the definitions or the types of the sums differ, or if the data is
// truncated or damaged.
func (a *Accumulator[W]) UnmarshalBinary(data []byte) error {
	a.entered()
	r, text, err := openState(data, accumulatorMagic, "accumulator")
	if err != nil {
		return err
	}
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
			s, err = New(d)
		}
		if err != nil {
			return nil, fmt.Errorf("fphash: an accumulator of %s can only be read into one made by NewAccumulator: %w", definition, err)
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
	if n >= pendingMost || n > 0 && (kind == lanesInt64 || kind == lanesMinima) || len(r.rest) != size {
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

// allCodes returns the codes of the pending features, word t of feature i at [t·pendingMost+i].
func (p *pendingFeatures[W]) allCodes(b *buffers) []uint64 {
	all := make([]uint64, b.words*pendingMost)
	copy(all, p.codes)
	if n := p.n - p.hashed; n > 0 {
		rest := b.encode(columnOf(p.indices[p.hashed:p.n]))
		for t := range b.words {
			copy(all[t*pendingMost+p.hashed:], rest[t*n:(t+1)*n])
		}
	}
	return all
}

// laneKind is the code of a lane type in the binary form.
type laneKind byte

const (
	lanesInt64 = 1 + iota
	lanesFloat32
	lanesFloat64
	lanesMinima
)

func (k laneKind) String() string {
	switch k {
	case lanesInt64:
		return "int64"
	case lanesFloat32:
		return "float32"
	case lanesFloat64:
		return "float64"
	case lanesMinima:
		return "uint32, minima"
	}
	return fmt.Sprintf("%d, which is unknown", byte(k))
}

// kind returns the code of the lane type.
func (l lanes) kind() byte {
	switch {
	case l.f32 != nil:
		return lanesFloat32
	case l.f64 != nil:
		return lanesFloat64
	case l.minima != nil:
		return lanesMinima
	}
	return lanesInt64
}

// size returns the size of all lanes in bytes.
func (l lanes) size() int { return 64 * (8*len(l.i64) + 4*len(l.f32) + 8*len(l.f64) + 4*len(l.minima)) }

func (l lanes) append(dst []byte) []byte {
	dst = appendLanes(dst, l.i64)
	dst = appendLanes(dst, l.f32)
	dst = appendLanes(dst, l.f64)
	return appendLanes(dst, l.minima)
}

// read reads the output of append. The caller has checked the size.
func (l lanes) read(r *stateReader) {
	readLanes(r, l.i64)
	readLanes(r, l.f32)
	readLanes(r, l.f64)
	readLanes(r, l.minima)
}

func appendLanes[T any](dst []byte, lanes [][64]T) []byte {
	for t := range lanes {
		dst, _ = binary.Append(dst, binary.LittleEndian, lanes[t][:]) // numbers cannot fail
	}
	return dst
}

func readLanes[T any](r *stateReader, lanes [][64]T) {
	for t := range lanes {
		n, _ := binary.Decode(r.rest, binary.LittleEndian, lanes[t][:])
		r.rest = r.rest[n:]
	}
}
