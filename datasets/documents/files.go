package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"simhashkit/internal/decompress"
	"simhashkit/internal/docformat"
	"simhashkit/internal/filetree"
)

// readFile reads a whole decoded stream and stores it as a document.
func readFile(r io.Reader, options *Options, d *Document, id, name string) error {
	max := options.MaxLine
	text, err := io.ReadAll(io.LimitReader(r, int64(max)+1)) // memory grows with the bytes read
	if len(text) > max {
		return syntaxError(name, 1, 1, fmt.Sprintf("a file of at most %d bytes", max), text)
	}
	if err != nil {
		return fmt.Errorf("documents: %s: %w", name, err)
	}
	*d = Document{ID: []byte(id), Text: bytes.TrimPrefix(text, docformat.ByteOrderMark), File: name, Line: 1}
	return options.charset.checkText(d.Text, name, 1, 1+len(text)-len(d.Text))
}

// oneFile returns the whole stream as its only document.
type oneFile struct {
	r       io.Reader // decoded
	options *Options
	name    string
	done    bool
}

func (f *oneFile) next(d *Document) error {
	if f.done {
		return io.EOF
	}
	f.done = true
	return readFile(f.r, f.options, d, f.name, f.name)
}

// folder returns each file of a folder as a document, sorted by path.
type folder struct {
	ctx     context.Context
	options *Options
	root    string
	paths   []string // remaining paths
}

func openFolder(ctx context.Context, root string, options *Options) (*folder, error) {
	paths, err := filetree.Files(ctx, root, options.OnError)
	if err != nil {
		return nil, fmt.Errorf("documents: %w", err)
	}
	paths = slices.DeleteFunc(paths, filetree.Marked)
	slices.Sort(paths)
	return &folder{ctx, options, root, paths}, nil
}

func (f *folder) next(d *Document) error {
	if len(f.paths) == 0 {
		return io.EOF
	}
	id := f.paths[0]
	f.paths = f.paths[1:]
	path := filepath.Join(f.root, filepath.FromSlash(id))
	file, err := decompress.Open(f.ctx, path)
	if err != nil {
		return f.bad(fmt.Errorf("documents: %w", err))
	}
	defer file.Close()
	return f.bad(readFile(f.options.charset.decoded(file), f.options, d, id, path))
}

// bad turns an error into a RecordError, unless the context has ended.
func (f *folder) bad(err error) error {
	if err == nil || f.ctx.Err() != nil {
		return err
	}
	var bad RecordError
	if errors.As(err, &bad) {
		return bad
	}
	return RecordError{err}
}

// archive returns each file of a tar archive as a document, in archive order.
type archive struct {
	ctx     context.Context
	options *Options
	name    string
	tar     *filetree.Tar
}

func newArchive(ctx context.Context, r io.Reader, name string, options *Options) *archive {
	return &archive{ctx, options, name, filetree.NewTar(r)}
}

func (a *archive) next(d *Document) error {
	id, err := a.tar.Next()
	if err == io.EOF {
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("documents: %s: damaged tar archive: %w", a.name, err)
	}
	name := a.name + ":" + id
	unpacked, err := decompress.NewReader(a.ctx, a.tar)
	if err != nil {
		return RecordError{fmt.Errorf("documents: %s: %w", name, err)}
	}
	defer unpacked.Close()
	return readFile(a.options.charset.decoded(unpacked), a.options, d, id, name)
}

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
	if pattern == docformat.StandardInput {
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
		if p != docformat.StandardInput {
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
