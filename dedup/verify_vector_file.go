package dedup

import (
	"encoding/binary"
	"io"
	"math"
	"slices"

	"simhashkit/internal/scratch"
)

// cachedVectors is how many bytes of vectors are kept in memory, of those that were asked for last.
const cachedVectors = 16 << 20

// vectorFile is a part of a temporary file: the vectors of some records.
type vectorFile struct {
	file    *scratch.File
	weighed bool     // the vectors have weights
	numbers []uint64 // of the records, ascending
	ends    []int64  // of each vector, behind where the first one begins

	cache  map[uint64]textVector
	cached int // bytes
	buffer []byte
}

// end returns where the next vector begins.
func (f *vectorFile) end() int64 {
	if len(f.ends) == 0 {
		f.ends = append(f.ends, 0)
	}
	return f.ends[len(f.ends)-1]
}

// append writes the vector of the next record.
func (f *vectorFile) append(w io.Writer, v textVector) error {
	f.buffer = f.buffer[:0]
	for _, index := range v.indices {
		f.buffer = binary.LittleEndian.AppendUint64(f.buffer, index)
	}
	for _, weight := range v.weights {
		f.buffer = binary.LittleEndian.AppendUint64(f.buffer, math.Float64bits(weight))
	}
	f.ends = append(f.ends, f.end()+int64(len(f.buffer)))
	_, err := w.Write(f.buffer)
	return err
}

// at returns the vector of a record.
func (f *vectorFile) at(record uint64) (textVector, error) {
	if v, ok := f.cache[record]; ok {
		return v, nil
	}
	i, _ := slices.BinarySearch(f.numbers, record)
	size := int(f.ends[i+1] - f.ends[i])
	f.buffer = slices.Grow(f.buffer[:0], size)[:size]
	if _, err := f.file.ReadAt(f.buffer, f.ends[i]); err != nil {
		return textVector{}, failedScratch(err)
	}
	numbers := make([]uint64, size/8)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint64(f.buffer[8*i:])
	}
	v := textVector{indices: numbers}
	if f.weighed {
		half := len(numbers) / 2
		v = textVector{numbers[:half], make([]float64, half)}
		for i, bits := range numbers[half:] {
			v.weights[i] = math.Float64frombits(bits)
		}
	}
	if f.cached += size + 64; f.cache == nil || f.cached > cachedVectors {
		f.cache, f.cached = map[uint64]textVector{}, size
	}
	f.cache[record] = v
	return v, nil
}
