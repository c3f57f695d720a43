package datasets

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"

	"simhashkit/internal/lines"
)

// DefaultMaxLine is the longest line that a reader of vectors takes by default, 16 MiB: some
// million features.
const DefaultMaxLine = 16 << 20

// ReadOptions says how vectors are to be read. The zero value is right for most files.
type ReadOptions struct {
	// Name stands in errors where a file's name does; "" is "input".
	Name string

	// Format is that of the file; "" recognizes it by what the file holds. Readers of one format do
	// not ask.
	Format Format

	// Base is subtracted from each index as written: 0 takes indices as they are, 1 suits files
	// that count from 1. A smaller index is an error. Matrix Market files count from 1 and .npz
	// files from 0, by definition: there, any Base but 0 is an error.
	Base uint64

	// Unit keeps the indices alone. Values must still be finite numbers (a fraction is fine
	// whatever W is), features with value 0 are dropped, the others count once each, in the order
	// of the line and repeats included; weights are nil.
	Unit bool

	// MaxLine is the longest line in bytes; 0 is DefaultMaxLine. It bounds the memory of a reader,
	// which is up to some 40 bytes for each byte of its longest line, while buffers grow.
	MaxLine int

	// OnError, when not nil, gets the error of each malformed line or vector, which is left out,
	// and reading goes on. When nil, Read stops at the first one. Where a file is damaged such that
	// nothing behind can be trusted, Read stops in any case.
	OnError func(*SyntaxError)
}

// withDefaults fills in what is left out, and panics when MaxLine is negative.
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

// textReader is what all formats share that have one vector a line.
type textReader[W Weight] struct {
	lines   *lines.Reader
	options ReadOptions
	kind    weightKind
	bad     int
	err     error // what every further Read returns

	rows       int
	anyFeature bool   // a feature with its value was read
	bars       bool   // belong to the format
	firstLine  []byte // of those that hold a vector

	row    Row[W] // buffers; Label and ID point into the line
	places []int  // byte position of each weighted feature in the line
	sums   summer[W]
}

func newTextReader[W Weight](r io.Reader, options ReadOptions) textReader[W] {
	options = options.withDefaults()
	kind := kindOf[W]()
	if options.Unit {
		kind = kindOf[float64]()
	}
	reader := textReader[W]{lines: lines.NewReader(r, options.MaxLine), options: options, kind: kind}
	if !options.Unit {
		reader.row.Weights = []W{}
	}
	return reader
}

// read stores the next vector in row; parse makes one of a line and returns false when the line
// holds none.
func (r *textReader[W]) read(row *Row[W], parse func(line []byte) (bool, *SyntaxError)) error {
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
			found, bad = parse(line)
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
func (r *textReader[W]) Bad() int { return r.bad }

func (r *textReader[W]) readError(err error) error {
	if err == io.EOF {
		return io.EOF
	}
	return fmt.Errorf("datasets: %s: after line %d: %w", r.options.Name, r.lines.Number(), err)
}

func (r *textReader[W]) syntaxError(at int, want string, got []byte) *SyntaxError {
	return NewSyntaxError(r.options.Name, r.lines.Number(), at+1, want, got)
}

// begin empties the row for the next line.
func (r *textReader[W]) begin() {
	row := &r.row
	*row = Row[W]{Indices: row.Indices[:0], Weights: row.Weights[:0], Line: r.lines.Number()}
	r.places, r.sums.unsorted = r.places[:0], false
}

// add appends a feature and remembers where in the line it stands, for errors of sums.
func (r *textReader[W]) add(index uint64, weight W, at int) {
	row := &r.row
	if !r.options.Unit {
		r.sums.next(row, index)
		row.Weights = append(row.Weights, weight)
		r.places = append(r.places, at)
	}
	row.Indices = append(row.Indices, index)
}

// sum sums the repeats of the row, which end is behind in the line.
func (r *textReader[W]) sum(body []byte) *SyntaxError {
	if !r.sums.unsorted {
		return nil
	}
	if place, ok := r.sums.sum(&r.row, r.places); !ok {
		return r.syntaxError(place, "a sum of repeated features that fits "+r.kind.name, tokenAt(body, place))
	}
	return nil
}

func (r *textReader[W]) wantIndex() string { return wantIndex(r.options.Base, math.MaxUint64) }

func wantIndex(least, most uint64) string {
	return "an index from " + strconv.FormatUint(least, 10) + " to " + strconv.FormatUint(most, 10)
}

// scanIndex reads digits from body[at:]. It returns where they end, which is at if there are none,
// and false when the number does not fit.
func scanIndex(body []byte, at int) (index uint64, end int, ok bool) {
	overflow := false
	i := at
	for ; i < len(body) && body[i]-'0' <= 9; i++ {
		high, low := bits.Mul64(index, 10)
		sum, carry := bits.Add64(low, uint64(body[i]-'0'), 0)
		overflow = overflow || high+carry != 0
		index = sum
	}
	return index, i, !overflow
}
