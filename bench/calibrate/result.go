package calibrate

import "time"

// Calibration is what was found out about the fingerprints of a set of vectors. Where a figure does
// not exist, a flag or an empty list says so; none is NaN.
type Calibration struct {
	Given   int // vectors in the set
	Used    int // in the sample
	Skipped int // drawn but left out: empty, or all weights zero

	Bits              int
	Cosine            float64 // from which on pairs count as near-duplicates
	Recall, Precision float64 // wanted
	Pairs             uint64  // of the sample, copies included
	Copies            uint64  // pairs at an angle below 10^-6
	Near              uint64  // near-duplicates, copies not included
	Related           int     // vectors that have a near-duplicate

	Bands      []Band  // by cosine, from high to low; those without pairs are left out
	Widths     []Width // the wanted one among them; empty where there are no pairs
	Unsure     *Unsure // nil: where there are no pairs, and below 16 bits
	Suggestion *Choice // nil: there is none, and Note says why
	// why there is no suggestion, or what the suggestion misses; "" where it gives what is wanted
	Note   string
	Switch *Switch // nil: no other hash was asked for
}

// Band is the pairs of some cosines.
type Band struct {
	Low, High                 float64 // Low <= cosine < High, but for copies
	Copies                    bool    // these are the copies, whose distances are not counted
	Pairs                     uint64
	Mean, Deviation           float64   // of the distance, in bits
	ModelMean, ModelDeviation float64   // by the model
	Histogram                 []uint64  // pairs by distance, 0 to Bits
	Within, ModelWithin       []float64 // [k]: probability of a distance of at most k
	// probability of a distance of at most Unsure.K beside the ignored bits
	WithinUnsure float64
	// error of the cosine, root of the mean square, as estimated by the distance and by the sums of
	// the query; of bands from a cosine of 0.6 on, or from that of near-duplicates
	ErrorDistance, ErrorSums float64
}

// Width is what fingerprints of some width do.
type Width struct {
	Bits       int
	Widen      string      // how the hash is widened; "none"
	Thresholds []Threshold // k from 0 to Bits
	// the smallest k of the wanted recall; -1 where there are no near-duplicates
	Least int
	// the smallest k whose interval reaches the wanted recall, and the one whose interval lies
	// above it, or that finds all: between them is Least of another sample
	From, To int
	Fits     bool // precision at Least is as wanted
}

// Threshold is what is found with d <= K: means over the keyings.
type Threshold struct {
	K                           int
	Found, Hits                 float64 // pairs, and near-duplicates among them
	Recall, Precision           Estimate
	ModelRecall, ModelPrecision float64 // 0 where Recall, or Precision, is not defined
}

// Choice is a width and the smallest threshold that has the wanted recall.
type Choice struct {
	Bits, K int
	Widen   string
	// the precision is as wanted, too: no smaller width that was tried has both. Where none has, the
	// choice is the most precise, and what it finds is to be checked by the cosine.
	Met  bool
	Sure bool // the lower ends of both intervals are as wanted, too
}

// Switch is what changes with another hash. Fingerprints of two hashes cannot be compared, so all
// must be made anew.
type Switch struct {
	Thresholds []Threshold // of the other hash at the same width, k from 0 to Bits
	// the smallest k of the wanted recall; -1 where there are no near-duplicates
	Least        int
	Near, Others Shift
	// mean distance of the two fingerprints of one vector: about half of the bits
	SameVector float64
	From, To   SketchTime // the cost of making the fingerprints
}

// Shift says by how much the distance of the same pair differs from one hash to the other.
type Shift struct {
	Pairs          uint64
	Mean, Absolute float64 // the other's less the first's, in bits; without its sign
	Most           int
}

// SketchTime is what making fingerprints takes.
type SketchTime struct {
	Vectors int
	// for that many vectors, in memory: reading and storing not included; median of some runs
	Time    time.Duration
	Workers int
}

// Million returns the time for a million such vectors.
func (t SketchTime) Million() time.Duration {
	return time.Duration(float64(t.Time) * 1e6 / float64(max(t.Vectors, 1)))
}
