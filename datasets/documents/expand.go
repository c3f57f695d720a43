package documents

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"simhashkit/internal/filetree"
)

// Expand returns the files that match the patterns: in the order of the patterns, and sorted within
// each pattern. A file is listed once, where it comes first, even if several links or spellings of
// its path match. A pattern is a file, a folder (all files below it), "-", or
// a glob with *, ?, [a-z], and ** for any number of folders. Below folders, Expand follows links to
// files, but not links to folders. It skips names that begin with a dot or an underscore, such as
// _SUCCESS or .part.crc, unless the pattern begins with the same character: other programs mark
// files that are not data in this way. A pattern that matches no file is an error.
func Expand(patterns []string) ([]string, error) {
	var all []string
	for _, pattern := range patterns {
		files, err := expand(pattern)
		if err != nil {
			return nil, fmt.Errorf("documents: %w", err)
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("documents: %s: no files match", pattern)
		}
		slices.Sort(files)
		all = append(all, files...)
	}
	return eachOnce(all)
}

func expand(pattern string) ([]string, error) {
	if pattern == StandardInput {
		return []string{pattern}, nil
	}
	info, err := os.Stat(pattern)
	switch {
	case err == nil && info.IsDir():
		return below(pattern)
	case err == nil:
		return []string{filepath.Clean(pattern)}, nil
	case !strings.ContainsAny(pattern, "*?["):
		return nil, err
	}
	found, err := doublestar.FilepathGlob(pattern, doublestar.WithNoFollow(), doublestar.WithFailOnIOErrors())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	segments := strings.Split(filepath.ToSlash(filepath.Clean(pattern)), "/")
	var files []string
	for _, f := range found {
		if marked(f, segments) {
			continue
		}
		if info, err := os.Stat(f); err != nil || !info.IsDir() {
			files = append(files, f)
			continue
		}
		if segments[len(segments)-1] == "**" { // the files below are found as well
			continue
		}
		inside, err := below(f)
		if err != nil {
			return nil, err
		}
		files = append(files, inside...)
	}
	return files, nil
}

// below returns the data files below a folder.
func below(root string) ([]string, error) {
	paths, err := filetree.Files(context.Background(), root, nil)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, p := range paths {
		if !filetree.Marked(p) {
			files = append(files, filepath.Join(root, filepath.FromSlash(p)))
		}
	}
	return files, nil
}

// marked reports whether a name in a path has a mark (a leading dot or underscore) that no segment
// of the pattern has.
func marked(path string, segments []string) bool {
	for name := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		alike := func(segment string) bool { return strings.HasPrefix(segment, name[:1]) }
		if filetree.Marked(name) && !slices.ContainsFunc(segments, alike) {
			return true
		}
	}
	return false
}

// eachOnce removes paths that lead to a file already listed.
func eachOnce(paths []string) ([]string, error) {
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

// realPath returns the path of a file with links resolved.
func realPath(p string) (string, error) {
	info, err := os.Stat(p)
	if err != nil {
		return "", err
	}
	if info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) != 0 { // such as /dev/fd/63, a dangling link
		return p, nil
	}
	return filetree.Real(p), nil
}
