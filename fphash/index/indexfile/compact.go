package indexfile

import (
	"context"
	"errors"
	"math"
	"runtime"

	"simhashkit/internal/disk"
)

// Compact rewrites the whole file without the deleted entries. Afterwards, the log contains only
// the changes made during the compaction. Insert and Delete can run during a compaction, and wait
// only for its last step, which takes a few milliseconds and three calls of fsync. Readers keep the
// old file until they refresh. If Compact fails, the file does not change. On Windows, Compact
// fails while a Reader has the file open, and then the Writer can no longer be used. If the context
// is done before the last step, Compact fails.
//
// A compaction needs as much memory as Create and twice the memory of the log, and disk space for
// both files. If the disk fills up, Insert and Delete may also fail.
func (w *Writer) Compact(ctx context.Context) error {
	w.compacting.Lock()
	defer w.compacting.Unlock()
	if w.held == nil {
		return errors.New(notOpened)
	}
	c := &compaction{writer: w, old: w.held}
	last, size, failed := c.logged()
	if failed != nil {
		return named(w.path, failed)
	}
	oldFile := w.file
	err := c.run(ctx, last, size)
	if c.locked {
		w.mutex.Unlock()
		w.writing.Unlock()
	}
	if w.file != oldFile && !c.released { // without the locks: freeing a large file is slow
		err = errors.Join(err, c.old.base.close(), oldFile.Close())
	}
	return named(w.path, err)
}

// compaction is the state of a Compact call. It writes the entries up to some frame of the log to a
// new file, copies the later frames to the log of the new file, and then replaces the old file.
type compaction struct {
	writer *Writer
	old    *contents
	log    logReader // log of the old file
	end    int64     // offset of the first frame that has not been copied
	last   uint64    // number of the frame before end
	new    *contents // content of the new file

	locked   bool // set in the last step: Writer.writing and Writer.mutex are locked
	released bool // whether the old file is closed
}

// run compacts the entries up to frame last, and then the changes appended in the meantime. The old
// file has at least the given size.
func (c *compaction) run(ctx context.Context, last uint64, size int64) error {
	w := c.writer
	c.log = logReader{r: w.file, salt: c.old.salt, size: size}
	e, err := c.entries(ctx, last)
	if err != nil {
		return err
	}
	existing, err := w.file.Stat()
	if err != nil {
		return err
	}
	o := c.old.options()
	o.Workers = max(1, runtime.GOMAXPROCS(0)-1) // leave one processor for others
	f, err := writeWhole(ctx, w.disk, w.path, existing, e, o, c.catchUp)
	if err == nil {
		return c.swap(f)
	}
	if c.new != nil {
		err = errors.Join(err, c.new.base.close())
	}
	if c.locked {
		if same, _ := isNamed(w.file, w.path); c.released || !same {
			return w.fail(err)
		}
	}
	return err
}

// entries returns the entries of the file up to frame last. It reads the log again, because the
// writer's contents change during the compaction.
func (c *compaction) entries(ctx context.Context, last uint64) (e *Entries, err error) {
	then := newContents(c.old.base)
	if err := then.readTo(last, &c.log); err != nil {
		return nil, err
	}
	c.end, c.last = then.end, then.last
	return then.all(ctx)
}

// fewBytes is the number of bytes of the log that are copied so quickly that writers can wait.
const fewBytes = 1 << 18

// catchUp copies frames to the new file until only a few are left, or until new ones arrive as fast
// as it copies. Then it takes the locks, so that writers wait, and copies the last frames. The
// caller must release the locks.
func (c *compaction) catchUp(f disk.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	b, err := openBase(f, info.Size())
	if err != nil {
		return err
	}
	c.new = newContents(b)
	for before := int64(math.MaxInt64); ; {
		from := c.end
		if err := c.copyFrames(f); err != nil {
			return err
		}
		copied := c.end - from
		if copied < fewBytes || copied > before/2 {
			break
		}
		before = copied
	}
	c.writer.writing.Lock()
	c.writer.mutex.Lock()
	c.locked = true
	if err := c.copyFrames(f); err != nil || !opensBlockRename {
		return err
	}
	c.released = true
	return errors.Join(c.new.base.close(), c.old.base.close(), c.writer.file.Close())
}

// logged returns the number of the last frame of the log, the size of the file and, if the writer
// has failed, its error.
func (c *compaction) logged() (last uint64, size int64, failed error) {
	if !c.locked {
		c.writer.mutex.Lock()
		defer c.writer.mutex.Unlock()
	}
	return c.old.last, c.old.known, c.writer.failed
}

// copyFrames combines all frames that have not been copied, and appends them to the new file as one
// frame.
func (c *compaction) copyFrames(f disk.File) error {
	last, size, failed := c.logged()
	if failed != nil || last == c.last {
		return failed
	}
	c.log.size = size
	var payload []byte
	for c.last < last {
		f, err := c.log.mustNext(c.end, c.last+1)
		if err != nil {
			return err
		}
		payload = append(payload, f.payload...)
		c.end, c.last = f.next, f.number
	}
	end, known, err := writeFrame(f, payload, c.new)
	if err != nil {
		return err
	}
	return c.new.apply(frame{c.new.last + 1, known, payload, end})
}

// swap makes the writer use the new file. The caller holds both locks.
func (c *compaction) swap(f disk.File) error {
	w := c.writer
	if c.released {
		f, size, err := w.lockFile()
		if err != nil {
			return w.fail(err)
		}
		if err := w.take(f, size); err != nil {
			f.Close()
			return w.fail(err)
		}
	} else {
		w.file, w.held = f, c.new
	}
	if w.pending != nil { // the waiting goroutine will write these to the new file
		if err := w.held.replay(w.pending.payload, w.held); err != nil {
			return w.fail(err)
		}
	}
	w.delta = delta{} // of the old file
	return nil
}
