package documents

import (
	"context"
	"errors"
	"io"
)

// OpenAll reads the documents of files one after the other, each as Open does; a file is opened
// when the one before it has ended. Numbers go on from the last document of the file before, as if
// the files were one.
func OpenAll(ctx context.Context, paths []string, options Options) (Reader, error) {
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	return &filesReader{ctx: ctx, paths: paths, options: options}, nil
}

type filesReader struct {
	ctx     context.Context
	paths   []string // that are not open yet
	options Options
	file    Reader // nil between files
	before  int    // documents of the files before
	last    int    // number of the last document
	err     error
}

func (r *filesReader) Read(d *Document) error {
	for r.err == nil {
		if r.file == nil && len(r.paths) == 0 {
			r.err = io.EOF
			break
		}
		if r.file == nil {
			if r.file, r.err = Open(r.ctx, r.paths[0], r.options); r.err != nil {
				break
			}
			r.paths = r.paths[1:]
		}
		err := r.file.Read(d)
		if err == nil {
			d.Number += r.before
			r.last = d.Number
			return nil
		}
		r.before = r.last
		if !errors.Is(err, io.EOF) {
			r.err = err
			break
		}
		r.err = r.Close()
	}
	return r.err
}

func (r *filesReader) Close() error {
	if r.file == nil {
		return nil
	}
	err := r.file.Close()
	r.file = nil
	return err
}
