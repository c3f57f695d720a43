package filetree

import (
	"io/fs"
	"os"
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
func Key(path string) string { return key(Real(path)) }

func key(path string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.ToLower(path)
	}
	return path
}

// Paths resolves many paths. It resolves each folder once, so it is for one operation during which
// folders and the links to them stay as they are. Its zero value is ready for use by one goroutine.
type Paths struct {
	folders map[string]string
}

// Real is the function Real.
func (p *Paths) Real(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	folder := filepath.Dir(absolute)
	if folder == absolute || runtime.GOOS == "windows" { // which spells names as they are on disk
		return Real(absolute)
	}
	resolved, ok := p.folders[folder]
	if !ok {
		resolved = Real(folder)
		if p.folders == nil {
			p.folders = map[string]string{}
		}
		p.folders[folder] = resolved
	}
	resolved = filepath.Join(resolved, filepath.Base(absolute))
	if info, err := os.Lstat(resolved); err == nil && info.Mode().Type() == fs.ModeSymlink {
		return Real(resolved)
	}
	return resolved
}

// Key is the function Key.
func (p *Paths) Key(path string) string { return key(p.Real(path)) }

// Within reports whether a path is that of a folder or below it.
func (p *Paths) Within(folder, path string) bool {
	relative, err := filepath.Rel(p.Real(folder), p.Real(path))
	return err == nil && filepath.IsLocal(relative)
}
