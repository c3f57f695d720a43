package indexfile

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const noFollow = 0

// opensBlockRename reports whether this system cannot rename or remove files that are open or
// mapped.
var opensBlockRename = true

// lockedByte is a position far beyond the end of any file, because other processes cannot read or
// write locked bytes.
func lockedByte() *windows.Overlapped {
	return &windows.Overlapped{Offset: 0xffffffff, OffsetHigh: 0x7fffffff}
}

// lock makes this process the only writer of the file until the file is closed. It returns false if
// another process is the writer.
func lock(f *os.File) (bool, error) {
	return lockAs(f, windows.LOCKFILE_EXCLUSIVE_LOCK)
}

// isLocked reports whether a process has locked the file for writing.
func isLocked(f *os.File) bool {
	if ok, err := lockAs(f, 0); err != nil || !ok {
		return true
	}
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, lockedByte())
	return false
}

func lockAs(f *os.File, flags uint32) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, lockedByte())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}
