package datasets

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"simhashkit/internal/scratch"
	"simhashkit/internal/syntax"
)

// SyntaxError describes malformed text: where it is and what was expected.
type SyntaxError = syntax.Error

// VectorReader reads sparse vectors, one after the other, in any of the formats.
type VectorReader[W Weight] struct {
	options ReadOptions
	kind    weightKind
	// next fills the row. A SyntaxError concerns only this row. An error, including io.EOF, means
	// that there are no more rows.
	next  func() (*SyntaxError, error)
	close func() error // nil if there is no temporary file
	bad   int
	err   error // returned by every further Read

	row    Row[W]
	places []int // positions of the weighted features, for errors of sums
	sums   summer[W]
}

// NewVectorReader returns a reader of the vectors of an uncompressed stream. The first bytes of the
// stream determine the format. path is the path of the stream's file, or "". An uncompressed .npz
// file is read from path; other .npz streams are copied to a temporary file.
func NewVectorReader[W Weight](ctx context.Context, r io.Reader, path string, options ReadOptions) (*VectorReader[W], error) {
	reader, _, err := newVectorReader[W](ctx, r, path, options)
	return reader, err
}

func newVectorReader[W Weight](ctx context.Context, r io.Reader, path string, options ReadOptions) (*VectorReader[W], format, error) {
	stream := bufio.NewReaderSize(&endingReader{ctx, r}, 64<<10)
	start, _ := stream.Peek(recognized) // a later read returns the error again
	switch format := recognize(start); format {
	case vowpal:
		return newVowpalReader[W](stream, options), format, nil
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
		reader.close = file.Close
		return reader, format, nil
	}
	return newSVMLightReader[W](stream, options), svmlight, nil
}

// format is a file format, as named in messages.
type format string

const (
	svmlight format = "svmlight file"
	vowpal   format = "Vowpal Wabbit file"
	npz      format = "SciPy .npz file"
)

// recognized is the number of bytes that determine the format of a file.
const recognized = 4096

// recognize returns the format of a stream from its first bytes. The default is svmlight, whose
// reader reports what else the stream looks like.
func recognize(start []byte) format {
	if bytes.HasPrefix(start, []byte("PK\x03\x04")) || bytes.HasPrefix(start, []byte("PK\x05\x06")) {
		return npz
	}
	for bytes.HasPrefix(start, []byte(byteOrderMark)) {
		start = start[len(byteOrderMark):]
	}
	line, _, _ := bytes.Cut(start[skipSpace(start, 0):], []byte("\n"))
	if looksVowpal(line) {
		return vowpal
	}
	return svmlight
}

// looksVowpal reports whether a line may be in Vowpal Wabbit's format. It rejects tables with bars,
// JSON, and svmlight with a bar in its id.
func looksVowpal(line []byte) bool {
	line = trimSpace(line)
	head, _, ok := bytes.Cut(line, []byte("|"))
	if !ok || len(line) == 0 || strings.IndexByte("{[<", line[0]) >= 0 || bytes.HasSuffix(line, []byte("|")) && len(head) == 0 && len(line) > 1 {
		return false
	}
	return bytes.IndexByte(head, '#') < 0
}

// newSet returns an empty set, with weights unless unit is true.
func newSet[W Weight](unit bool) CSR[W] {
	set := CSR[W]{Offsets: []int{0}}
	if !unit {
		set.Weights = []W{}
	}
	return set
}

// readEach calls add with each vector.
func readEach[W Weight](ctx context.Context, reader *VectorReader[W], add func(row *Row[W]) error) error {
	var row Row[W]
	for {
		err := ended(ctx) // disk reads do not watch the context
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

// ReadOptions configures the reading of vectors. The zero value suits most files.
type ReadOptions struct {
	// Name is the file name in error messages; "" means "input".
	Name string

	// Base is subtracted from each index. Use 1 for files whose indices count from 1. An index
	// below Base is an error. The indices of .npz files count from 0 by definition; for them, any
	// Base but 0 is an error.
	Base uint64

	// Unit keeps only the indices; weights are nil. Values must still be finite numbers, but may be
	// fractions for any W. Features with value 0 are dropped. Every other feature, including
	// repeats, counts once; the order is that of the line.
	Unit bool

	// MaxLine is the maximum line length in bytes; 0 means 16 MiB. It bounds the memory of
	// a reader: up to about 40 bytes for each byte of the longest line.
	MaxLine int

	// If OnError is not nil, it is called with the error of each malformed line or vector (a
	// *SyntaxError), which is then skipped. If OnError is nil, Read stops at the first error. Read
	// always stops if damage makes the rest of the file unreliable.
	OnError func(error)
}

// defaultMaxLine suits lines of about a million features.
const defaultMaxLine = 16 << 20

// withDefaults fills in defaults. It panics if MaxLine is negative.
func (o ReadOptions) withDefaults() ReadOptions {
	if o.MaxLine < 0 {
		panic("datasets: negative MaxLine")
	}
	if o.MaxLine == 0 {
		o.MaxLine = defaultMaxLine
	}
	if o.Name == "" {
		o.Name = "input"
	}
	return o
}

func newReader[W Weight](options ReadOptions) VectorReader[W] {
	r := VectorReader[W]{options: options.withDefaults(), kind: kindOf[W]()}
	if options.Unit {
		r.kind = kindOf[float64]() // W may be an integer type, but values may be fractions
	} else {
		r.row.Weights = []W{}
	}
	return r
}

// Read stores the next vector in row. The slices of row belong to the reader and are valid until the
// next Read. At the end, Read returns io.EOF, or a SyntaxError if vectors were read, but none has a
// feature: the file then probably does not hold vectors. After an error, Read returns the same error
// again.
func (r *VectorReader[W]) Read(row *Row[W]) error {
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

// Bad returns the number of malformed lines or vectors skipped so far. It is 0 without OnError.
func (r *VectorReader[W]) Bad() int { return r.bad }

// Close removes temporary files. It does not close the stream.
func (r *VectorReader[W]) Close() error {
	if r.close == nil {
		return nil
	}
	return r.close()
}

// begin clears the row for the next vector, which starts at the given line.
func (r *VectorReader[W]) begin(line int) {
	r.row = Row[W]{Indices: r.row.Indices[:0], Weights: r.row.Weights[:0], Line: line}
	r.places, r.sums.unsorted = r.places[:0], false
}

// add appends a feature and remembers its place.
func (r *VectorReader[W]) add(index uint64, weight W, place int) {
	row := &r.row
	if !r.options.Unit {
		r.sums.next(row, index)
		row.Weights = append(row.Weights, weight)
		r.places = append(r.places, place)
	}
	row.Indices = append(row.Indices, index)
}

// sum sums the repeated features of the row. If a sum overflows, it returns the place of the
// overflow and false.
func (r *VectorReader[W]) sum() (place int, ok bool) {
	if !r.sums.unsorted {
		return 0, true
	}
	return r.sums.sum(&r.row, r.places)
}
