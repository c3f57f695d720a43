package indexfile

import (
	"encoding/binary"
	"fmt"
)

// The payload of a frame is batches, each 4 bytes operation, 4 bytes number of entries n, and n
// entries: a number of 8 bytes, or 4 bytes length and a text; for insertions then the words of the
// fingerprint.
const (
	opInsert = 1
	opDelete = 2
)

// appendInsert appends the batch that inserts all entries.
func appendInsert(dst []byte, e *Entries) []byte {
	dst = appendBatchHeader(dst, opInsert, e.Len())
	for i := range e.Len() {
		dst = appendID(dst, e.id(i), e.Texts != nil)
		dst = appendWords(dst, e.At(i))
	}
	return dst
}

// appendDelete appends the batch that deletes entries.
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

func appendWords(dst []byte, words []uint64) []byte {
	for _, word := range words {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	return dst
}

// changes takes what batches do, in their order. Words are valid until the next call.
type changes interface {
	insert(id ID, words []uint64) error
	delete(id ID) error
}

// replay reads the batches of a payload.
func (h *header) replay(payload []byte, to changes) error {
	r := batchReader{rest: payload}
	stride := (h.bits + 63) / 64
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
				err = fmt.Errorf("a fingerprint has bits above the %d", h.bits)
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

// batchReader parses a payload. Past its end it returns zeros and reports that it is short.
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
