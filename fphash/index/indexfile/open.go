package indexfile

import (
	"fmt"

	"simhashkit/internal/disk"
)

// openRegular opens an index file and returns its size. It fails for folders, pipes and the like.
func openRegular(d disk.Disk, name string, flag int) (disk.File, int64, error) {
	f, err := d.Open(name, flag, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		kind := "no regular file"
		if info.IsDir() {
			kind = "a folder"
		}
		err = fmt.Errorf("%s is %s, expected an index file", name, kind)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
