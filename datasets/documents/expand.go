package documents

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/internal/filetree"
)

// Expand returns the files that match the patterns, sorted. Each file is listed once, even if links
// or other spellings of its path lead to it several times. A pattern is a file, a folder (all files
// below it), "-", or a glob with *, ?, [a-z], and ** for any number of folders. Below folders,
// links to files are followed, and links to folders are not. Names that begin with a dot or an
// underscore, with which other programs mark files that are not data (_SUCCESS, .part.crc), are
// left out unless the pattern begins alike. A pattern without a file is an error.
func Expand(patterns []string) ([]string, error) {
	var all []string
	for _, pattern := range patterns {
		files, err := expand(pattern)
		if err != nil {
			return nil, fmt.Errorf("documents: %w", err)
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("documents: %s: expected files, got none", pattern)
		}
		all = append(all, files...)
	}
	slices.Sort(all)
	return eachOnce(all)
}

func expand(pattern string) ([]string, error) {
	if pattern == StandardInput {
		return []string{pattern}, nil
	}
	info, err := os.Stat(pattern)
	switch {
	case err == nil && info.IsDir():
		return below(pattern, nil)
	case err == nil:
		return []string{filepath.Clean(pattern)}, nil
	case !strings.ContainsAny(pattern, "*?["):
		return nil, err
	}
	return glob(filepath.ToSlash(pattern))
}

// glob returns the files that match a pattern, and the files below folders that match.
func glob(pattern string) ([]string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	segments := strings.Split(path.Clean(pattern), "/")
	if at := slices.Index(segments, "**"); at >= 0 {
		return globBelow(segments[:at], segments[at:])
	}
	found, err := filepath.Glob(filepath.FromSlash(path.Clean(pattern)))
	if err != nil {
		return nil, err
	}
	var files []string
	for _, f := range found {
		if marked(strings.Split(filepath.ToSlash(f), "/"), segments) {
			continue
		}
		if info, err := os.Stat(f); err != nil || !info.IsDir() {
			files = append(files, f)
			continue
		}
		inside, err := below(f, nil)
		if err != nil {
			return nil, err
		}
		files = append(files, inside...)
	}
	return files, nil
}

// globBelow returns the files of a pattern with **: those that match the other segments below
// folders that match the first segments.
func globBelow(first, others []string) ([]string, error) {
	roots := []string{"."}
	if len(first) > 0 {
		var err error
		if roots, err = filepath.Glob(filepath.FromSlash(strings.Join(first, "/") + "/")); err != nil {
			return nil, err
		}
	}
	var files []string
	for _, root := range roots {
		if marked(strings.Split(path.Clean(filepath.ToSlash(root)), "/"), first) {
			continue
		}
		inside, err := below(root, others)
		if err != nil {
			return nil, err
		}
		files = append(files, inside...)
	}
	return files, nil
}

// below returns the data files below a folder: all, or those that match the segments of a glob, or
// are in a folder that matches.
func below(root string, segments []string) ([]string, error) {
	paths, err := filetree.Files(context.Background(), root, nil)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, p := range paths {
		names := strings.Split(p, "/")
		if !marked(names, segments) && matches(segments, names) {
			files = append(files, filepath.Join(root, filepath.FromSlash(p)))
		}
	}
	return files, nil
}

// marked reports whether a name is marked as not data, and the pattern does not begin alike there.
func marked(names, segments []string) bool {
	for i, name := range names {
		if !filetree.Marked(name) {
			continue
		}
		if i >= len(segments) || segments[i][0] != name[0] {
			return true
		}
	}
	return false
}

// matches reports whether the segments of a glob match the beginning of a path.
func matches(segments, names []string) bool {
	if len(segments) == 0 {
		return true
	}
	if segments[0] == "**" {
		return matches(segments[1:], names) && len(segments) > 1 ||
			len(names) > 0 && (len(segments) == 1 || matches(segments, names[1:]))
	}
	if len(names) == 0 {
		return false
	}
	ok, _ := path.Match(segments[0], names[0]) // the pattern was checked
	return ok && matches(segments[1:], names[1:])
}

// eachOnce leaves out paths that lead to a file that is listed already.
func eachOnce(paths []string) ([]string, error) {
	paths = slices.Compact(paths)
	seen := make(map[string]bool, len(paths))
	var different []string
	for _, p := range paths {
		real := p
		if p != StandardInput {
			var err error
			if real, err = realPath(p); err != nil {
				return nil, fmt.Errorf("documents: %w", err)
			}
		}
		if !seen[real] {
			seen[real] = true
			different = append(different, p)
		}
	}
	return different, nil
}

// realPath returns the path of a file without links.
func realPath(p string) (string, error) {
	info, err := os.Stat(p)
	if err != nil {
		return "", err
	}
	if info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) != 0 { // such as /dev/fd/63, a link to nowhere
		return p, nil
	}
	return filetree.Real(p), nil
}
