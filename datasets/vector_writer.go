package datasets

import (
	"io"
)

// VectorWriter writes sparse vectors in one of the formats.
type VectorWriter[W Weight] interface {
	// Write takes one row, with the label and the id where the format has room for them.
	Write(row *Row[W]) error

	// Flush passes on everything that was written; it must be called at the end.
	Flush() error

	// Close lets go of temporary files, after Flush or without it.
	Close() error
}

// NewVectorWriter returns a writer of the format onto w. Matrices have at least that many columns.
func NewVectorWriter[W Weight](w io.Writer, format Format, columns uint64) (VectorWriter[W], error) {
	switch format {
	case SVMLight:
		return nothingToClose[W]{NewSVMLightWriter[W](w)}, nil
	case Vowpal:
		return nothingToClose[W]{NewVowpalWriter[W](w)}, nil
	case MatrixMarket:
		return NewMarketWriter[W](w, columns)
	case NPZ:
		return NewNPZWriter[W](w, columns)
	}
	_, err := ParseFormat(string(format))
	return nil, err
}

// nothingToClose gives a writer without temporary files a Close.
type nothingToClose[W Weight] struct {
	writer interface {
		Write(row *Row[W]) error
		Flush() error
	}
}

func (n nothingToClose[W]) Write(row *Row[W]) error { return n.writer.Write(row) }
func (n nothingToClose[W]) Flush() error            { return n.writer.Flush() }
func (n nothingToClose[W]) Close() error            { return nil }
