package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
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
	o.MaxLine, o.Name = cmp.Or(o.MaxLine, defaultMaxLine), cmp.Or(o.Name, "input")
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

// Read stores the next vector in row. The slices of row belong to the reader and are valid until
// the next Read. At the end, Read returns io.EOF, or a SyntaxError if vectors were read, but none
// has a feature: the file then probably does not hold vectors. After an error, Read returns the
// same error again.
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

// Names of weight types in commands and results. Unit means no weights.
const (
	Unit    = "unit"
	Int32   = "i32"
	Int64   = "i64"
	Float32 = "f32"
	Float64 = "f64"
)

// WeightTypes lists these names.
func WeightTypes() []string { return []string{Unit, Int32, Int64, Float32, Float64} }

// weightKind describes a weight type to the code that reads files.
type weightKind struct {
	name  string // name in messages
	bits  int
	whole bool
}

func kindOf[W Weight]() weightKind {
	switch any(W(0)).(type) {
	case int32:
		return weightKind{"int32", 32, true}
	case int64:
		return weightKind{"int64", 64, true}
	case float32:
		return weightKind{"float32", 32, false}
	}
	return weightKind{"float64", 64, false}
}

// parseNumber parses a decimal number, which is infinite if it is too large. Unlike strconv, it
// rejects hexadecimal numbers, "inf" and "nan".
func parseNumber(text []byte, bits int) (f float64, ok bool) {
	for _, b := range text {
		if b-'0' > 9 && b != '.' && b != '-' && b != '+' && b|0x20 != 'e' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	// strconv parses most float64 faster than float32. Rounding a float64 to float32 is wrong only
	// if it is midway between two float32 values, which have 29 bits less, or too small for these.
	const lost = 1<<29 - 1
	if bits == 32 && (math.Float64bits(f)&lost == 1<<28 || math.Abs(f) < 0x1p-126) {
		f, err = strconv.ParseFloat(string(text), 32)
	}
	return f, err == nil || errors.Is(err, strconv.ErrRange)
}

// parseWeight parses a weight. On failure, want describes the expected token; it is notNumber if
// the token is not a number.
func (r *VectorReader[W]) parseWeight(token []byte, notNumber string) (weight W, zero bool, want string) {
	if r.kind.whole {
		if n, err := strconv.ParseInt(string(token), 10, r.kind.bits); err == nil {
			return W(n), n == 0, ""
		}
	}
	f, ok := parseNumber(token, r.kind.bits)
	switch {
	case !ok && notFinite(token):
		return 0, false, "a finite weight"
	case !ok:
		return 0, false, notNumber
	case r.kind.whole: // "3.0" and "3e2" are whole numbers, too
		number, _, err := big.ParseFloat(string(token), 10, 256, big.ToNearestEven)
		if err != nil { // the exponent is beyond int64
			number = big.NewFloat(f)
		}
		return r.wholeWeight(number)
	}
	return r.floatWeight(f)
}

// wholeWeight converts a number to an integer weight. On failure, want describes the expected
// number.
func (r *VectorReader[W]) wholeWeight(number *big.Float) (weight W, zero bool, want string) {
	n, accuracy := number.Int64()
	switch {
	case !number.IsInt() && !number.IsInf():
		return 0, false, "an integer weight"
	case accuracy != big.Exact || int64(W(n)) != n:
		return 0, false, "an integer weight that fits " + r.kind.name
	}
	return W(n), n == 0, ""
}

// floatWeight converts a number to a weight. On failure, want describes the expected number.
func (r *VectorReader[W]) floatWeight(f float64) (weight W, zero bool, want string) {
	weight = W(f)
	switch {
	case f-f != 0, weight-weight != 0: // infinite
		return 0, false, "a weight that fits " + r.kind.name
	case r.options.Unit && f != 0:
		return 1, false, ""
	}
	return weight, weight == 0, ""
}

// addWeights returns a + b, and false if the sum overflows: it wraps around or is infinite.
func addWeights[W Weight](a, b W) (W, bool) {
	sum := a + b
	if math.IsInf(float64(sum), 0) {
		return 0, false
	}
	wrapped := b > 0 && sum < a || b < 0 && sum > a // always false for floats
	return sum, !wrapped
}

// multiplyWeights returns a · b, and false if the product overflows.
func multiplyWeights[W Weight](a, b W) (W, bool) {
	product := W(a * b)
	if math.IsInf(float64(product), 0) {
		return 0, false
	}
	if kindOf[W]().whole && a != 0 && (product/a != b || a == -1 && b != 0 && product == b) {
		return 0, false // overflow; -1 times the smallest integer is that integer again
	}
	return product, true
}
