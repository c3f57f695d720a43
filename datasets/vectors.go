package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

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
}

// VectorFile is a file or a stream of vectors whose format is known. Vectors reads it.
type VectorFile struct {
	Format Format

	// Weights is the type that holds the weights as they stand in the file: Float64 for decimal
	// numbers.
	Weights string

	ctx      context.Context
	options  ReadOptions
	stream   *bufio.Reader // text
	file     io.ReaderAt   // .npz
	size     int64
	anyOrder bool // of the rows of Matrix Market
	closers  []io.Closer
}

// OpenVectors opens a file of vectors, plain or compressed as Open has it, and recognizes its
// format by what it holds. The path stands in errors unless options has a name.
//
// Matrix Market files are read twice, the first time to see whether their rows are in order.
func OpenVectors(ctx context.Context, path string, options ReadOptions) (*VectorFile, error) {
	stream, err := Open(ctx, path)
	if err != nil {
		return nil, err
	}
	options.Name = cmp.Or(options.Name, path)
	v, err := NewVectorFile(ctx, stream, path, options)
	if err != nil {
		stream.Close()
		return nil, err
	}
	v.closers = append(v.closers, stream)
	return v, nil
}

// NewVectorFile is OpenVectors for an uncompressed stream. Close does not close the stream.
func NewVectorFile(ctx context.Context, r io.Reader, path string, options ReadOptions) (*VectorFile, error) {
	v := &VectorFile{ctx: ctx, options: options.withDefaults(), Weights: Float64}
	v.stream = bufio.NewReaderSize(&endingReader{ctx, r}, 64<<10)
	start, _ := v.stream.Peek(recognized) // reading returns the error again
	var err error
	if v.Format = options.Format; v.Format == "" {
		v.Format = recognize(start)
	}
	switch v.Format {
	case MatrixMarket:
		err = v.lookAhead(path)
	case NPZ:
		err = v.readAt(path)
	}
	if err != nil {
		v.Close()
		return nil, fmt.Errorf("datasets: %s: %w", v.options.Name, err)
	}
	return v, nil
}

// Close closes the file if OpenVectors opened it, and temporary files.
func (v *VectorFile) Close() error {
	var first error
	for _, closer := range v.closers {
		if err := closer.Close(); first == nil {
			first = err
		}
	}
	return first
}

// lookAhead reads a Matrix Market file to see whether its rows are in order, and prepares to read
// it again.
func (v *VectorFile) lookAhead(path string) error {
	start, _ := v.stream.Peek(recognized)
	first, _, _ := bytes.Cut(start, []byte("\n"))
	if field := strings.ToLower(string(first)); strings.Contains(field, "integer") || strings.Contains(field, "pattern") {
		v.Weights = Int64
	}
	if scratch.Regular(path) {
		v.anyOrder = !ascends(v.stream, v.options)
		again, err := Open(v.ctx, path)
		if err != nil {
			return err
		}
		v.closers = append(v.closers, again)
		v.stream = bufio.NewReaderSize(again, 64<<10)
		return nil
	}
	file, err := scratch.Of(v.stream)
	if err != nil {
		return err
	}
	v.closers = append(v.closers, file)
	v.anyOrder = !ascends(&endingReader{v.ctx, file}, v.options)
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	v.stream = bufio.NewReaderSize(&endingReader{v.ctx, file}, 64<<10)
	return nil
}

// readAt prepares random access to an .npz file.
func (v *VectorFile) readAt(path string) error {
	file, size, err := scratch.At(v.stream, path, "PK")
	if err != nil {
		return err
	}
	v.closers = append(v.closers, file)
	v.file, v.size, v.Weights = file, size, npzWeights(file, size)
	return nil
}

// Vectors returns a reader of the vectors of a file. It may be called once. The file must stay open
// while the reader is in use.
func Vectors[W Weight](v *VectorFile) (VectorReader[W], error) {
	switch v.Format {
	case Vowpal:
		return newVowpalReader[W](v.stream, v.options), nil
	case MatrixMarket:
		return newMarketReader[W](v.ctx, v.stream, v.options, v.anyOrder), nil
	case NPZ:
		reader, err := newNPZReader[W](v.file, v.size, v.options)
		if err != nil {
			return nil, err
		}
		v.closers = append([]io.Closer{reader}, v.closers...)
		return reader, nil
	}
	return newSVMLightReader[W](v.stream, v.options), nil
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

	// Format is the format of the file; "" detects it from the content.
	Format Format

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

	// OnError, when not nil, gets the error of each malformed line or vector (a *SyntaxError), and
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
	// next fills the row. A SyntaxError concerns only this row. After an error, including io.EOF,
	// there are no more rows.
	next func() (*SyntaxError, error)
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
