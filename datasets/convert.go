package datasets

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"math"
	"slices"

	"simhashkit/datasets/syntax"
)

// Conversion is the result of Convert: what it wrote, and what the format could not hold.
type Conversion struct {
	Rows, NNZ   int
	Labels, IDs int // left out
	Bad         int // vectors left out, see ReadOptions.OnError
}

// Convert writes the vectors of a file in another format, one after the other: its memory is that
// of the reader. Indices and weights are the same bit for bit, as W has them; matrices keep their
// columns.
//
// Labels and ids that the format cannot hold are left out and counted; in svmlight, vectors without
// a label get the label 0. When strict, the first such label or id is an error.
func Convert[W Weight](ctx context.Context, w io.Writer, format Format, file *VectorFile, strict bool) (c Conversion, err error) {
	reader, err := Vectors[W](file)
	if err != nil {
		return c, err
	}
	var row Row[W]
	err = reader.Read(&row)
	columns := uint64(0)
	if matrix, ok := reader.(interface{ Columns() uint64 }); ok {
		columns = matrix.Columns() // known after the first read
	}
	writer, openErr := NewVectorWriter[W](w, format, columns)
	if openErr != nil {
		return c, openErr
	}
	defer writer.Close()
	for ; err == nil; err = reader.Read(&row) {
		if err := ended(ctx); err != nil {
			return c, err
		}
		if err := c.fit(format, strict, &row.Label, &row.ID); err != nil {
			place := fmt.Sprintf("%s:%d", file.options.Name, row.Line)
			if row.Line == 0 {
				place = fmt.Sprintf("%s: row %d", file.options.Name, c.Rows+reader.Bad()+1)
			}
			return c, fmt.Errorf("%s: %w", place, err)
		}
		if err := writer.Write(&row); err != nil {
			return c, err
		}
		c.Rows, c.NNZ = c.Rows+1, c.NNZ+len(row.Indices)
	}
	c.Bad = reader.Bad()
	if err == io.EOF {
		err = reader.NotVectors()
	}
	if err != nil {
		return c, err
	}
	return c, writer.Flush()
}

// fit removes a label and an id that the format cannot hold.
func (c *Conversion) fit(format Format, strict bool, label, id *[]byte) error {
	for _, part := range []struct {
		what  string
		text  *[]byte
		holds bool
		lost  *int
	}{
		{"label", label, format == SVMLight && svmlightLabel(*label) || format == Vowpal && vowpalLabel(*label), &c.Labels},
		{"id", id, format == SVMLight && svmlightID(*id) || format == Vowpal && vowpalID(*id), &c.IDs},
	} {
		if len(*part.text) == 0 || part.holds {
			continue
		}
		if strict {
			return fmt.Errorf("expected no %s that %s has no room for, got %q", part.what, format, syntax.Clip(*part.text))
		}
		*part.lost++
		*part.text = nil
	}
	return nil
}

// Info describes a set of vectors. The nnz figures count every feature listed in a vector,
// including repeats.
type Info struct {
	Rows            int
	EmptyRows       int // rows without any feature, which say nothing
	DuplicateRows   int // rows with exactly the features and weights of an earlier row
	NNZ             int
	MinNNZ          int
	MedianNNZ       float64
	MeanNNZ         float64
	MaxNNZ          int
	MaxIndex        uint64 // 0 when there is no feature
	DistinctIndices int
	Weighted        bool // false: unit weights
	WholeWeights    bool // every weight is an integer; true for unit weights
	OneWeights      bool // every weight is 1; true for unit weights
}

// Info computes the description. The order of the features of unit rows does not matter to
// DuplicateRows; weighted rows are compared as they stand. It ends with the context's cause when
// the context ends.
//
// Rows are compared by 128 bits of a keyed hash: among 10^9 distinct rows, two have the same hash
// with probability 10^-21. Memory is about 60 bytes for each distinct row, and 40 for each distinct
// index.
func (c *CSR[W]) Info(ctx context.Context) (Info, error) {
	d := newDescriber[W](ctx, c.Weights != nil)
	for i := range c.Len() {
		indices, weights := c.Row(i)
		if err := d.add(indices, weights); err != nil {
			return Info{}, err
		}
	}
	return d.end(), nil
}

// Describe returns what Info says of a data set by name, as Load has it, and the line that
// describes it. Files of vectors are read one vector at a time; memory is that of Info, and of the
// reader.
func Describe[W Weight](ctx context.Context, name string, options ReadOptions) (info Info, description string, err error) {
	if !IsFile(name) {
		set, description, err := Load[W](ctx, name, options)
		if err == nil {
			info, err = set.Info(ctx)
		}
		return info, description, err
	}
	d := newDescriber[W](ctx, !options.Unit)
	description, err = readFile(ctx, name, options, func(row *Row[W]) error { return d.add(row.Indices, row.Weights) })
	if err == nil {
		info = d.end()
	}
	return info, described(description, info.Rows, info.NNZ), err
}

// describer describes vectors that come one by one.
type describer[W Weight] struct {
	Info
	ctx     context.Context
	lengths map[int]int            // rows by their number of features
	rows    map[[2]uint64]struct{} // hashes of the distinct ones
	indices map[uint64]struct{}
	hash    rowHash
	sorted  []uint64
}

// newDescriber returns a describer. weighted says whether the vectors have weights, until the first
// one with features shows it.
func newDescriber[W Weight](ctx context.Context, weighted bool) *describer[W] {
	return &describer[W]{
		Info: Info{Weighted: weighted, WholeWeights: true, OneWeights: true}, ctx: ctx, lengths: map[int]int{},
		rows: map[[2]uint64]struct{}{}, indices: map[uint64]struct{}{}, hash: rowHash{low: maphash.MakeSeed(), high: maphash.MakeSeed()},
	}
}

// add takes one more vector, whose weights are nil if they are unit.
func (d *describer[W]) add(indices []uint64, weights []W) error {
	if err := ended(d.ctx); err != nil {
		return err
	}
	if len(indices) > 0 {
		if weighted := weights != nil; d.NNZ == 0 {
			d.Weighted = weighted
		} else if weighted != d.Weighted {
			return fmt.Errorf("datasets: rows with and without weights in one set (row %d)", d.Rows+1)
		}
	}
	d.Rows++
	d.NNZ += len(indices)
	d.lengths[len(indices)]++
	for i, index := range indices {
		if i%(1<<16) == 1<<16-1 {
			if err := ended(d.ctx); err != nil {
				return err
			}
		}
		d.MaxIndex = max(d.MaxIndex, index)
		d.indices[index] = struct{}{}
	}
	for _, w := range weights {
		d.OneWeights = d.OneWeights && w == 1
		d.WholeWeights = d.WholeWeights && math.Trunc(float64(w)) == float64(w)
	}
	if weights == nil && !slices.IsSorted(indices) { // their order means nothing
		d.sorted = append(d.sorted[:0], indices...)
		if err := sortNumbers(d.ctx, d.sorted); err != nil {
			return err
		}
		indices = d.sorted
	}
	d.rows[hashOf(&d.hash, indices, weights)] = struct{}{}
	return nil
}

// end returns the description of all.
func (d *describer[W]) end() Info {
	if d.Rows == 0 {
		return d.Info
	}
	d.DuplicateRows = d.Rows - len(d.rows)
	d.DistinctIndices = len(d.indices)
	lengths := slices.Sorted(maps.Keys(d.lengths))
	// length returns the length of the row at a place, if rows were sorted by length.
	length := func(place int) int {
		for _, n := range lengths {
			if place -= d.lengths[n]; place < 0 {
				return n
			}
		}
		return lengths[len(lengths)-1]
	}
	d.EmptyRows = d.lengths[0]
	d.MinNNZ, d.MaxNNZ = lengths[0], lengths[len(lengths)-1]
	d.MedianNNZ = (float64(length((d.Rows-1)/2)) + float64(length(d.Rows/2))) / 2
	d.MeanNNZ = float64(d.NNZ) / float64(d.Rows)
	return d.Info
}
