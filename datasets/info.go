package datasets

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
)

// Info describes a set of vectors. Figures of nnz count the listed features of a vector, repeats
// included.
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

// Info computes the description. It costs a sort of all indices, and as much memory again as they
// have. The order of the features of unit rows does not matter to DuplicateRows; weighted rows are
// compared as they stand. It ends with the context's cause when the context ends.
func (c *CSR[W]) Info(ctx context.Context) (Info, error) {
	info := Info{Rows: c.Len(), NNZ: c.NNZ(), Weighted: c.Weights != nil, WholeWeights: true, OneWeights: true}
	for _, w := range c.Weights {
		info.OneWeights = info.OneWeights && w == 1
		info.WholeWeights = info.WholeWeights && math.Trunc(float64(w)) == float64(w)
	}
	indices := slices.Clone(c.Indices)
	if err := sortNumbers(ctx, indices); err != nil {
		return Info{}, err
	}
	for i, index := range indices {
		if i == 0 || index != indices[i-1] {
			info.DistinctIndices++
		}
		info.MaxIndex = index
	}
	var err error
	if info.DuplicateRows, err = c.duplicateRows(ctx); err != nil {
		return Info{}, err
	}
	return info, c.lengths(ctx, &info)
}

// lengths computes the figures of the numbers of features.
func (c *CSR[W]) lengths(ctx context.Context, info *Info) error {
	if info.Rows == 0 {
		return nil
	}
	lengths := make([]uint64, info.Rows)
	for i := range lengths {
		lengths[i] = uint64(c.Offsets[i+1] - c.Offsets[i])
		if lengths[i] == 0 {
			info.EmptyRows++
		}
	}
	if err := sortNumbers(ctx, lengths); err != nil {
		return err
	}
	info.MinNNZ, info.MaxNNZ = int(lengths[0]), int(lengths[info.Rows-1])
	info.MedianNNZ = (float64(lengths[(info.Rows-1)/2]) + float64(lengths[info.Rows/2])) / 2
	info.MeanNNZ = float64(info.NNZ) / float64(info.Rows)
	return nil
}

// hashedRow is a row with the hash of what it holds.
type hashedRow struct {
	hash uint64
	row  int
}

// duplicateRows sorts rows by a hash, which takes less memory than a map, and compares those
// of equal hash: the count is exact even if hashes collide.
func (c *CSR[W]) duplicateRows(ctx context.Context) (int, error) {
	seed := maphash.MakeSeed()
	rows := make([]hashedRow, c.Len())
	var scratch rowScratch
	for i := range rows {
		if err := ended(ctx); err != nil {
			return 0, err
		}
		indices, weights := c.comparable(i, &scratch.a)
		rows[i] = hashedRow{hashRow(seed, indices, weights, &scratch.bytes), i}
	}
	slices.SortFunc(rows, func(a, b hashedRow) int { return cmp.Compare(a.hash, b.hash) })
	duplicates := 0
	var different []int // rows of one hash: hardly ever more than one
	for i, row := range rows {
		if err := ended(ctx); err != nil {
			return 0, err
		}
		if i == 0 || row.hash != rows[i-1].hash {
			different = different[:0]
		}
		if slices.ContainsFunc(different, func(other int) bool { return c.equalRows(row.row, other, &scratch) }) {
			duplicates++
		} else {
			different = append(different, row.row)
		}
	}
	return duplicates, nil
}

type rowScratch struct {
	a, b  []uint64
	bytes []byte
}

// comparable returns a row in a form that is equal for equal vectors.
func (c *CSR[W]) comparable(i int, scratch *[]uint64) ([]uint64, []W) {
	indices, weights := c.Row(i)
	if weights == nil && !slices.IsSorted(indices) {
		*scratch = append((*scratch)[:0], indices...)
		slices.Sort(*scratch)
		indices = *scratch
	}
	return indices, weights
}

func (c *CSR[W]) equalRows(i, j int, scratch *rowScratch) bool {
	aIndices, aWeights := c.comparable(i, &scratch.a)
	bIndices, bWeights := c.comparable(j, &scratch.b)
	return slices.Equal(aIndices, bIndices) && slices.Equal(aWeights, bWeights)
}

func hashRow[W Weight](seed maphash.Seed, indices []uint64, weights []W, scratch *[]byte) uint64 {
	buf := (*scratch)[:0]
	for _, index := range indices {
		buf = binary.LittleEndian.AppendUint64(buf, index)
	}
	for _, w := range weights {
		// + 0: equal weights must have equal bits, so no -0
		buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(float64(w)+0))
	}
	*scratch = buf
	return maphash.Bytes(seed, buf)
}
