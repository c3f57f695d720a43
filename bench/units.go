package bench

import (
	"slices"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// unitsOf lists the units of the rows, each once.
func unitsOf(rows []resultfile.Row) (units []string) {
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Unit] {
			seen[r.Unit] = true
			units = append(units, r.Unit)
		}
	}
	return slices.Clip(units)
}

// describe returns what result files say of the units of the rows, of which some are exact.
func describe(rows []resultfile.Row, exact []string) []resultfile.Unit {
	var units []resultfile.Unit
	for _, name := range unitsOf(rows) {
		units = append(units, resultfile.Unit{Name: name, Exact: slices.Contains(exact, name), Better: terms.Better(name)})
	}
	return units
}
