// Package disk is the file system as writers of files see it. Tests put in one that fails or stops
// at any call.
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

// Disk opens and names files.
type Disk interface {
	Open(name string, flag int, mode fs.FileMode) (File, error)
	Rename(from, to string) error
	Place(from, to string) error // Rename, but to a name that nothing has
	Remove(name string) error
	SyncFolder(folder string) error // makes names last
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
	Handle() *os.File // to be mapped and locked
}

// Real is the Disk of the system.
type Real struct{}

// RealFile is a File of the system.
type RealFile struct{ *os.File }

// Handle returns the file.
func (f RealFile) Handle() *os.File { return f.File }

// Open is os.OpenFile.
func (Real) Open(name string, flag int, mode fs.FileMode) (File, error) {
	f, err := os.OpenFile(name, flag, mode)
	if err != nil {
		return nil, err // and no RealFile of nil
	}
	return RealFile{f}, nil
}

// Rename is os.Rename.
func (Real) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is os.Remove.
func (Real) Remove(name string) error { return os.Remove(name) }

// Place gives the file a second name, which fails where something has it, and takes the first one
// away. Where files cannot have two names it looks first, and hopes that nobody is between.
func (Real) Place(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		_ = os.Remove(from) // a later writer does
		return nil
	}
	if _, there := os.Lstat(to); errors.Is(err, os.ErrExist) || there == nil {
		return err
	}
	return os.Rename(from, to)
}

// SyncFolder is fsync of a folder. Windows has none, so there it does nothing.
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

// longestBase leaves room, in the 255 bytes of a name, for what a temporary file's has besides.
const longestBase = 200

// digits is how many random ones, in hexadecimal, are in a temporary name.
const digits = 8

// CreateTemp makes a file in the folder of target that is to take its place, under a random name
// with this ending. What has the name already, such as a link that somebody put there, is neither
// followed nor written to.
//
// The file has the permissions that an ordinary new one gets; what is to replace an existing file
// can be read by nobody else until it has that one's.
func CreateTemp(d Disk, target, ending string, existing os.FileInfo) (File, error) {
	mode := fs.FileMode(0o666)
	if existing != nil {
		mode = 0o600
	}
	folder, start := besides(target)
	for {
		name := fmt.Sprintf("%s%s%08x%s", folder, start, rand.Uint32(), ending)
		file, err := d.Open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, os.ErrExist) {
			return file, err
		}
	}
}

// ListTemp lists the files that CreateTemp has made for a target with this ending and that are
// there still: of processes that write, and of those that were killed.
func ListTemp(target, ending string) (names []string, err error) {
	folder, start := besides(target)
	entries, err := os.ReadDir(filepath.Join(folder, "."))
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), start) && len(entry.Name()) == len(start)+digits+len(ending) && IsTemp(entry, ending) {
			names = append(names, folder+entry.Name())
		}
	}
	return names, err
}

// IsTemp reports whether an entry of a folder has a name that CreateTemp gives, with this ending,
// for whatever target.
func IsTemp(entry fs.DirEntry, ending string) bool {
	_, ok := TargetOf(entry, ending)
	return ok
}

// TargetOf returns the name of the target that CreateTemp has made an entry of its folder for, as
// BaseInTemp returns it.
func TargetOf(entry fs.DirEntry, ending string) (base string, ok bool) {
	rest, isWhole := strings.CutSuffix(entry.Name(), ending)
	start := len(rest) - digits
	if !isWhole || start < len(".x.") || rest[0] != '.' || rest[start-1] != '.' {
		return "", false
	}
	_, err := strconv.ParseUint(rest[start:], 16, 32)
	return rest[1 : start-1], err == nil && entry.Type().IsRegular()
}

// BaseInTemp returns the part of the name of a target that is in that of its temporary file.
func BaseInTemp(base string) string { return base[:min(len(base), longestBase)] }

// besides returns the folder of a target, and how the names begin of what is made beside it.
func besides(target string) (folder, start string) {
	folder, base := filepath.Split(target)
	return folder, "." + BaseInTemp(base) + "."
}
