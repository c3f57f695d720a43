package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"simhashkit/internal/decompress"
	"simhashkit/internal/filetree"
)

// readFile reads a whole decoded stream and stores it as a document.
func readFile(r io.Reader, options *Options, d *Document, id, name string) error {
	max := options.MaxLine
	text, err := filetree.ReadAtMost(r, int64(max))
	if len(text) > max {
		return syntaxError(name, 1, 1, fmt.Sprintf("a file of at most %d bytes", max), text)
	}
	if err != nil {
		return fmt.Errorf("documents: %s: %w", name, err)
	}
	*d = Document{ID: []byte(id), Text: bytes.TrimPrefix(text, byteOrderMark), File: name, Line: 1}
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
