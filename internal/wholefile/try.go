package wholefile

import (
	"errors"
	"os"

	"simhashkit/internal/disk"
)

// Try returns the error that Write would meet before it calls its function: a folder that is not
// there or cannot be written to, a name that is a folder's. Who works long for what a file is to
// hold asks first. Nothing is left behind, and an existing file is not touched.
func Try(path string) error {
	f := writer{path: path, disk: disk.Real{}}
	return f.failed(f.try())
}

// Replaces reports whether Write would put a new file in the place of one that holds something.
func Replaces(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0 && !opened(path)
}

func (f writer) try() error {
	target, existing, err := f.target()
	switch {
	case err != nil:
		return err
	case existing != nil && existing.IsDir():
		return errors.New("is a folder, expected a file")
	case existing != nil && (!existing.Mode().IsRegular() || opened(f.path)):
		return nil // opening a pipe would wait for its reader
	}
	temp, err := disk.CreateTemp(f.disk, target, Ending, existing)
	if err != nil {
		return err
	}
	temp.Close()
	return os.Remove(temp.Name())
}
