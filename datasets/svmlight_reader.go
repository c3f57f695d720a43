package datasets

import (
	"context"
	"fmt"
	"io"

	"simhashkit/internal/lines"
)

// DefaultMaxLine is the longest line that a reader takes by default, 256 MiB: some ten
// million features.
const DefaultMaxLine = 256 << 20

// SVMLightOptions says how svmlight text is to be read. The zero value is right for most files.
type SVMLightOptions struct {
	// Name stands in errors where a file's name does; "" is "input".
	Name string

	// Base is subtracted from each index as written: 0 takes indices as they are, 1 suits files
	// that count from 1. A smaller index is an error.
	Base uint64

	// Unit keeps the indices alone. Values must still be finite numbers (a fraction is fine
	// whatever W is), features with value 0 are dropped, the others count once each, in the order
	// of the line and repeats included; weights are nil.
	Unit bool

	// MaxLine is the longest line in bytes; 0 is DefaultMaxLine. It bounds the memory of a reader,
	// which is up to some 15 bytes for each byte of its longest line.
	MaxLine int

	// OnError, when not nil, gets each malformed line's error; the line is left out and reading
	// goes on. When nil, Read stops at the first one.
	OnError func(*SyntaxError)
}

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
	lines   *lines.Reader
	options SVMLightOptions
	kind    weightKind
	bad     int
	err     error // what every further Read returns

	rows       int
	anyFeature bool   // an index:value was read
	firstLine  []byte // of those that hold a vector

	row      Row[W] // buffers; Label and ID point into the line
	places   []int  // byte position of each weighted feature in the line
	unsorted bool   // weighted features are not in strictly ascending order
	placed   []placed[W]
}

// NewSVMLightReader returns a reader of plain text; Decompress and Open give that. It panics when
// MaxLine is negative.
func NewSVMLightReader[W Weight](r io.Reader, options SVMLightOptions) *SVMLightReader[W] {
	if options.MaxLine < 0 {
		panic("datasets: negative MaxLine")
	}
	if options.MaxLine == 0 {
		options.MaxLine = DefaultMaxLine
	}
	if options.Name == "" {
		options.Name = "input"
	}
	kind := kindOf[W]()
	if options.Unit {
		kind = kindOf[float64]()
	}
	reader := &SVMLightReader[W]{lines: lines.NewReader(r, options.MaxLine), options: options, kind: kind}
	if !options.Unit {
		reader.row.Weights = []W{}
	}
	return reader
}

// Read stores the next vector in row, whose slices then belong to the reader and are valid until
// the next Read. The end is io.EOF; after an error, Read returns the same error again. It allocates
// only when a line is longer than those before it.
func (r *SVMLightReader[W]) Read(row *Row[W]) error {
	for r.err == nil {
		line, err := r.lines.Next()
		if err != nil && err != lines.ErrTooLong {
			r.err = r.readError(err)
			break
		}
		var bad *SyntaxError
		var found bool
		if err == lines.ErrTooLong {
			bad = r.syntaxError(0, fmt.Sprintf("a line of at most %d bytes", r.options.MaxLine), line)
		} else {
			found, bad = r.parse(line)
		}
		if bad != nil {
			r.hint(bad, line)
		}
		switch {
		case bad != nil && r.options.OnError != nil:
			r.bad++
			r.options.OnError(bad)
		case bad != nil:
			r.err = bad
		case found:
			r.look(line)
			*row = r.row
			return nil
		}
	}
	return r.err
}

// Bad returns the number of malformed lines that were left out so far, which is 0 without OnError.
func (r *SVMLightReader[W]) Bad() int { return r.bad }

func (r *SVMLightReader[W]) readError(err error) error {
	if err == io.EOF {
		return io.EOF
	}
	return fmt.Errorf("datasets: %s: after line %d: %w", r.options.Name, r.lines.Number(), err)
}

func (r *SVMLightReader[W]) syntaxError(at int, want string, got []byte) *SyntaxError {
	return NewSyntaxError(r.options.Name, r.lines.Number(), at+1, want, got)
}

// ReadSVMLight reads all vectors of plain svmlight text, see SVMLightReader for the format. Its
// memory is that of the result and of one line. It ends with the context's cause when the context
// ends, unless r keeps it waiting.
func ReadSVMLight[W Weight](ctx context.Context, r io.Reader, options SVMLightOptions) (CSR[W], error) {
	set, _, err := readAll[W](ctx, r, options)
	return set, err
}

// readAll returns the reader too, which knows what it has seen.
func readAll[W Weight](ctx context.Context, r io.Reader, options SVMLightOptions) (CSR[W], *SVMLightReader[W], error) {
	set := CSR[W]{Offsets: []int{0}}
	if !options.Unit {
		set.Weights = []W{}
	}
	reader := NewSVMLightReader[W](&endingReader{ctx, r}, options)
	var row Row[W]
	for {
		err := reader.Read(&row)
		if err == io.EOF {
			return set, reader, nil
		}
		if err == nil {
			err = set.Append(&row)
		}
		if err != nil {
			return CSR[W]{}, reader, err
		}
	}
}

// ReadSVMLightFile reads all vectors of a file, plain or compressed. The path stands in errors
// unless options has a name. It ends with the context's cause when the context ends.
func ReadSVMLightFile[W Weight](ctx context.Context, path string, options SVMLightOptions) (CSR[W], error) {
	set, _, err := readFile[W](ctx, path, options)
	return set, err
}

func readFile[W Weight](ctx context.Context, path string, options SVMLightOptions) (CSR[W], *SVMLightReader[W], error) {
	file, err := Open(ctx, path)
	if err != nil {
		return CSR[W]{}, nil, err
	}
	defer file.Close()
	if options.Name == "" {
		options.Name = path
	}
	return readAll[W](ctx, file, options)
}
