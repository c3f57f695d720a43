package main

import (
	"fmt"
	"math"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// rows are those of the filters with that many documents, at costs of 1 to 5 ns a line.
func rows(n float64) []resultfile.Row {
	var list []resultfile.Row
	add := func(name, unit string, value float64) {
		list = append(list, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
	}
	for stage, cost := range map[string]float64{"sketch": 1000, "blocks": 4 * 1, "sort": 4 * 5, "pairs": 4 * (4 + 2), "clusters": 30, "clusters-of-pairs": 10} {
		for _, n := range []float64{n / 10, n} {
			row := fmt.Sprintf("Road/road=filters/stage=%s/n=%.0f", stage, n)
			add(row, "ns/op", cost*n/2)
			add(row, "cpu-ns/op", cost*n)
			switch stage {
			case "blocks":
				add(row, "written-bytes", 4*30*n)
			case "pairs":
				add(row, "block-lines", 4*n)
			}
		}
	}
	add("BlockSearch/n=10", "ns/op", 20)
	add("BlockSearch/n=1000", "ns/op", 4000)
	return list
}

// The costs are those of the stages with the most documents, without the search that was done.
func TestCosts(t *testing.T) {
	c, err := costsOf(resultfile.Summarize(rows(10 * 65536))) // blocks of 10
	if err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2]float64{
		"sketch": {c.sketch, 1000}, "clusters": {c.clusters, 10}, "line": {c.line, 10}, "bytes": {c.bytes, 30},
		"search of 5": {c.search(5), 1}, "search of 10": {c.search(10), 2}, "search of 100": {c.search(100), 3}, "search of 10^6": {c.search(1e6), 4},
		"pairs": {c.pairsOf(10*65536, designs[0]), 10 * 65536 * 4 * 12},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-6 {
			t.Errorf("%s: %v, expected %v", what, pair[0], pair[1])
		}
	}
	if _, err := costsOf(nil); err == nil {
		t.Error("costs of nothing")
	}
}

// Keys are those of the paper.
func TestDesigns(t *testing.T) {
	for i, want := range []struct{ tables, size float64 }{{4, 1e7 / 65536}, {10, 1e7 / math.Exp2(25.6)}, {20, 1e7 / math.Exp2(32)}} {
		if d := designs[i]; d.tables() != want.tables || d.size(1e7) != want.size {
			t.Errorf("%v: %v tables, blocks of %v, expected %v", d, d.tables(), d.size(1e7), want)
		}
	}
}
