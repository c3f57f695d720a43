package datasets

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"maps"
	"math"
	"slices"
)

// Info describes a set of vectors. The nnz figures count every feature listed in a vector.
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
	WholeWeights    bool // every weight is an integer
	OneWeights      bool // every weight is 1
}

// Describe computes the description of a data set, which has a name as Load takes it, and returns
// it with a line that describes the source. Files of vectors are read one vector at a time. Describe
// ends with the context's cause when the context ends.
//
// Rows are compared by 128 bits of a keyed hash: among 10^9 distinct rows, two have the same hash
// with probability 10^-21. Memory is about 60 bytes for each distinct row, and 40 for each distinct
// index.
func Describe(ctx context.Context, name string, options ReadOptions) (info Info, description string, err error) {
	d := newDescriber(ctx)
	if IsFile(name) {
		description, err = readFile(ctx, name, options, func(row *Row[float64]) error { return d.add(row.Indices, row.Weights) })
		info = d.end()
		return info, described(description, info.Rows, info.NNZ), err
	}
	set, description, err := Load[float64](ctx, name, options)
	for i := 0; i < set.Len() && err == nil; i++ {
		err = d.add(set.Row(i))
	}
	return d.end(), description, err
}

// describer describes vectors that come one by one.
type describer struct {
	Info
	ctx     context.Context
	lengths map[int]int            // rows by their number of features
	rows    map[[2]uint64]struct{} // hashes of the distinct ones
	indices map[uint64]struct{}
	seeds   [2]maphash.Seed
	bytes   []byte // of a row
}

func newDescriber(ctx context.Context) *describer {
	return &describer{
		Info: Info{WholeWeights: true, OneWeights: true}, ctx: ctx, lengths: map[int]int{},
		rows: map[[2]uint64]struct{}{}, indices: map[uint64]struct{}{}, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
	}
}

// add takes one more vector.
func (d *describer) add(indices []uint64, weights []float64) error {
	if err := ended(d.ctx); err != nil {
		return err
	}
	d.Rows++
	d.NNZ += len(indices)
	d.lengths[len(indices)]++
	d.bytes = d.bytes[:0]
	for i, index := range indices {
		if i%(1<<16) == 1<<16-1 {
			if err := ended(d.ctx); err != nil {
				return err
			}
		}
		d.MaxIndex = max(d.MaxIndex, index)
		d.indices[index] = struct{}{}
		d.bytes = binary.LittleEndian.AppendUint64(d.bytes, index)
	}
	for _, w := range weights {
		d.OneWeights = d.OneWeights && w == 1
		d.WholeWeights = d.WholeWeights && math.Trunc(w) == w
		d.bytes = binary.LittleEndian.AppendUint64(d.bytes, math.Float64bits(w))
	}
	d.rows[[2]uint64{maphash.Bytes(d.seeds[0], d.bytes), maphash.Bytes(d.seeds[1], d.bytes)}] = struct{}{}
	return nil
}

// end returns the description of all.
func (d *describer) end() Info {
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
