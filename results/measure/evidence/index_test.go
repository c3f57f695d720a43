package evidence

import (
	"testing"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
)

// A name may have values of several units. A failure is found under every unit.
func TestIndexKnowsUnits(t *testing.T) {
	row := func(unit string, value float64) resultfile.Row {
		return resultfile.Row{Name: "A/n=1", Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}}
	}
	rows := NewIndex(resultfile.Summarize([]resultfile.Row{row("ns/nnz", 3), row("table-bytes", 64), {Name: "A/n=2", Err: "wrong"}}))
	name := func(s string) benchname.Name { return benchname.New("A", "n", s) }
	if r, ok := rows.Get(name("1"), "ns/nnz"); !ok || r.Median != 3 {
		t.Errorf("time %+v", r)
	}
	if r, ok := rows.Get(name("1"), "table-bytes"); !ok || r.Median != 64 {
		t.Errorf("bytes %+v", r)
	}
	if r, ok := rows.Get(name("2"), "ns/nnz"); !ok || r.Err != "wrong" {
		t.Errorf("failure %+v", r)
	}
	if _, ok := rows.Get(name("1"), "MB/s"); ok {
		t.Error("found a row of a unit that does not exist")
	}
}
