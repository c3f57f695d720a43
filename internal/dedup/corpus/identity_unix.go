//go:build unix

package corpus

import (
	"io/fs"
	"time"

	"golang.org/x/sys/unix"
)

// identityOf returns the change time and the inode of a file.
func identityOf(path string) (changed time.Time, inode uint64, err error) {
	var of unix.Stat_t
	if err := unix.Stat(path, &of); err != nil {
		return time.Time{}, 0, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	return time.Unix(of.Ctim.Unix()).UTC(), uint64(of.Ino), nil
}
