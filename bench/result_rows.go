package bench

import (
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
)

// ResultRows returns the rows of results of a hash that is no cell of a suite, such as one of the
// user's own, and what files say of their units. All are exact.
func ResultRows(results []*quality.Result) (rows []resultfile.Row, units []resultfile.Unit) {
	for _, r := range results {
		name := benchname.New(terms.Quality, "hash", r.Hash, "encoding", r.Encoding, "pattern", r.Pattern, "weights", r.Weights, "f", strconv.Itoa(r.Bits))
		rows = append(rows, Cell{Name: name}.rows(r)...)
	}
	return rows, describe(rows, unitsOf(rows))
}
