package datasets

import (
	"context"
	"encoding/binary"
	"hash/maphash"
	"maps"
	"math"
	"slices"
)

// Info describes a set of vectors. The nnz fields count every listed feature, including repeats.
type Info struct {
	Rows            int
	EmptyRows       int // rows without features
	DuplicateRows   int // rows with exactly the features and weights of an earlier row
	NNZ             int
	MinNNZ          int
	MedianNNZ       float64
	MeanNNZ         float64
	MaxNNZ          int
	MaxIndex        uint64 // 0 if there are no features
	DistinctIndices int
	WholeWeights    bool // every weight is an integer
	OneWeights      bool // every weight is 1
	SignedWeights   bool // some weight is negative
}

// Describe reads a data set by name, like Load. It returns a description of the vectors and a line
// about the source. It reads files of vectors one vector at a time. When the context ends, it
// returns the context's cause.
//
// Rows are compared by 128 bits of a keyed hash: among 10^9 distinct rows, the probability of a
// collision is 10^-21. Memory is about 60 bytes per distinct row and 40 per distinct index.
func Describe(ctx context.Context, name string, options ReadOptions) (info Info, description string, err error) {
	d := newDescriber(ctx)
	if name != GoSourceName {
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

// describer computes an Info from vectors added one at a time.
type describer struct {
	Info
	ctx     context.Context
	lengths map[int]int            // number of features to number of rows
	rows    map[[2]uint64]struct{} // hashes of the distinct rows
	indices map[uint64]struct{}
	seeds   [2]maphash.Seed
	bytes   []byte // encoded row, reused
}

func newDescriber(ctx context.Context) *describer {
	return &describer{
		Info: Info{WholeWeights: true, OneWeights: true}, ctx: ctx, lengths: map[int]int{},
		rows: map[[2]uint64]struct{}{}, indices: map[uint64]struct{}{}, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
	}
}

// add counts one more vector.
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
		d.SignedWeights = d.SignedWeights || w < 0
		d.WholeWeights = d.WholeWeights && math.Trunc(w) == w
		d.bytes = binary.LittleEndian.AppendUint64(d.bytes, math.Float64bits(w))
	}
	d.rows[[2]uint64{maphash.Bytes(d.seeds[0], d.bytes), maphash.Bytes(d.seeds[1], d.bytes)}] = struct{}{}
	return nil
}

// end returns the Info of all added vectors.
func (d *describer) end() Info {
	if d.Rows == 0 {
		return d.Info
	}
	d.DuplicateRows = d.Rows - len(d.rows)
	d.DistinctIndices = len(d.indices)
	lengths := slices.Sorted(maps.Keys(d.lengths))
	// length returns the number of features of the row at a position in the order of length.
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
