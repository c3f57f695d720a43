package bench

import (
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

// Cell is one quality to be computed: a hash under an encoding, on vectors with a pattern of
// indices and a kind of weights.
type Cell struct {
	Name benchname.Name

	family   fphash.Family
	encoding fphash.Encoding
	widen    fphash.Widen
	bits     int
	pattern  quality.Pattern
	weights  string // a kind of package quality; with the pattern data unit or f32
}

// key names the workload of the cell.
func (c Cell) key() string { return string(c.pattern) + " " + c.weights }
