package evidence

import (
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
)

// Index finds summaries by name and unit.
type Index map[key]resultfile.Summary

type key struct{ name, unit string }

// NewIndex returns an index of the summaries. A summary without a unit, such as that of a failed
// case, is found under any unit.
func NewIndex(list []resultfile.Summary) Index {
	index := make(Index, len(list))
	for _, s := range list {
		index[key{s.Name.String(), s.Unit}] = s
	}
	return index
}

// Get returns the summary with that name and unit.
func (x Index) Get(name benchname.Name, unit string) (resultfile.Summary, bool) {
	s, ok := x[key{name.String(), unit}]
	if !ok {
		s, ok = x[key{name.String(), ""}]
	}
	return s, ok
}
