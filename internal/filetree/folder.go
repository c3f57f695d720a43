// Package filetree lists and reads the files of folders and of tar archives.
package filetree

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/internal/pieces"
)

// Folder returns the paths of the regular files below a folder, relative to it and with slashes, in
// the order of WalkDir. The root itself may be a link; links below it are not followed. What cannot
// be looked at goes to onError, or ends the work when that is nil.
func Folder(ctx context.Context, root string, onError func(error)) ([]string, error) {
	return walk(ctx, root, onError, func(string, string) bool { return false })
}

// Data returns what Folder does, and with it the links that lead to regular files elsewhere: a
// folder may hold data that is stored in another place, such as a cache of downloads. Files below
// the root are there anyway.
func Data(ctx context.Context, root string, onError func(error)) ([]string, error) {
	return walk(ctx, root, onError, leadsElsewhere)
}

// leadsElsewhere says that a link leads to a regular file that is not below the root.
func leadsElsewhere(root, path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	relative, err := filepath.Rel(Real(root), Real(path))
	return err != nil || !filepath.IsLocal(relative)
}

// walk returns the regular files, and the links that are to be taken.
func walk(ctx context.Context, root string, onError func(error), take func(root, link string) bool) ([]string, error) {
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
		if !entry.Type().IsRegular() && (entry.Type() != fs.ModeSymlink || !take(root, path)) {
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

// Marked says that a path has a name that begins with a dot or an underscore: so other programs
// mark what is no data (.git, .DS_Store, _SUCCESS, .part.crc).
func Marked(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name != "." && name != ".." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return true
		}
	}
	return false
}

// ReadAtMost appends what r holds to buf. It grows with what is really there, so that a false size
// in a header costs nothing; at its end, it may take twice what is there.
func ReadAtMost(r io.Reader, buf []byte, limit int64) ([]byte, error) {
	start := len(buf)
	var rest pieces.List // of what is larger than buf
	for {
		if len(buf) < pieces.Size {
			buf = slices.Grow(buf, max(512, len(buf)/2))
		}
		room, inRest := buf[len(buf):cap(buf)], false
		if len(room) == 0 {
			room, inRest = rest.Room(), true
		}
		if left := limit + 1 - int64(len(buf)-start+rest.Len()); int64(len(room)) > left {
			room = room[:left]
		}
		n, err := r.Read(room)
		if inRest {
			rest.Extend(n)
		} else {
			buf = buf[:len(buf)+n]
		}
		if int64(len(buf)-start+rest.Len()) > limit {
			return rest.MoveTo(buf), &TooLargeError{limit}
		}
		if err == io.EOF {
			return rest.MoveTo(buf), nil
		}
		if err != nil {
			return rest.MoveTo(buf), err
		}
	}
}

// TooLargeError is what ReadAtMost returns for a file that is larger than its limit.
type TooLargeError struct{ Limit int64 }

// Error says how large a file may be.
func (e *TooLargeError) Error() string { return fmt.Sprintf("larger than %d bytes", e.Limit) }
