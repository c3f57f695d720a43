//go:build !unix && !windows

package indexfile

import (
	"errors"
	"os"
)

const noFollow = 0

var opensBlockRename = false

func lock(*os.File) (bool, error) {
	return false, errors.New("files cannot be locked on this system, so index files cannot be written")
}

func isLocked(*os.File) bool { return false }
