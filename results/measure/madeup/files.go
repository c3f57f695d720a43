package madeup

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

// Files is the number of files of a corpus.
const Files = 8

// row is a document in a file.
type row struct {
	ID   string `parquet:"id"`
	Text string `parquet:"text"`
}

// Corpus is a folder of Parquet files with the first N documents, in columns id and text.
type Corpus struct {
	N      int
	Folder string
}

// Path returns the path of file i.
func (c *Corpus) Path(i int) string {
	return filepath.Join(c.Folder, fmt.Sprintf("part-%d.parquet", i))
}

// Paths returns the paths of all files, in order.
func (c *Corpus) Paths() (list []string) {
	for i := range Files {
		list = append(list, c.Path(i))
	}
	return list
}

// First returns the number of the first document of file i.
func (c *Corpus) First(i int) int { return i * c.N / Files }

// Write writes the files that do not exist yet.
func (c *Corpus) Write(ctx context.Context) error {
	if err := os.MkdirAll(c.Folder, 0o777); err != nil {
		return err
	}
	for i := range Files {
		if _, err := os.Stat(c.Path(i)); err == nil {
			continue
		}
		if err := wholefile.Write(c.Path(i), func(w io.Writer) error { return c.writeFile(ctx, w, i) }); err != nil {
			return err
		}
	}
	return nil
}

func (c *Corpus) writeFile(ctx context.Context, w io.Writer, i int) error {
	p := parquet.NewGenericWriter[row](w, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(10_000))
	var text []byte
	for d := c.First(i); d < c.First(i+1); d++ {
		if err := context.Cause(ctx); err != nil {
			return errors.Join(err, p.Close())
		}
		text = Append(text[:0], d)
		if _, err := p.Write([]row{{ID(d), string(text)}}); err != nil {
			return err
		}
	}
	return p.Close()
}
