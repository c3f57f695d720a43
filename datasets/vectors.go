package datasets

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"simhashkit/datasets/syntax"
	"simhashkit/internal/scratch"
)

// VectorReader reads sparse vectors, one after the other, in any of the formats.
type VectorReader[W Weight] interface {
	// Read stores the next vector in row, whose slices then belong to the reader and are valid
	// until the next Read. The end is io.EOF; after an error, Read returns the same error again.
	Read(row *Row[W]) error

	// Bad returns the number of malformed lines or vectors that were left out so far, which is 0
	// without OnError.
	Bad() int

	// NotVectors returns an error if all vectors that were read have no features, since the file is
	// then hardly one of vectors. The error says what the file looks like.
	NotVectors() error

	// Close removes temporary files. It does not close the stream.
	Close() error
}

// NewVectorReader returns a reader of the vectors of an uncompressed stream, whose first bytes
// decide the format. The path is that of the stream's file, or "". An .npz file is read there if it
// is not compressed; other .npz streams are copied to a temporary file.
func NewVectorReader[W Weight](ctx context.Context, r io.Reader, path string, options ReadOptions) (VectorReader[W], error) {
	reader, _, err := newVectorReader[W](ctx, r, path, options)
	return reader, err
}

func newVectorReader[W Weight](ctx context.Context, r io.Reader, path string, options ReadOptions) (VectorReader[W], format, error) {
	stream := bufio.NewReaderSize(&endingReader{ctx, r}, 64<<10)
	start, _ := stream.Peek(recognized) // reading returns the error again
	switch format := recognize(start); format {
	case vowpal:
		return newVowpalReader[W](stream, options), format, nil
	case matrixMarket:
		reader, err := newMarketReader[W](ctx, stream, options)
		return reader, format, err
	case npz:
		file, size, err := scratch.At(stream, path, "PK")
		if err != nil {
			return nil, format, fmt.Errorf("datasets: %s: %w", options.withDefaults().Name, err)
		}
		reader, err := newNPZReader[W](file, size, options)
		if err != nil {
			file.Close()
			return nil, format, err
		}
		reader.file = file
		return reader, format, nil
	}
	return newSVMLightReader[W](stream, options), svmlight, nil
}

// format is a file format, as messages call a file of it.
type format string

const (
	svmlight     format = "svmlight file"
	vowpal       format = "Vowpal Wabbit file"
	matrixMarket format = "Matrix Market file"
	npz          format = "SciPy .npz file"
)

// recognized is how many bytes of a file decide its format.
const recognized = 4096

// recognize returns the format of a stream by its first bytes. The default is svmlight, whose
// reader describes what else the stream looks like.
func recognize(start []byte) format {
	if bytes.HasPrefix(start, []byte("PK\x03\x04")) || bytes.HasPrefix(start, []byte("PK\x05\x06")) {
		return npz
	}
	for bytes.HasPrefix(start, []byte(byteOrderMark)) {
		start = start[len(byteOrderMark):]
	}
	if len(start) >= len(marketMagic) && strings.EqualFold(string(start[:len(marketMagic)]), marketMagic) {
		return matrixMarket
	}
	line, _, _ := bytes.Cut(start[skipSpace(start, 0):], []byte("\n"))
	if looksVowpal(line) {
		return vowpal
	}
	return svmlight
}

// looksVowpal reports whether a line is in the format of Vowpal Wabbit. It could also be a table
// with bars, JSON, or svmlight with a bar in its id.
func looksVowpal(line []byte) bool {
	line = trimSpace(line)
	head, _, ok := bytes.Cut(line, []byte("|"))
	if !ok || len(line) == 0 || strings.IndexByte("{[<", line[0]) >= 0 || bytes.HasSuffix(line, []byte("|")) && len(head) == 0 && len(line) > 1 {
		return false
	}
	return bytes.IndexByte(head, '#') < 0
}

// newSet returns an empty set, of vectors with weights unless they are unit.
func newSet[W Weight](unit bool) CSR[W] {
	set := CSR[W]{Offsets: []int{0}}
	if !unit {
		set.Weights = []W{}
	}
	return set
}

// readEach hands out all vectors, one after the other.
func readEach[W Weight](ctx context.Context, reader VectorReader[W], add func(row *Row[W]) error) error {
	var row Row[W]
	for {
		err := ended(ctx) // reading from a disk does not notice the end of the context
		if err == nil {
			err = reader.Read(&row)
		}
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = add(&row)
		}
		if err != nil {
			return err
		}
	}
}

// ReadOptions says how vectors are to be read. The zero value is right for most files.
type ReadOptions struct {
	// Name stands in errors where a file's name does; "" is "input".
	Name string

	// Base is subtracted from each index as written: 0 takes indices as they are, 1 suits files
	// that count from 1. A smaller index is an error. Matrix Market files count from 1 and .npz
	// files from 0, by definition: there, any Base but 0 is an error.
	Base uint64

	// Unit keeps the indices alone. Values must still be finite numbers (a fraction is fine
	// whatever W is), features with value 0 are dropped, the others count once each, in the order
	// of the line and repeats included; weights are nil.
	Unit bool

	// MaxLine is the longest line in bytes; 0 is DefaultMaxLine. It bounds the memory of a reader:
	// up to about 40 bytes for each byte of the longest line.
	MaxLine int

	// OnError, when not nil, gets the error of each malformed line or vector (a *syntax.Error), and
	// of each file that Load cannot read. These are left out, and reading goes on. When nil, Read
	// stops at the first error. Read always stops where damage makes the rest of the file
	// unreliable.
	OnError func(error)
}

// DefaultMaxLine is the longest line that a reader of vectors takes by default, 16 MiB: some
// million features.
const DefaultMaxLine = 16 << 20

// withDefaults sets defaults, and panics if MaxLine is negative.
func (o ReadOptions) withDefaults() ReadOptions {
	if o.MaxLine < 0 {
		panic("datasets: negative MaxLine")
	}
	if o.MaxLine == 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.Name == "" {
		o.Name = "input"
	}
	return o
}

// rowReader has what the readers of all formats share: the current row, and the handling of
// malformed rows.
type rowReader[W Weight] struct {
	options ReadOptions
	kind    weightKind
	// next fills the row. A syntax.Error concerns only this row. After an error, including io.EOF,
	// there are no more rows.
	next func() (*syntax.Error, error)
	bad  int
	err  error // what every further Read returns

	row    Row[W]
	places []int // of the weighted features, for errors of sums
	sums   summer[W]
}

func newRowReader[W Weight](options ReadOptions) rowReader[W] {
	r := rowReader[W]{options: options.withDefaults(), kind: kindOf[W]()}
	if options.Unit {
		r.kind = kindOf[float64]() // W may not hold fractions, but unit weights need not
	} else {
		r.row.Weights = []W{}
	}
	return r
}

func (r *rowReader[W]) Read(row *Row[W]) error {
	for r.err == nil {
		bad, err := r.next()
		switch {
		case err != nil:
			r.err = err
		case bad == nil:
			*row = r.row
			return nil
		case r.options.OnError != nil:
			r.bad++
			r.options.OnError(bad)
		default:
			r.err = bad
		}
	}
	return r.err
}

func (r *rowReader[W]) Bad() int { return r.bad }

// NotVectors returns nil: .mtx and .npz files say that they hold vectors.
func (r *rowReader[W]) NotVectors() error { return nil }

// Close does nothing: most readers have no temporary files.
func (r *rowReader[W]) Close() error { return nil }

// begin empties the row for the next vector, which begins on a line.
func (r *rowReader[W]) begin(line int) {
	r.row = Row[W]{Indices: r.row.Indices[:0], Weights: r.row.Weights[:0], Line: line}
	r.places, r.sums.unsorted = r.places[:0], false
}

// add appends a feature and remembers its place.
func (r *rowReader[W]) add(index uint64, weight W, place int) {
	row := &r.row
	if !r.options.Unit {
		r.sums.next(row, index)
		row.Weights = append(row.Weights, weight)
		r.places = append(r.places, place)
	}
	row.Indices = append(row.Indices, index)
}

// sum sums the repeats of the row. Where a sum does not fit it returns the place at which that
// happens, and false.
func (r *rowReader[W]) sum() (place int, ok bool) {
	if !r.sums.unsorted {
		return 0, true
	}
	return r.sums.sum(&r.row, r.places)
}
