package datasets

import (
	"cmp"
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

// Info computes the description. It costs two sorts of n numbers and as much memory again as the
// indices have. The order of the features of unit rows does not matter to DuplicateRows; weighted
// rows are compared as they stand.
func (c *CSR[W]) Info() Info {
	info := Info{
		Rows: c.Len(), NNZ: c.NNZ(), DuplicateRows: c.duplicateRows(),
		Weighted: c.Weights != nil, WholeWeights: true, OneWeights: true,
	}
	for _, w := range c.Weights {
		info.OneWeights = info.OneWeights && w == 1
		info.WholeWeights = info.WholeWeights && math.Trunc(float64(w)) == float64(w)
	}
	sorted := slices.Sorted(slices.Values(c.Indices))
	for i, index := range sorted {
		if i == 0 || index != sorted[i-1] {
			info.DistinctIndices++
		}
		info.MaxIndex = index
	}
	if info.Rows == 0 {
		return info
	}
	lengths := make([]int, info.Rows)
	for i := range lengths {
		lengths[i] = c.Offsets[i+1] - c.Offsets[i]
		if lengths[i] == 0 {
			info.EmptyRows++
		}
	}
	slices.Sort(lengths)
	info.MinNNZ, info.MaxNNZ = lengths[0], lengths[info.Rows-1]
	info.MedianNNZ = (float64(lengths[(info.Rows-1)/2]) + float64(lengths[info.Rows/2])) / 2
	info.MeanNNZ = float64(info.NNZ) / float64(info.Rows)
	return info
}

// duplicateRows groups rows by a hash and compares those of equal hash: the count is exact even if
// hashes collide.
func (c *CSR[W]) duplicateRows() int {
	type hashed struct {
		hash uint64
		row  int
	}
	seed := maphash.MakeSeed()
	rows := make([]hashed, c.Len())
	var scratch rowScratch
	for i := range rows {
		indices, weights := c.comparable(i, &scratch.a)
		rows[i] = hashed{hashRow(seed, indices, weights, &scratch.bytes), i}
	}
	slices.SortFunc(rows, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.row, b.row)) })
	duplicates := 0
	var kept []int // different rows of the hash at hand; nearly always one
	for i, r := range rows {
		if i == 0 || r.hash != rows[i-1].hash {
			kept = kept[:0]
		}
		if slices.ContainsFunc(kept, func(other int) bool { return c.equalRows(r.row, other, &scratch) }) {
			duplicates++
		} else {
			kept = append(kept, r.row)
		}
	}
	return duplicates
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
