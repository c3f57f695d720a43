package indexfile

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// Options define the content of a new file, and how it is searched.
type Options struct {
	K       int  // the largest distance that queries will ask for
	Texts   bool // ids are texts
	Workers int  // goroutines that build tables; 0 is one a processor

	// Features describes the features of the fingerprints, such as those of texts and their
	// weights. The package only stores it; "" means unknown.
	Features string
}

// writeBase writes a file with those entries, whose order is that of their ids, and an empty log.
// What it writes is not yet on disk.
func writeBase(f io.WriterAt, e *Entries, o Options) error {
	withoutIDs := e.Set
	withoutIDs.IDs = nil
	design, tables, err := index.Arrange(&withoutIDs, o.K, o.Workers)
	if err != nil {
		return err
	}
	h := &header{
		salt: rand.Uint64(), bits: e.Bits, k: o.K, texts: o.Texts, design: design, entries: uint64(e.Len()), definition: e.Definition, features: o.Features,
	}
	var contents []func(write func([]byte) error) error
	at := int64(0)
	add := func(kind, table uint32, size int64, content func(func([]byte) error) error) {
		if size > 0 {
			at = aligned(at)
			h.sections = append(h.sections, section{kind, table, at, size})
			contents = append(contents, content)
			at += size
		}
	}
	u64 := func(kind uint32, list []uint64) {
		add(kind, 0, 8*int64(len(list)), func(write func([]byte) error) error { return writeNumbers(list, write) })
	}
	u32 := func(kind, table uint32, list []uint32) {
		add(kind, table, 4*int64(len(list)), func(write func([]byte) error) error { return writeNumbers(list, write) })
	}
	u64(sectionWords, e.Words)
	if o.Texts {
		ends, end := make([]uint64, len(e.Texts)), uint64(0)
		for i, text := range e.Texts {
			end += uint64(len(text))
			ends[i] = end
		}
		u64(sectionTextEnds, ends)
		add(sectionTexts, 0, int64(end), func(write func([]byte) error) error {
			for _, text := range e.Texts {
				if err := write([]byte(text)); err != nil {
					return err
				}
			}
			return nil
		})
	} else {
		ids := e.IDs
		if ids == nil {
			ids = make([]uint64, e.Len())
			for i := range ids {
				ids[i] = uint64(i)
			}
		}
		u64(sectionNumbers, ids)
	}
	for i, t := range tables {
		u32(sectionStarts, uint32(i), t.Starts)
		u32(sectionScreens, uint32(i), t.Screens)
		u32(sectionPositions, uint32(i), t.Positions)
	}
	h.measure()
	from := h.dataFrom()
	for i := range h.sections {
		h.sections[i].offset += from
	}
	h.dataTo = from + at
	h.logFrom = aligned(h.dataTo + 8*int64(h.blocks()))
	h.allocated = (h.logFrom + align + sectorBytes - 1) / sectorBytes * sectorBytes
	return h.write(f, contents)
}

// write writes sections, checksums and zeros to the end, and then the header, which has the
// checksum of the checksums.
func (h *header) write(f io.WriterAt, contents []func(func([]byte) error) error) error {
	if h.length > mostHeader {
		return fmt.Errorf("indexfile: a header of %d bytes, expected at most %d", h.length, mostHeader)
	}
	out := &blockWriter{at: h.dataFrom(), checksum: xxhash.New()}
	out.w = bufio.NewWriterSize(&offsetWriter{f, 0}, writeAtOnce)
	if _, err := out.w.Write(make([]byte, out.at)); err != nil { // which the header replaces
		return err
	}
	for i, content := range contents {
		if err := out.zeros(h.sections[i].offset); err != nil {
			return err
		}
		if err := content(out.write); err != nil {
			return err
		}
	}
	out.closeBlock()
	h.sums = xxhash.Sum64(out.sums)
	sums := out.sums
	if err := out.write(sums); err != nil {
		return err
	}
	if err := out.zeros(h.allocated); err != nil {
		return err
	}
	if err := out.w.Flush(); err != nil {
		return err
	}
	_, err := f.WriteAt(h.append(nil), 0)
	return err
}

// writeAtOnce is how much is written at a time, at multiples of it: the system keeps so large
// pieces in huge pages where it can, and maps them so.
const writeAtOnce = 4 << 20

// offsetWriter writes one thing behind the other.
type offsetWriter struct {
	f  io.WriterAt
	at int64
}

func (o *offsetWriter) Write(p []byte) (int, error) {
	n, err := o.f.WriteAt(p, o.at)
	o.at += int64(n)
	return n, err
}

// blockWriter keeps the checksum of each block.
type blockWriter struct {
	w        *bufio.Writer
	at       int64
	checksum *xxhash.Digest
	inBlock  int
	sums     []byte
}

func (b *blockWriter) write(data []byte) error {
	if _, err := b.w.Write(data); err != nil {
		return err
	}
	b.at += int64(len(data))
	for len(data) > 0 {
		n := min(len(data), blockBytes-b.inBlock)
		b.checksum.Write(data[:n])
		if b.inBlock += n; b.inBlock == blockBytes {
			b.closeBlock()
		}
		data = data[n:]
	}
	return nil
}

func (b *blockWriter) closeBlock() {
	if b.inBlock > 0 {
		b.sums = putSum(b.sums, b.checksum.Sum64())
		b.checksum.Reset()
		b.inBlock = 0
	}
}

// zeros writes zeros up to a place.
func (b *blockWriter) zeros(to int64) error {
	var none [4096]byte
	for b.at < to {
		if err := b.write(none[:min(int64(len(none)), to-b.at)]); err != nil {
			return err
		}
	}
	return nil
}

// group is batches that are written as one frame.
type group struct {
	payload []byte
	written bool // guarded by writing, as err
	err     error
}

// joined returns the group that batches join now.
func (w *Writer) joined() *group {
	if w.pending == nil {
		w.pending = new(group)
	}
	return w.pending
}

// commit returns when the group is on disk. Whoever comes first writes what all have brought that
// wait behind the one who is writing.
func (w *Writer) commit(g *group) error {
	w.writing.Lock()
	defer w.writing.Unlock()
	if !g.written {
		w.mutex.Lock()
		w.pending = nil // it is g
		failed, c := w.failed, w.held
		w.mutex.Unlock()
		if g.written, g.err = true, failed; failed == nil {
			var end, known int64
			end, known, g.err = writeFrame(w.file, g.payload, c)
			w.mutex.Lock()
			if g.err != nil {
				g.err = w.fail(g.err)
			} else {
				c.end, c.last, c.known = end, c.last+1, known
			}
			w.mutex.Unlock()
		}
	}
	return g.err
}

// fail makes the error that of all further calls. The mutex is held.
func (w *Writer) fail(err error) error {
	if w.failed == nil {
		w.failed = fmt.Errorf("%w; the index takes nothing more until it is opened again", err)
	}
	return err
}

// growMost is the most by which a file grows at a time beyond what is needed.
const growMost = 16 << 20

// writeFrame writes a frame behind the contents of a file, and has it on disk. Before that the file
// grows if need be, by zeros that are on disk before anything is written over them. It returns where
// the frame ends, and the size of the file.
func writeFrame(f disk.File, payload []byte, c *contents) (end, size int64, err error) {
	at, known := c.end, c.known
	end = at + frameSize(len(payload))
	if need := end + align; need > known {
		to := (need + min(end-c.logFrom, growMost) + sectorBytes - 1) / sectorBytes * sectorBytes
		if err := writeZeros(f, known, to); err != nil {
			return 0, 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, 0, err
		}
		known = to
	}
	if _, err := f.WriteAt(appendFrame(nil, c.salt, c.last+1, known, payload), at); err != nil {
		return 0, 0, err
	}
	return end, known, f.Sync()
}
