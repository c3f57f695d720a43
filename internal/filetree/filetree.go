// Package filetree lists and reads the files of folders and of tar archives.
package filetree

import (
	"archive/tar"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// Files returns the paths of the regular files below a folder, relative to the folder, with
// slashes, in the order of WalkDir. The root may be a link. Below it, only links to regular files
// outside of the root are followed, since the data of a folder may be stored elsewhere, such as in
// a download cache. Errors are passed to onError; if it is nil, Files returns the first error.
func Files(ctx context.Context, root string, onError func(error)) ([]string, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	var paths []string
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			if onError == nil {
				return err
			}
			onError(err)
			return nil
		}
		if !entry.Type().IsRegular() && (entry.Type() != fs.ModeSymlink || !leadsElsewhere(root, path)) {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		paths = append(paths, filepath.ToSlash(relative))
		return nil
	})
	return paths, err
}

// leadsElsewhere reports whether a link leads to a regular file that is not below the root.
func leadsElsewhere(root, path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	relative, err := filepath.Rel(Real(root), Real(path))
	return err != nil || !filepath.IsLocal(relative)
}

// Marked reports whether a name in a path begins with a dot or an underscore. Other programs mark
// files that are not data in this way (.git, .DS_Store, _SUCCESS, .part.crc).
func Marked(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name != "." && name != ".." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return true
		}
	}
	return false
}

// Real returns the absolute path without symbolic links. Missing parts of the path are kept
// unchanged.
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

// Paths resolves many paths and each of their folders only once. Use it only while folders and
// links to them do not change. The zero value is ready for use by one goroutine.
type Paths struct {
	folders map[string]string
}

// Real is like the function Real.
func (p *Paths) Real(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	folder := filepath.Dir(absolute)
	if folder == absolute || runtime.GOOS == "windows" { // resolving normalizes case
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

// Key returns the same text for all paths of a file, even if the file is missing: paths through
// links, relative paths, or paths in another case on systems that usually ignore case.
func (p *Paths) Key(path string) string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return strings.ToLower(p.Real(path))
	}
	return p.Real(path)
}

// Within reports whether path is folder or below it.
func (p *Paths) Within(folder, path string) bool {
	relative, err := filepath.Rel(p.Real(folder), p.Real(path))
	return err == nil && filepath.IsLocal(relative)
}

// Tar reads the regular files of a tar archive in archive order.
type Tar struct {
	watched *endWatcher
	archive *tar.Reader
}

// NewTar returns a reader of an uncompressed archive.
func NewTar(r io.Reader) *Tar {
	watched := &endWatcher{r: r}
	return &Tar{watched, tar.NewReader(watched)}
}

// Next advances to the next regular file and returns its path, which does not depend on the program
// that made the archive. It skips links, devices and the like. At the end of a complete archive, it
// returns io.EOF; if the archive is truncated, even between two files, it returns
// io.ErrUnexpectedEOF.
func (t *Tar) Next() (string, error) {
	for {
		header, err := t.archive.Next()
		if err == io.EOF {
			return "", t.end()
		}
		if err != nil {
			return "", err
		}
		if header.Typeflag == tar.TypeReg {
			return cleanName(header.Name), nil
		}
	}
}

// Read reads from the current file.
func (t *Tar) Read(p []byte) (int, error) { return t.archive.Read(p) }

// end checks that the archive is complete: archive/tar accepts truncation between two entries, and
// the checksum of a compressed stream is verified only at its end.
func (t *Tar) end() error {
	if t.watched.ended {
		return io.ErrUnexpectedEOF
	}
	if _, err := io.Copy(io.Discard, t.watched); err != nil {
		return err
	}
	return io.EOF
}

// cleanName removes "./" and leading slashes.
func cleanName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}

// endWatcher records whether the reader has reached its end.
type endWatcher struct {
	r     io.Reader
	ended bool
}

func (w *endWatcher) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n == 0 && err == io.EOF {
		w.ended = true
	}
	return n, err
}
