package datasets

import (
	"bufio"
	"bytes"
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
	if options.Name == "" {
		options.Name = path
	}
	return newVectorFile(ctx, stream, path, options, stream)
}

// NewVectorFile is OpenVectors for an uncompressed stream. Close does not close the stream.
func NewVectorFile(ctx context.Context, r io.Reader, path string, options ReadOptions) (*VectorFile, error) {
	return newVectorFile(ctx, r, path, options)
}

func newVectorFile(ctx context.Context, r io.Reader, path string, options ReadOptions, closers ...io.Closer) (*VectorFile, error) {
	v := &VectorFile{ctx: ctx, options: options.withDefaults(), closers: closers, Weights: Float64}
	v.stream = bufio.NewReaderSize(&endingReader{ctx, r}, 64<<10)
	start, _ := v.stream.Peek(recognized) // an error comes again
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

// Close closes the file, if it was opened here, and what was needed to read it.
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

// readAt makes an .npz file readable at any place.
func (v *VectorFile) readAt(path string) error {
	file, size, err := scratch.At(v.stream, path, "PK")
	if err != nil {
		return err
	}
	v.closers = append(v.closers, file)
	v.file, v.size, v.Weights = file, size, npzWeights(file, size)
	return nil
}

// Vectors returns what reads the vectors of a file, to be called once. The file stays open for it.
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
		err := ended(ctx) // a file on a disk does not end with the context
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
