package filetree

import (
	"path/filepath"
	"runtime"
	"strings"
)

// Real returns the absolute path that no link leads over, as far as the path is there.
func Real(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if resolved, err := filepath.EvalSymlinks(absolute); err == nil {
		return resolved
	}
	if parent := filepath.Dir(absolute); parent != absolute {
		return filepath.Join(Real(parent), filepath.Base(absolute))
	}
	return absolute
}

// Key returns the same text for all paths of a file, be it there or not: through links, relative,
// and on systems that usually tell no upper case from lower in either.
func Key(path string) string {
	path = Real(path)
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.ToLower(path)
	}
	return path
}
