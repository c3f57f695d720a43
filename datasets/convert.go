package datasets

import (
	"context"
	"fmt"
	"io"
)

// Conversion is the result of Convert: what it wrote, and what the format could not hold.
type Conversion struct {
	Rows, NNZ   int
	Labels, IDs int // that were left out
	Bad         int // vectors that were left out, see ReadOptions.OnError
}

// Convert writes the vectors of a file in another format, one after the other: its memory is that
// of the reader. Indices and weights are the same bit for bit, as W has them; matrices keep their
// columns.
//
// Labels and ids that the format cannot hold are left out and counted; in svmlight, vectors without
// a label get the label 0. When strict, the first such label or id is an error.
func Convert[W Weight](ctx context.Context, w io.Writer, format Format, file *VectorFile, strict bool) (c Conversion, err error) {
	reader, err := Vectors[W](file)
	if err != nil {
		return c, err
	}
	var row Row[W]
	err = reader.Read(&row)
	columns := uint64(0)
	if matrix, ok := reader.(interface{ Columns() uint64 }); ok {
		columns = matrix.Columns() // which are known now
	}
	writer, openErr := NewVectorWriter[W](w, format, columns)
	if openErr != nil {
		return c, openErr
	}
	defer writer.Close()
	for ; err == nil; err = reader.Read(&row) {
		if err := ended(ctx); err != nil {
			return c, err
		}
		if err := c.fit(format, strict, &row.Label, &row.ID); err != nil {
			place := fmt.Sprintf("%s:%d", file.options.Name, row.Line)
			if row.Line == 0 {
				place = fmt.Sprintf("%s: row %d", file.options.Name, c.Rows+reader.Bad()+1)
			}
			return c, fmt.Errorf("%s: %w", place, err)
		}
		if err := writer.Write(&row); err != nil {
			return c, err
		}
		c.Rows, c.NNZ = c.Rows+1, c.NNZ+len(row.Indices)
	}
	c.Bad = reader.Bad()
	if err == io.EOF {
		err = reader.NotVectors()
	}
	if err != nil {
		return c, err
	}
	return c, writer.Flush()
}

// fit removes what the format cannot hold.
func (c *Conversion) fit(format Format, strict bool, label, id *[]byte) error {
	for _, part := range []struct {
		what  string
		text  *[]byte
		holds bool
		lost  *int
	}{
		{"label", label, format == SVMLight && svmlightLabel(*label) || format == Vowpal && vowpalLabel(*label), &c.Labels},
		{"id", id, format == SVMLight && svmlightID(*id) || format == Vowpal && vowpalID(*id), &c.IDs},
	} {
		if len(*part.text) == 0 || part.holds {
			continue
		}
		if strict {
			return fmt.Errorf("expected no %s that %s has no room for, got %q", part.what, format, clip(*part.text))
		}
		*part.lost++
		*part.text = nil
	}
	return nil
}
