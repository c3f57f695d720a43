package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"simhashkit/internal/wholefile"
)

// files is how many files a corpus has.
const files = 8

// row is a document in a file.
type row struct {
	ID   string `parquet:"id"`
	Text string `parquet:"text"`
}

// made is a corpus on disk.
type made struct {
	n      int
	folder string
}

// path returns that of file i.
func (c *made) path(i int) string {
	return filepath.Join(c.folder, fmt.Sprintf("part-%d.parquet", i))
}

func (c *made) paths() (list []string) {
	for i := range files {
		list = append(list, c.path(i))
	}
	return list
}

// first returns the number of the first document of file i.
func (c *made) first(i int) int { return i * c.n / files }

// write writes the files that are not there yet.
func (c *made) write(ctx context.Context) error {
	if err := os.MkdirAll(c.folder, 0o777); err != nil {
		return err
	}
	for i := range files {
		if _, err := os.Stat(c.path(i)); err == nil {
			continue
		}
		if err := wholefile.Write(c.path(i), func(w io.Writer) error { return c.writeFile(ctx, w, i) }); err != nil {
			return err
		}
	}
	return nil
}

func (c *made) writeFile(ctx context.Context, w io.Writer, i int) error {
	p := parquet.NewGenericWriter[row](w, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(10_000))
	var text []byte
	for d := c.first(i); d < c.first(i+1); d++ {
		if err := context.Cause(ctx); err != nil {
			return errors.Join(err, p.Close())
		}
		text = document(text[:0], d)
		if _, err := p.Write([]row{{id(d), string(text)}}); err != nil {
			return err
		}
	}
	return p.Close()
}
