package measure

import (
	"math"
	"math/bits"

	"simhashkit/datasets/text/weights"
	"simhashkit/results/measure/texts/collections"
)

// distances returns the distance of each pair: the bits that differ.
func (f fingerprints) distances(pairs []collections.Judged) []uint16 {
	list := make([]uint16, len(pairs))
	for n, p := range pairs {
		a, b := int(p.Pair[0])*f.words, int(p.Pair[1])*f.words
		d := 0
		for w := range f.words {
			d += bits.OnesCount64(f.prints[a+w] ^ f.prints[b+w])
		}
		list[n] = uint16(d)
	}
	return list
}

// steps is how finely cosines are told apart.
const steps = 1000

// stepsOf says how far a cosine is from 1, in steps.
func stepsOf(cosine float64) uint16 {
	return uint16(math.Round(max(0, min(1, 1-cosine)) * steps))
}

// cosineOf is the cosine that is so many steps from 1.
func cosineOf(from1 int) float64 { return 1 - float64(from1)/steps }

// cosines returns of each pair how far its cosine is from 1, in steps.
func cosines(list []document, pairs []collections.Judged) []uint16 {
	result := make([]uint16, len(pairs))
	if len(pairs) < len(list) {
		for n, p := range pairs {
			result[n] = stepsOf(weights.Cosine(list[p.Pair[0]].vector, list[p.Pair[1]].vector))
		}
		return result
	}
	m := newMatrix(list)
	row := int32(-1)
	for n, p := range pairs { // those of one row stand together, see Judge
		if p.Pair[1] != row {
			row = p.Pair[1]
			m.multiply(row)
		}
		result[n] = stepsOf(float64(m.cosines[p.Pair[0]]))
	}
	return result
}

// entry is a weight of a unit vector.
type entry struct {
	number int32 // of the feature, or of the document
	weight float32
}

// matrix has vectors of length 1 by document and by feature, for the cosines of one document with
// all others at a time.
type matrix struct {
	rows, columns [][]entry
	cosines       []float32 // of the row that was multiplied last with those before it
}

func newMatrix(list []document) *matrix {
	m := &matrix{cosines: make([]float32, len(list))}
	numbers := map[string]int32{}
	for i, d := range list {
		squares := 0.0
		for _, w := range d.vector.Weights {
			squares += w * w
		}
		length := math.Sqrt(squares)
		var row []entry
		for k, feature := range d.vector.Features {
			n, ok := numbers[string(feature)]
			if !ok {
				n = int32(len(m.columns))
				numbers[string(feature)] = n
				m.columns = append(m.columns, nil)
			}
			weight := float32(d.vector.Weights[k] / length)
			row = append(row, entry{n, weight})
			m.columns[n] = append(m.columns[n], entry{int32(i), weight})
		}
		m.rows = append(m.rows, row)
	}
	return m
}

// multiply computes the cosines of a document with all of lower numbers.
func (m *matrix) multiply(row int32) {
	clear(m.cosines)
	for _, feature := range m.rows[row] {
		for _, other := range m.columns[feature.number] {
			if other.number >= row {
				break
			}
			m.cosines[other.number] += other.weight * feature.weight
		}
	}
}
