package collections

import (
	"context"
	"io"
	"path/filepath"

	"simhashkit/datasets/documents"
)

// record is a document with what it is called.
type record struct{ id, text string }

// read reads the documents of a file in the folder of the reference data.
func read(ctx context.Context, data, name string, options documents.Options) (list []record, err error) {
	r, err := documents.Open(ctx, filepath.Join(data, filepath.FromSlash(name)), options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var d documents.Document
	for {
		if err := r.Read(&d); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		list = append(list, record{string(d.ID), string(d.Text)})
	}
}
