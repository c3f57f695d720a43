package bench

import (
	"simhashkit/bench/benchname"
	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

// What is computed rather than timed: the first part of the rows' names. Their figures are the same
// in every run on every machine.
const (
	// how many ideal bits the hash's are worth, and what is wrong with them; see package quality
	Quality        = "Quality"
	Distance       = "Distance"       // distance of fingerprints by the angle of vectors
	NearDuplicates = "NearDuplicates" // recall and precision at a distance of at most k
	Avalanche      = "Avalanche"      // chance that a bit of the code flips with one of the index
)

// Units of the figures of Quality that others look at; cell_rows.go has the rest.
const (
	EffectiveBits      = "effective-bits"       // over all angles
	EffectiveBitsCos90 = "effective-bits-cos90" // at cosine 0.9 and above
	Low, High          = "-low", "-high"        // appended to a unit: the ends of its 95 % interval
	VerdictUnit        = "verdict"              // 1 good, 0 undecided, -1 weak
)

// Cell is one quality to be computed: a hash under an encoding, on vectors with a pattern of
// indices and a kind of weights.
type Cell struct {
	Name benchname.Name

	family    fphash.Family
	encoding  fphash.Encoding
	widen     fphash.Widen
	bits      int
	pattern   quality.Pattern
	weights   string // a kind of package quality; with the pattern data a type, see Weights
	cosine    string // of all pairs, "0.95"; then nothing but recall is computed, see planted.go
	curves    bool   // with rows of Distance and NearDuplicates
	avalanche bool   // with rows of Avalanche
}

// hash returns what package quality measures.
func (c Cell) hash() (quality.Hash, error) {
	return quality.OfFamily(c.family, c.encoding, c.bits, c.widen)
}

// key names the workload of the cell.
func (c Cell) key() string { return string(c.pattern) + " " + c.weights + " " + c.cosine }
