// Package indexfile keeps an index of fingerprints in a file: it opens at once, is searched without
// being loaded, and survives crashes. One process at a time can write it, and any number can read
// it.
//
// The file begins with a base: all fingerprints in ascending order of their ids when it was last
// written as a whole, and the tables that find them. It is mapped to memory, and a query reads only
// the parts it needs. Each block of 64 KiB is checked before its first use. Behind the base is a
// log of inserts and deletes. [Writer.Insert] and [Writer.Delete] return when their entry in the
// log is on disk; concurrent calls share one fsync. [Writer.Compact] writes the whole file anew
// while others go on inserting.
//
// A [Writer] and a [Reader] hold the log in memory, about 170 and 260 bytes an entry with an id of
// 10 bytes and 64 bits. [Create] needs about 150 bytes an entry, including its arguments.
//
// A crash never loses an acknowledged entry, and never adds one. The next writer removes, and
// reports, an entry that a crash left half written at the end of the log. Any other change to the
// file is an error, [*Damage], which says where it is. [Verify] checks the whole file, and
// [Salvage] writes what is left to a new file. FORMAT.md describes the file byte by byte.
//
// Files can be written and read on Unix (except AIX) and on Windows. On other systems that the
// package compiles for, they can only be read. Windows cannot replace an open file: see
// [Writer.Compact]. It also does not force the names of new files to disk, so a power cut may undo
// a Create or a Compact as a whole. Tests run on Linux; for Windows, macOS and FreeBSD the package
// is only compiled and vetted.
package indexfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash/index"
	"simhashkit/internal/disk"
)

// Options describe a new file and how it is searched.
type Options struct {
	K       int  // the largest distance that queries will ask for
	Texts   bool // ids are texts
	Workers int  // goroutines that build tables; 0 means one per processor

	// Features describes the features of the fingerprints, such as which features of texts and
	// which weights. The package only stores it; "" means unknown.
	Features string
}

// Create makes a file with these entries. There may be none, but their width and definition are
// those of all later entries. Create fails if a file with that name exists. The file appears as a
// whole or not at all, and is on disk when Create returns.
func Create(path string, e *Entries, o Options) error { return create(disk.Real{}, path, e, o) }

func create(d disk.Disk, path string, e *Entries, o Options) error {
	if e == nil {
		return errNoEntries
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w, expected a new file", path, os.ErrExist)
	}
	if err := checkOptions(o, e.Bits); err != nil {
		return err
	}
	if e.Definition != "" {
		if err := index.CheckDefinition(e.Definition, e.Bits); err != nil {
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
	f, err := writeWhole(d, path, nil, e.sorted(), o, written)
	if err != nil || f == nil {
		return err
	}
	return f.Close()
}

func checkOptions(o Options, bits int) error {
	if o.K < 0 || o.K >= max(bits, 1) {
		return fmt.Errorf("indexfile: k = %d, expected 0 to %d, less than the %d bits of fingerprints", o.K, bits-1, bits)
	}
	return nil
}

var errNoEntries = errors.New("indexfile: no entries, expected some; of an empty file the Bits and the Definition")

// unfinished is the suffix of the names of incomplete files. The process that writes such a file
// holds its lock.
const unfinished = ".unfinished"

// writeWhole writes a file that replaces the existing one or, if existing is nil, is new. It
// returns the file locked. On an error, the existing file keeps its name. It calls written when the
// new file is on disk, before the rename. If open files cannot be renamed, written closes the
// existing file, and writeWhole returns nil.
func writeWhole(d disk.Disk, path string, existing os.FileInfo, e *Entries, o Options, written func(disk.File) error) (whole disk.File, err error) {
	if existing != nil { // which a link may lead to
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
	if err := writeBase(&steadyWriter{File: f}, e, o); err != nil {
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

// steadyWriter writes to a file and makes the system write the data to disk at regular intervals.
// If all data waited for a single fsync, the fsyncs of other processes on the same file system
// would wait, too.
type steadyWriter struct {
	disk.File
	waiting int // bytes since the last fsync
}

const mostWaiting = 32 << 20

func (s *steadyWriter) WriteAt(p []byte, at int64) (int, error) {
	n, err := s.File.WriteAt(p, at)
	if s.waiting += n; err == nil && s.waiting >= mostWaiting {
		s.waiting, err = 0, s.File.Sync()
	}
	return n, err
}

// createLocked makes a file beside path, with its lock.
func createLocked(d disk.Disk, path string, existing os.FileInfo) (disk.File, error) {
	for {
		f, err := disk.CreateTemp(d, path, unfinished, existing)
		if err != nil {
			var inner *fs.PathError
			if errors.As(err, &inner) { // it contains a name that the user does not know
				err = &fs.PathError{Op: "create", Path: path, Err: inner.Err}
			}
			return nil, err
		}
		if err = mustLock(f, f.Name()); err == nil {
			return f, nil
		}
		f.Close()
		if !errors.Is(err, ErrBusy) { // nobody took it for a leftover before it was locked
			return nil, errors.Join(err, d.Remove(f.Name()))
		}
	}
}

// removeLeftovers removes temporary files that killed writers of this file left. A live writer
// holds a lock on its temporary file, so that file stays. If files cannot be locked, all temporary
// files stay.
func removeLeftovers(path string) {
	names, _ := disk.ListTemp(path, unfinished)
	for _, name := range names {
		removeUnlocked(name)
	}
}

func removeUnlocked(name string) {
	f, err := os.OpenFile(name, os.O_RDWR|noFollow, 0)
	if err != nil {
		return // for example because it has been renamed to its final name
	}
	defer f.Close()
	if mustLock(disk.RealFile{File: f}, name) == nil {
		if opensBlockRename { // also protects a file that another process takes now
			f.Close()
		}
		_ = os.Remove(name)
	}
}

// mustLock locks a file and checks that it still has its name.
func mustLock(f disk.File, name string) error {
	ok, err := lock(f.Handle())
	if err == nil && ok {
		ok, err = isNamed(f, name)
	}
	if err == nil && !ok {
		err = fmt.Errorf("%w, by another process or another Create: expected it to have ended", ErrBusy)
	}
	return named(name, err)
}

// isNamed reports whether a file still has the name.
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

// ErrBusy is the error for a file that is already open for writing, in another process or by
// another Writer of this process. The message says which.
var ErrBusy = errors.New("the file is written already")

// IsFile reports whether a file begins like an index file.
func IsFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(magic))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == magic
}

// writeBase writes a file with these entries, which must be in the order of their ids, and an empty
// log. When it returns, the data may not be on disk yet.
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

// write writes the sections, the checksums, zeros up to the end, and then the header, which
// contains the checksum of the checksums.
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

// writeAtOnce is the number of bytes that are written at a time, at multiples of that number. If
// the system can, it keeps such large pieces in huge pages and maps them as such.
const writeAtOnce = 4 << 20

// offsetWriter writes consecutive data to a file.
type offsetWriter struct {
	f  io.WriterAt
	at int64
}

func (o *offsetWriter) Write(p []byte) (int, error) {
	n, err := o.f.WriteAt(p, o.at)
	o.at += int64(n)
	return n, err
}

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
