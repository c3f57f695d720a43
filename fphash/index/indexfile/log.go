package indexfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
)

// The log consists of frames, one for each fsync: see FORMAT.md.
//
// After the last frame, the file has zeros up to its end. They are on disk before a frame
// overwrites them. So if the system stopped while it was writing a frame, the frame has a whole
// sector of zeros, or no checksum at its end. A frame that is wrong in any other way was damaged
// later. A frame is written only after all earlier frames are on disk. So a wrong frame before a
// good one was also damaged later.
const (
	frameMagic      = 0x42485046 // "FPHB"
	frameBytes      = 48
	frameOverhead   = frameBytes + 8
	sectorBytes     = 512 // disks write a sector as a whole or not at all
	mostFrameToRead = 1 << 40
)

func appendFrame(dst []byte, salt, number uint64, allocated int64, payload []byte) []byte {
	start := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, frameMagic)
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	for _, n := range []uint64{number, salt, uint64(len(payload)), uint64(allocated)} {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	dst = binary.LittleEndian.AppendUint64(dst, xxhash.Sum64(dst[start:]))
	dst = append(dst, payload...)
	for (len(dst)-start+8)%align != 0 {
		dst = append(dst, 0)
	}
	return putSum(dst, max(1, xxhash.Sum64(dst[start:])))
}

// frameSize returns the size of a frame with a payload of the given length.
func frameSize(payload int) int64 { return aligned(int64(payload) + frameOverhead) }

// frame is a good frame.
type frame struct {
	number    uint64
	allocated int64
	payload   []byte
	next      int64 // end of the frame
}

// outcome describes what the log has at an offset.
type outcome int

const (
	good    outcome = iota
	free            // zeros to the end of the file
	torn            // incomplete frame that was never acknowledged
	damaged         // frame that was changed after it was written
)

// logReader reads the frames of a file.
type logReader struct {
	r    io.ReaderAt
	salt uint64
	size int64 // size of the file
	cut  bool  // whether the file is known to be truncated
}

// frameHeader is the content of the header of a frame.
type frameHeader struct {
	number, payload uint64
	allocated       int64
}

// parseFrameHeader parses the header of a frame. It returns false if the header is not that of a
// frame of this file.
func (l *logReader) parseFrameHeader(data []byte) (h frameHeader, ok bool) {
	u64 := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	h = frameHeader{u64(8), u64(24), int64(u64(32))}
	return h, u64(0) == frameMagic && u64(16) == l.salt && u64(40) == xxhash.Sum64(data[:40])
}

// next reads the frame with the given number at an offset. If the frame is not good, what describes
// why.
func (l *logReader) next(at int64, number uint64) (f frame, is outcome, what string, err error) {
	if at+align > l.size {
		return f, damaged, fmt.Sprintf("the file is cut off: it has %d bytes, expected at least %d", l.size, at+align), nil
	}
	head := make([]byte, frameBytes)
	if _, err := l.r.ReadAt(head, at); err != nil {
		return f, 0, "", err
	}
	h, ok := l.parseFrameHeader(head)
	if !ok {
		is, what, err = l.judgeHeader(at, number, head)
		return f, is, what, err
	}
	if h.number != number {
		return f, damaged, fmt.Sprintf("a batch has the number %d, expected %d", h.number, number), nil
	}
	if h.allocated > l.size && !l.cut {
		return f, damaged, fmt.Sprintf("the file is cut off: it had at least %d bytes", h.allocated), nil
	}
	if h.payload > mostFrameToRead || at+frameSize(int(h.payload)) > min(h.allocated-align, l.size) {
		return f, damaged, fmt.Sprintf("a batch of %d bytes, which exceeds the file", h.payload), nil
	}
	data := make([]byte, frameSize(int(h.payload)))
	if _, err := l.r.ReadAt(data, at); err != nil {
		return f, 0, "", err
	}
	end := len(data) - 8
	if sum := binary.LittleEndian.Uint64(data[end:]); sum != max(1, xxhash.Sum64(data[:end])) {
		if later, found, err := l.later(at+int64(len(data)), number); err != nil || found {
			return f, damaged, fmt.Sprintf("the checksum of batch %d is wrong, and batch %d after it is good", number, later), err
		}
		if halfWritten(data, at) {
			return f, torn, fmt.Sprintf("batch %d was not completely written, and never acknowledged", number), nil
		}
		return f, damaged, fmt.Sprintf("the checksum of batch %d, the last, is wrong", number), nil
	}
	return frame{number, h.allocated, data[frameBytes:][:h.payload], at + int64(len(data))}, good, "", nil
}

// mustNext is next for a frame that is known to be on disk.
func (l *logReader) mustNext(at int64, number uint64) (frame, error) {
	f, is, what, err := l.next(at, number)
	if err == nil && is != good {
		err = &Damage{at, l.size - at, what}
	}
	return f, err
}

// judgeHeader describes what the log has at an offset where no frame of the file begins.
func (l *logReader) judgeHeader(at int64, number uint64, head []byte) (outcome, string, error) {
	later, found, err := l.later(at+align, number)
	switch {
	case err != nil:
		return 0, "", err
	case found:
		return damaged, fmt.Sprintf("batch %d cannot be read, and batch %d after it is good", number, later), nil
	case !zeros(head):
		return damaged, fmt.Sprintf("the data where batch %d would begin does not belong to this file, expected zeros", number), nil
	}
	rest, err := l.zeros(at)
	switch {
	case err != nil:
		return 0, "", err
	case rest == l.size:
		return free, "", nil
	}
	return torn, fmt.Sprintf("the beginning of batch %d was not written, and it was never acknowledged", number), nil
}

// halfWritten reports whether a frame with a wrong checksum is incomplete: its last number or a
// whole sector is zero.
func halfWritten(data []byte, at int64) bool {
	if zeros(data[len(data)-8:]) {
		return true
	}
	for from := int64(0); from < int64(len(data)); {
		to := min(int64(len(data)), (at+from)/sectorBytes*sectorBytes+sectorBytes-at)
		if zeros(data[from:to]) {
			return true
		}
		from = to
	}
	return false
}

func zeros(data []byte) bool { return bytes.Count(data, []byte{0}) == len(data) }

// readAhead is the number of bytes that are read at a time in search of frames.
const readAhead = 1 << 20

// zeros returns the end of the zeros that begin at an offset.
func (l *logReader) zeros(at int64) (int64, error) {
	buffer := make([]byte, min(readAhead, max(0, l.size-at)))
	for at < l.size {
		n := min(int64(len(buffer)), l.size-at)
		if _, err := l.r.ReadAt(buffer[:n], at); err != nil {
			return 0, err
		}
		if !zeros(buffer[:n]) {
			return at, nil
		}
		at += n
	}
	return l.size, nil
}

// later looks for a frame after the given offset with a higher number.
func (l *logReader) later(at int64, number uint64) (uint64, bool, error) {
	_, h, found, err := l.find(at, number+1)
	return h.number, found, err
}

// find returns the first frame at or after an offset with at least the given number.
func (l *logReader) find(at int64, number uint64) (int64, frameHeader, bool, error) {
	buffer := make([]byte, min(readAhead, max(0, l.size-at)))
	for at = aligned(at); at+frameBytes <= l.size; {
		n := min(int64(len(buffer)), l.size-at)
		if _, err := l.r.ReadAt(buffer[:n], at); err != nil {
			return 0, frameHeader{}, false, err
		}
		for i := int64(0); i+frameBytes <= n; i += align {
			if binary.LittleEndian.Uint32(buffer[i:]) != frameMagic {
				continue
			}
			if h, ok := l.parseFrameHeader(buffer[i:]); ok && h.number >= number {
				return at + i, h, true, nil
			}
		}
		at += aligned(n)
	}
	return 0, frameHeader{}, false, nil
}

// The payload of a frame consists of batches. These are their operations.
const (
	opInsert = 1
	opDelete = 2
)

func appendInsert(dst []byte, e *Entries) []byte {
	dst = appendBatchHeader(dst, opInsert, e.Len())
	for i := range e.Len() {
		dst = appendID(dst, e.id(i), e.Texts != nil)
		for _, word := range e.At(i) {
			dst = binary.LittleEndian.AppendUint64(dst, word)
		}
	}
	return dst
}

func appendDelete(dst []byte, ids []ID, texts bool) []byte {
	dst = appendBatchHeader(dst, opDelete, len(ids))
	for _, id := range ids {
		dst = appendID(dst, id, texts)
	}
	return dst
}

func appendBatchHeader(dst []byte, operation, n int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(operation))
	return binary.LittleEndian.AppendUint32(dst, uint32(n))
}

func appendID(dst []byte, id ID, texts bool) []byte {
	if !texts {
		return binary.LittleEndian.AppendUint64(dst, id.Number)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(id.Text)))
	return append(dst, id.Text...)
}

// changes receives the operations of batches in order. Words are valid until the next call.
type changes interface {
	insert(id ID, words []uint64) error
	delete(id ID) error
}

// replay passes the operations of a payload to changes.
func (h *header) replay(payload []byte, to changes) error {
	r := batchReader{rest: payload}
	stride := h.stride()
	words := make([]uint64, stride)
	for len(r.rest) > 0 && !r.short {
		operation, n := r.uint32(), r.uint32()
		if operation != opInsert && operation != opDelete {
			return fmt.Errorf("operation %d, expected %d or %d", operation, opInsert, opDelete)
		}
		for range n {
			id := r.id(h.texts)
			if operation == opInsert {
				r.words(words)
			}
			if r.short {
				break
			}
			var err error
			if operation == opDelete {
				err = to.delete(id)
			} else if high := h.bits % 64; high > 0 && words[stride-1]>>high > 0 {
				err = fmt.Errorf("a fingerprint has bits above the width of %d bits", h.bits)
			} else {
				err = to.insert(id, words)
			}
			if err != nil {
				return err
			}
		}
	}
	if r.short {
		return fmt.Errorf("a batch ends before its last entry")
	}
	return nil
}

// batchReader parses a payload. At its end, it returns zeros and sets short.
type batchReader struct {
	rest  []byte
	short bool
}

func (r *batchReader) next(n int) []byte {
	if n > len(r.rest) {
		r.short, r.rest = true, nil
		return make([]byte, min(n, 8))
	}
	data := r.rest[:n]
	r.rest = r.rest[n:]
	return data
}

func (r *batchReader) uint32() uint32 { return binary.LittleEndian.Uint32(r.next(4)) }
func (r *batchReader) uint64() uint64 { return binary.LittleEndian.Uint64(r.next(8)) }

func (r *batchReader) id(texts bool) ID {
	if !texts {
		return ID{Number: r.uint64()}
	}
	return ID{Text: string(r.next(int(min(r.uint32(), longestText+1))))}
}

func (r *batchReader) words(to []uint64) {
	for i := range to {
		to[i] = r.uint64()
	}
}
