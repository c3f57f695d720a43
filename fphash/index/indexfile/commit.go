package indexfile

import "fmt"

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
		at, number, known := c.end, c.last+1, c.known
		w.mutex.Unlock()
		if g.written, g.err = true, failed; failed == nil {
			var end int64
			end, known, g.err = w.writeFrame(g.payload, at, number, known, c)
			w.mutex.Lock()
			if g.err != nil {
				g.err = w.fail(g.err)
			} else {
				c.end, c.last, c.known = end, number, known
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

// growMost is by how much a file grows at a time, at most, beyond what is needed.
const growMost = 16 << 20

// writeFrame writes a frame and has it on disk. Before that the file grows if need be, by zeros
// that are on disk before anything is written over them.
func (w *Writer) writeFrame(payload []byte, at int64, number uint64, known int64, c *contents) (end, size int64, err error) {
	end = at + frameSize(len(payload))
	if need := end + align; need > known {
		to := (need + min(end-c.logFrom, growMost) + sectorBytes - 1) / sectorBytes * sectorBytes
		if err := writeZeros(w.file, known, to); err != nil {
			return 0, 0, err
		}
		if err := w.file.Sync(); err != nil {
			return 0, 0, err
		}
		known = to
	}
	if _, err := w.file.WriteAt(appendFrame(nil, c.salt, number, known, payload), at); err != nil {
		return 0, 0, err
	}
	return end, known, w.file.Sync()
}
