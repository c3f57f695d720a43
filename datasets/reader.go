package datasets

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

	// MaxLine is the longest line in bytes; 0 is DefaultMaxLine. It bounds the memory of a reader,
	// which is up to some 40 bytes for each byte of its longest line, while buffers grow.
	MaxLine int

	// OnError, when not nil, gets the error of each malformed line or vector (a *SyntaxError), and
	// of each unreadable file of Load's, which is left out, and reading goes on. When nil, Read
	// stops at the first one. Where a file is damaged such that nothing behind can be trusted, Read
	// stops in any case.
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

// rowReader is shared by the readers of all formats: the current row, and the handling of malformed
// ones.
type rowReader[W Weight] struct {
	options ReadOptions
	kind    weightKind
	// next fills the row. A SyntaxError is of this row alone; after an error, io.EOF included,
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
		r.kind = kindOf[float64]() // W may not hold a fraction, and nobody asks
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
