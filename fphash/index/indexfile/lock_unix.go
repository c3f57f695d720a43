//go:build unix

package indexfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// noFollow has the opening of a link fail.
const noFollow = unix.O_NOFOLLOW

// opensBlockRename says that this system does not rename or remove files that are open or mapped;
// tests set it.
var opensBlockRename = false

// lock makes this process the one that writes the file, until the file is closed. It reports false
// if there is another.
func lock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// isLocked reports whether some process writes the file.
func isLocked(f *os.File) bool {
	if unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB) != nil {
		return true
	}
	_ = unix.Flock(int(f.Fd()), unix.LOCK_UN)
	return false
}
