package calibrate

// Calibration is what was found out about the fingerprints of a set of vectors; it is written as
// JSON as it stands here. Where a figure does not exist, a flag or an empty list says so; none is
// NaN.
type Calibration struct {
	Given   int `json:"vectors"` // in the set, or the texts that those of the set were drawn from
	Used    int `json:"sample"`
	Skipped int `json:"empty"` // drawn but left out: empty, or all weights zero

	Bits int `json:"bits"`
	// "cosine", or "Jaccard similarity" by MinHash, whose figures stand where cosines do
	Similarity string `json:"similarity"`

	Cosine    float64 `json:"cosine"` // from which on pairs count as near-duplicates
	Recall    float64 `json:"recallWanted"`
	Precision float64 `json:"precisionWanted"`
	Pairs     uint64  `json:"pairs"`          // of the sample, copies included
	Copies    uint64  `json:"copies"`         // pairs at an angle below 10^-6
	Near      uint64  `json:"nearDuplicates"` // copies not included
	Related   int     `json:"-"`              // vectors that have a near-duplicate

	Suggestion *Choice `json:"suggestion,omitempty"` // nil: there is none, and Note says why
	// why there is no suggestion, or what the suggestion misses; "" where it gives what is wanted
	Note   string  `json:"note,omitempty"`
	Bands  []Band  `json:"bands"`  // by cosine, from high to low, without copies
	Widths []Width `json:"widths"` // the wanted one among them; empty where there are no pairs
}

// Band is the pairs of some cosines: Low <= cosine < High. Distances are in bits.
type Band struct {
	Low            float64   `json:"low"`
	High           float64   `json:"high"`
	Pairs          uint64    `json:"pairs"` // 1 or more
	Mean           float64   `json:"mean"`  // distance
	Deviation      float64   `json:"deviation"`
	ModelMean      float64   `json:"modelMean"`
	ModelDeviation float64   `json:"modelDeviation"`
	Histogram      []uint64  `json:"histogram"` // pairs by distance, 0 to Bits
	Within         []float64 `json:"within"`    // [k]: probability of a distance of at most k
	ModelWithin    []float64 `json:"modelWithin"`
}

// Width is what fingerprints of some width do.
type Width struct {
	Bits  int    `json:"bits"`
	Widen string `json:"widen,omitempty"` // how the hash is widened; "" where it is not
	// the smallest k of the wanted recall; -1 where there are no near-duplicates
	Least LeastK `json:"leastK,omitzero"`
	// the smallest k whose interval reaches the wanted recall, and the one whose interval lies
	// above it, or that finds all: between them is Least of another sample
	From       int         `json:"-"`
	To         int         `json:"-"`
	Fits       bool        `json:"fits"`       // precision at Least is as wanted
	Thresholds []Threshold `json:"thresholds"` // k from 0 to Bits
}

// LeastK is a threshold, or -1 if no threshold does; JSON leaves -1 out.
type LeastK int

// IsZero reports whether k is -1, for encoders.
func (k LeastK) IsZero() bool { return k < 0 }

// Threshold is what is found with d <= K: means over the keyings.
type Threshold struct {
	K              int      `json:"k"`
	Found          float64  `json:"found"` // pairs
	Hits           float64  `json:"hits"`  // near-duplicates among them
	Recall         Estimate `json:"recall,omitzero"`
	Precision      Estimate `json:"precision,omitzero"`
	ModelRecall    float64  `json:"modelRecall,omitzero"` // 0 where Recall is not defined
	ModelPrecision float64  `json:"modelPrecision,omitzero"`
}

// Choice is a width and the smallest threshold that has the wanted recall.
type Choice struct {
	Bits  int    `json:"bits"`
	K     int    `json:"k"`
	Widen string `json:"widen,omitempty"`
	// the precision is as wanted, too: no smaller width that was tried has both. Where none has,
	// the choice is the most precise, and what it finds is to be checked by the cosine.
	Met  bool `json:"met"`
	Sure bool `json:"sure"` // the lower ends of both intervals are as wanted, too
}
