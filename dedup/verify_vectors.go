package dedup

import (
	"context"
	"fmt"

	"simhashkit/datasets"
)

// Vectors verifies near records by the cosine of their vectors, which are in memory.
type Vectors struct {
	records, against *datasets.CSR[float64]
	measure          Measure
}

// NewVectors returns what verifies the pairs of records, or of records and others, which may be
// nil. The measure must be a Cosine. Records without vectors are an error.
func NewVectors(records, against *Records, measure Measure) (*Vectors, error) {
	if measure.Kind != Cosine {
		return nil, fmt.Errorf("%s has no texts; expected a cosine, which vectors have", records.Name)
	}
	v := &Vectors{records: records.Vectors, against: records.Vectors, measure: measure}
	if v.records == nil {
		return nil, withoutVectors(records)
	}
	if against != nil {
		if v.against = against.Vectors; v.against == nil {
			return nil, withoutVectors(against)
		}
	}
	return v, nil
}

func withoutVectors(r *Records) error {
	return fmt.Errorf("%s has fingerprints only; expected vectors, whose cosines can be computed", r.Name)
}

// Figure returns "cosine".
func (v *Vectors) Figure() string { return string(v.measure.Kind) }

func (v *Vectors) String() string { return v.measure.String() }

// Load does nothing: all vectors are there.
func (v *Vectors) Load(context.Context, []uint64, []uint64) error { return nil }

// Compare returns the cosine.
func (v *Vectors) Compare(record, kept uint64) (float64, bool, error) {
	aIndices, aWeights := v.records.Row(int(record))
	bIndices, bWeights := v.against.Row(int(kept))
	cosine := datasets.Cosine(aIndices, aWeights, bIndices, bWeights)
	return cosine, cosine >= v.measure.Least, nil
}
