package datasets

import (
	"context"
	"io"
)

// SVMLightReader reads sparse vectors in svmlight (libsvm) text, one line at a time, in memory
// bounded by the longest line.
//
// A line is
//
//	label qid:5 index:value index:value ... # id
//
// The label is optional: a first token without a colon, kept as text, such as -1 or, with several
// labels, 1,7. A qid: (query number of ranking data) after it must be a whole number and is
// otherwise ignored. Indices are whole numbers from the base to 2^64-1, in any order. What follows
// # is the id. Blank lines and lines that start with # are skipped; CRLF and a byte order mark at
// the start of a line are fine.
//
// Values are decimal numbers. As float32 and float64 they are rounded to the nearest; as int32 and
// int64 they must be whole ("3.0" and "3e2" are, "3.5" is not) and fit. Features with value 0,
// which includes floats too small for the type, are dropped. Repeated indices are summed in the
// order of the line, the row comes out in ascending order, and sums that are 0 are dropped.
// Infinite and NaN values and sums are errors.
//
// A malformed line is a *SyntaxError. Nothing is skipped without one.
type SVMLightReader[W Weight] struct {
	textReader[W]
}

// NewSVMLightReader returns a reader of plain text; Open gives that of a file. It panics when
// MaxLine is negative.
func NewSVMLightReader[W Weight](r io.Reader, options ReadOptions) *SVMLightReader[W] {
	return &SVMLightReader[W]{newTextReader[W](r, options)}
}

// Read stores the next vector in row, whose slices then belong to the reader and are valid until
// the next Read. The end is io.EOF; after an error, Read returns the same error again. It allocates
// only when a line is longer than those before it.
func (r *SVMLightReader[W]) Read(row *Row[W]) error { return r.read(row, r.parse) }

// ReadSVMLight reads all vectors of plain svmlight text, see SVMLightReader for the format. Its
// memory is that of the result and of one line. It ends with the context's cause when the context
// ends, unless r keeps it waiting.
func ReadSVMLight[W Weight](ctx context.Context, r io.Reader, options ReadOptions) (CSR[W], error) {
	return readAll(ctx, NewSVMLightReader[W](&endingReader{ctx, r}, options), options.Unit)
}

// ReadSVMLightFile reads all vectors of a file, plain or compressed. The path stands in errors
// unless options has a name. It ends with the context's cause when the context ends.
func ReadSVMLightFile[W Weight](ctx context.Context, path string, options ReadOptions) (CSR[W], error) {
	file, err := Open(ctx, path)
	if err != nil {
		return CSR[W]{}, err
	}
	defer file.Close()
	if options.Name == "" {
		options.Name = path
	}
	return ReadSVMLight[W](ctx, file, options)
}
