package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"simhashkit/internal/decompress"
	"simhashkit/internal/filetree"
	"simhashkit/internal/pieces"
)

// text reads files whole.
type text struct {
	max   int
	bytes []byte
}

// read reads a stream whole and stores it as a document.
func (t *text) read(r io.Reader, d *Document, id, name string) error {
	var err error
	t.bytes, err = filetree.ReadAtMost(r, t.bytes[:0], int64(t.max))
	if cap(t.bytes) > pieces.Kept && len(t.bytes) < cap(t.bytes)/4 {
		t.bytes = slices.Clone(t.bytes) // release the memory of a huge file
	}
	var large *filetree.TooLargeError
	if errors.As(err, &large) {
		return syntaxError(name, 1, 1, fmt.Sprintf("a file of at most %d bytes", t.max), t.bytes)
	}
	if err != nil {
		return fmt.Errorf("documents: %s: %w", name, err)
	}
	*d = Document{ID: []byte(id), Text: t.bytes, File: name, Line: 1}
	column := 1
	if mark := len(byteOrderMark); len(t.bytes) >= mark && string(t.bytes[:mark]) == string(byteOrderMark) {
		d.Text, column = t.bytes[mark:], 1+mark
	}
	return checkUTF8(d.Text, name, 1, column)
}

// oneFile has one document, the whole stream.
type oneFile struct {
	text
	r    io.Reader
	name string
	done bool
}

func (f *oneFile) next(d *Document) error {
	if f.done {
		return io.EOF
	}
	f.done = true
	return f.read(f.r, d, f.name, f.name)
}

// folder has a document in each file of a folder, in the order of their paths.
type folder struct {
	text
	ctx   context.Context
	root  string
	paths []string // that are left
}

func openFolder(ctx context.Context, root string, options *Options) (*folder, error) {
	paths, err := filetree.Data(ctx, root, options.OnError)
	if err != nil {
		return nil, fmt.Errorf("documents: %w", err)
	}
	paths = slices.DeleteFunc(paths, filetree.Marked)
	slices.Sort(paths)
	return &folder{text: text{max: options.MaxLine}, ctx: ctx, root: root, paths: paths}, nil
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
	return f.bad(f.read(file, d, id, path))
}

// bad turns an error into one of a single record, unless the context has ended.
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

// archive reads each file of a tar archive as a document, in archive order.
type archive struct {
	text
	ctx  context.Context
	name string
	tar  *filetree.Tar
}

func newArchive(ctx context.Context, r io.Reader, name string, options *Options) *archive {
	return &archive{text{max: options.MaxLine}, ctx, name, filetree.NewTar(r)}
}

func (a *archive) next(d *Document) error {
	id, err := a.tar.Next()
	if err == io.EOF {
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("documents: %s: expected a whole tar archive: %w", a.name, err)
	}
	name := a.name + ":" + id
	unpacked, err := decompress.NewReader(a.ctx, a.tar)
	if err != nil {
		return RecordError{fmt.Errorf("documents: %s: %w", name, err)}
	}
	defer unpacked.Close()
	return a.read(unpacked, d, id, name)
}
