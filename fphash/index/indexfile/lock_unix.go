//go:build unix

package indexfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// noFollow makes opening a symbolic link fail.
const noFollow = unix.O_NOFOLLOW

// opensBlockRename reports whether this system cannot rename or remove files that are open or
// mapped. Tests set it.
var opensBlockRename = false

// lock makes this process the only writer of the file until the file is closed. It returns false if
// another process is the writer.
func lock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// isLocked reports whether a process has locked the file for writing.
func isLocked(f *os.File) bool {
	if unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil {
		return true
	}
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	return false
}
