// Package disk provides the file system operations that writers of files need. Tests replace it by
// an implementation that fails or stops at any call.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// Disk opens, renames and removes files.
type Disk interface {
	Open(name string, flag int, mode fs.FileMode) (File, error)
	Rename(from, to string) error
	Place(from, to string) error // Rename, but fails if to exists
	Remove(name string) error
	SyncFolder(folder string) error // makes renames durable
}

// File is an open file.
type File interface {
	io.WriteCloser
	io.ReaderAt
	io.WriterAt
	Name() string
	Chmod(fs.FileMode) error
	Sync() error
	Stat() (os.FileInfo, error)
	Handle() *os.File // for mapping and locking
}

// Real is the Disk of the operating system.
type Real struct{}

// RealFile is a File of the operating system.
type RealFile struct{ *os.File }

// Handle returns the underlying file.
func (f RealFile) Handle() *os.File { return f.File }

// Open is os.OpenFile.
func (Real) Open(name string, flag int, mode fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err // not a RealFile with a nil file
	}
	return RealFile{f}, nil
}

// Rename is os.Rename.
func (Real) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is os.Remove.
func (Real) Remove(name string) error { return os.Remove(name) }

// Place hard-links the file to its new name, which fails if the name exists, and removes the old
// name. If the file system has no hard links, Place checks that the name is free and then renames,
// which can race with other processes.
func (Real) Place(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		_ = os.Remove(from) // later writers remove leftovers
		return nil
	}
	if _, there := os.Lstat(to); errors.Is(err, os.ErrExist) || there == nil {
		return err
	}
	return os.Rename(from, to)
}

// SyncFolder calls fsync on a folder. On Windows it does nothing.
func (Real) SyncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// longestBase limits the base name within a temporary name, so that the whole name has at most 255
// bytes.
const longestBase = 200

// digits is the number of random hexadecimal digits in a temporary name.
const digits = 8

// CreateTemp creates a file that will replace target. The file is in the same folder and has a
// random name with the given ending. CreateTemp never opens an existing file or follows a link.
//
// The file has the default permissions of new files. If it will replace an existing file, only the
// owner can access it until it gets the permissions of that file.
func CreateTemp(d Disk, target, ending string, existing os.FileInfo) (File, error) {
	mode := fs.FileMode(0o666)
	if existing != nil {
		mode = 0o600
	}
	folder, base := filepath.Split(target)
	for {
		name := fmt.Sprintf("%s.%s.%08x%s", folder, BaseInTemp(base), rand.Uint32(), ending)
		file, err := d.Open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}

// ListTemp lists the existing temporary files of a target with this ending. Their writers may be
// running or have been killed.
func ListTemp(target, ending string) (names []string, err error) {
	folder, name := filepath.Split(target)
	entries, err := os.ReadDir(filepath.Join(folder, "."))
	for _, entry := range entries {
		if base, ok := TargetOf(entry, ending); ok && base == BaseInTemp(name) {
			names = append(names, folder+entry.Name())
		}
	}
	return names, err
}

// TargetOf returns the base name of the target of a temporary file, shortened as by BaseInTemp. ok
// is false if CreateTemp does not make a file of this name with this ending.
func TargetOf(entry fs.DirEntry, ending string) (base string, ok bool) {
	rest, isWhole := strings.CutSuffix(entry.Name(), ending)
	start := len(rest) - digits
	if !isWhole || start < len(".x.") || rest[0] != '.' || rest[start-1] != '.' {
		return "", false
	}
	_, err := strconv.ParseUint(rest[start:], 16, 32)
	return rest[1 : start-1], err == nil && entry.Type().IsRegular()
}

// BaseInTemp returns the part of a target's base name that its temporary names contain.
func BaseInTemp(base string) string { return base[:min(len(base), longestBase)] }
