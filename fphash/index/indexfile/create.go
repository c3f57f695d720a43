// Package indexfile stores an index of fingerprints in a file. The file can be searched
// immediately, without loading it, and survives crashes. One process at a time can write the file,
// and any number can read it.
//
// The file begins with a base: all fingerprints in ascending order of their ids, at the time when
// the file was last written as a whole, and tables for searching them. It is mapped to memory, and
// a query reads only the parts it needs. Each block of 64 KiB is checked before its first use.
// After the base follows a log of inserts and deletes. [Writer.Insert], [Writer.InsertUnlessNear]
// and [Writer.Delete] return when their changes are on disk; concurrent calls share one fsync.
// [Writer.Compact] rewrites the whole file while others continue to insert.
//
// A [Writer] and a [Reader] hold the log in memory, about 190 and 280 bytes per entry with an id of
// 10 bytes and 64 bits. [Create] needs about 150 bytes per entry, including its arguments.
//
// A crash never loses an acknowledged entry, and never adds one. If a crash leaves an incomplete
// entry at the end of the log, the next writer removes and reports it. Any other change to the file
// is an error, [*Damage], with its location. [Verify] checks the whole file, and can write the
// intact entries to a new file. FORMAT.md describes the file byte by byte.
//
// Files can be written and read on Unix (except AIX) and on Windows. On other systems, they can
// only be read. Windows cannot replace an open file: see [Writer.Compact]. It also does not force
// the names of new files to disk, so a power failure may undo a Create or a Compact as a whole.
// Tests run on Linux; for Windows, macOS and FreeBSD the package is only compiled and vetted.
package indexfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash/index/internal/search"
	"simhashkit/internal/disk"
)

// Options describe a new file and its searches.
type Options struct {
	K       int  // largest distance of queries
	Texts   bool // whether ids are texts
	Workers int  // goroutines for building tables; 0 means one per processor

	// Features describes the features of the fingerprints, such as the features of texts and their
	// weights. The package only stores it; "" means unknown.
	Features string
}

// Create creates a file with the given entries. There may be none, but their width and definition
// apply to all later entries. Create returns an error if the file exists. The file is created as a
// whole or not at all, and is on disk when Create returns. If the context is done, Create returns
// an error, and there is no file.
func Create(ctx context.Context, path string, e *Entries, o Options) error {
	return create(ctx, disk.Real{}, path, e, o)
}

func create(ctx context.Context, d disk.Disk, path string, e *Entries, o Options) error {
	if e == nil {
		return errNoEntries
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w, expected a new file", path, os.ErrExist)
	}
	if o.K < 0 || o.K >= max(e.Bits, 1) {
		return fmt.Errorf("indexfile: k = %d, expected 0 to %d, less than the %d bits of fingerprints", o.K, e.Bits-1, e.Bits)
	}
	if e.Definition != "" {
		if err := e.CheckDefinition(); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if n := len(e.Definition) + len(o.Features); n > mostHeader/2 {
		return fmt.Errorf("indexfile: definition and features of %d bytes, expected at most %d", n, mostHeader/2)
	}
	if err := e.check(o.Texts); err != nil {
		return err
	}
	written := func(disk.File) error { return nil }
	f, err := writeWhole(ctx, d, path, nil, e.sorted(), o, written)
	if err != nil || f == nil {
		return err
	}
	return f.Close()
}

var errNoEntries = errors.New("indexfile: no entries; for an empty file, set Bits and Definition")

// unfinished is the suffix of the names of incomplete files. The process that writes such a file
// holds its lock.
const unfinished = ".unfinished"

// writeWhole writes a new file that replaces the existing one, which is nil if there is none. It
// returns the file locked. On error, the existing file keeps its name. When the new file is on
// disk, before the rename, writeWhole calls written. If open files cannot be renamed, written
// closes the existing file, and writeWhole returns nil.
func writeWhole(ctx context.Context, d disk.Disk, path string, existing os.FileInfo, e *Entries, o Options, written func(disk.File) error) (whole disk.File, err error) {
	if existing != nil { // path may be a link to it
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	removeLeftovers(path)
	f, err := createLocked(d, path, existing)
	if err != nil {
		return nil, err
	}
	renamed := false
	defer func() {
		if err != nil {
			f.Close()
			if !renamed {
				err = errors.Join(err, d.Remove(f.Name()))
			}
		}
	}()
	if err := writeBase(ctx, &steadyWriter{File: f, ctx: ctx}, e, o); err != nil {
		return nil, err
	}
	place := d.Place
	if existing != nil {
		place = d.Rename
		if err := f.Chmod(existing.Mode().Perm()); err != nil {
			return nil, err
		}
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	if err := written(f); err != nil {
		return nil, err
	}
	whole = f
	if opensBlockRename {
		whole = nil
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	if err := place(f.Name(), path); err != nil {
		return nil, err
	}
	renamed = true
	return whole, d.SyncFolder(filepath.Dir(path))
}

// steadyWriter writes to a file and calls fsync at regular intervals. After a single large fsync at
// the end, fsyncs of other processes on the same file system would wait for all the data.
// It fails when the context is done.
type steadyWriter struct {
	disk.File
	ctx     context.Context
	waiting int // number of bytes since the last fsync
}

const mostWaiting = 32 << 20

func (s *steadyWriter) WriteAt(p []byte, at int64) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	n, err := s.File.WriteAt(p, at)
	if s.waiting += n; err == nil && s.waiting >= mostWaiting {
		s.waiting, err = 0, s.File.Sync()
	}
	return n, err
}

// createLocked creates a temporary file beside path and locks it.
func createLocked(d disk.Disk, path string, existing os.FileInfo) (disk.File, error) {
	for {
		f, err := disk.CreateTemp(d, path, unfinished, existing)
		if err != nil {
			var inner *fs.PathError
			if errors.As(err, &inner) { // it contains the temporary name
				err = &fs.PathError{Op: "create", Path: path, Err: inner.Err}
			}
			return nil, err
		}
		if err = mustLock(f, f.Name()); err == nil {
			return f, nil
		}
		f.Close()
		if !errors.Is(err, errBusy) { // the file was not removed as a leftover
			return nil, errors.Join(err, d.Remove(f.Name()))
		}
	}
}

// removeLeftovers removes temporary files that killed writers of this file left behind. A running
// writer holds a lock on its temporary file, so that file is kept. If files cannot be locked, all
// temporary files are kept.
func removeLeftovers(path string) {
	names, _ := disk.ListTemp(path, unfinished)
	for _, name := range names {
		removeUnlocked(name)
	}
}

func removeUnlocked(name string) {
	f, err := os.OpenFile(name, os.O_RDWR|noFollow, 0)
	if err != nil {
		return // for example, because it was renamed to its final name
	}
	defer f.Close()
	if mustLock(disk.RealFile{File: f}, name) == nil {
		if opensBlockRename { // also protects a file that another process opens now
			f.Close()
		}
		_ = os.Remove(name)
	}
}

// mustLock locks a file and checks that it still has the given name.
func mustLock(f disk.File, name string) error {
	ok, err := lock(f.Handle())
	if err == nil && ok {
		ok, err = isNamed(f, name)
	}
	if err == nil && !ok {
		err = errBusy
	}
	return named(name, err)
}

// isNamed reports whether a file still has the given name.
func isNamed(f disk.File, name string) (bool, error) {
	own, err := f.Stat()
	if err != nil {
		return false, err
	}
	now, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(own, now), err
}

// errBusy is the error for a file that is already open for writing.
var errBusy = errors.New("the file is already open for writing, by another process or another Writer of this one: wait until it has ended")

// IsFile reports whether a file begins like an index file, or is one that was cut off at its
// beginning.
func IsFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(magic))
	n, err := io.ReadFull(f, start)
	return n > 0 && string(start[:n]) == magic[:n] && (err == nil || err == io.ErrUnexpectedEOF)
}

// writeBase writes a file with the given entries, which must be sorted by id, and an empty log.
// When it returns, the data may not be on disk yet.
func writeBase(ctx context.Context, f io.WriterAt, e *Entries, o Options) error {
	s, err := search.Build(ctx, search.Fingerprints{Bits: e.Bits, Words: e.Words}, o.K, o.Workers)
	if err != nil {
		return err
	}
	h := &header{
		salt: rand.Uint64(), bits: e.Bits, k: o.K, texts: o.Texts, design: s.Design(), entries: uint64(e.Len()), definition: e.Definition, features: o.Features,
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
	for i, t := range s.Tables() {
		u32(sectionStarts, uint32(i), t.Starts)
		u32(sectionScreens, uint32(i), t.Screens)
		u32(sectionPositions, uint32(i), t.Positions)
	}
	h.measure()
	from := h.dataFrom()
	for i := range h.sections {
		h.sections[i].Offset += from
	}
	h.dataTo = from + at
	h.logFrom = aligned(h.dataTo + 8*int64(h.blocks()))
	h.allocated = (h.logFrom + align + sectorBytes - 1) / sectorBytes * sectorBytes
	return h.write(f, contents)
}

// write writes the sections, their checksums, zeros up to the end, and then the header, which
// contains the checksum of the checksums.
func (h *header) write(f io.WriterAt, contents []func(func([]byte) error) error) error {
	out := &blockWriter{at: h.dataFrom(), checksum: xxhash.New()}
	out.w = bufio.NewWriterSize(io.NewOffsetWriter(f, 0), writeAtOnce)
	if _, err := out.w.Write(make([]byte, out.at)); err != nil { // the header replaces these zeros
		return err
	}
	for i, content := range contents {
		if err := out.zeros(h.sections[i].Offset); err != nil {
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

// writeAtOnce is the size of writes, which start at multiples of it. If possible, the system stores
// and maps such large pieces as huge pages.
const writeAtOnce = 4 << 20

// blockWriter computes the checksum of each block.
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

func (b *blockWriter) zeros(to int64) error {
	var none [4096]byte
	for b.at < to {
		if err := b.write(none[:min(int64(len(none)), to-b.at)]); err != nil {
			return err
		}
	}
	return nil
}
