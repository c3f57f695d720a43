//go:build unix

package corpus

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// identityOf returns the change time, in nanoseconds since 1970, and the inode of a file.
func identityOf(path string) (changed int64, inode uint64, err error) {
	var of unix.Stat_t
	if err := unix.Stat(path, &of); err != nil {
		return 0, 0, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return of.Ctim.Nano(), uint64(of.Ino), nil
}
