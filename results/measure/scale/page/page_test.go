package page

import (
	"fmt"
	"math"
	"strings"
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
	add("BlockSearch/n=10", "ns/op", 20)
	add("BlockSearch/n=1000", "ns/op", 4000)
	return list
}

// The costs are those of the stages, without the search that was done.
func TestCosts(t *testing.T) {
	c, err := figuresOf(rows(10 * 65536)).costs() // blocks of 10
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
	if _, err := figuresOf(nil).costs(); err == nil {
		t.Error("costs of nothing")
	}
}

// Keys and pairs are those of the paper, and of comparing all with all by hand.
func TestDesigns(t *testing.T) {
	for i, want := range []struct{ tables, key, pairs float64 }{{4, 16, 4e14 / 2 / 65536}, {10, 25.6, 1e15 / 2 / math.Exp2(25.6)}, {20, 32, 2e15 / 2 / math.Exp2(32)}} {
		d := designs[i]
		if d.tables() != want.tables || d.key() != want.key || math.Abs(d.pairs(1e7)-want.pairs) > 1e-6*want.pairs {
			t.Errorf("%v: %v tables, keys of %v bits, %v pairs, expected %v", d, d.tables(), d.key(), d.pairs(1e7), want)
		}
	}
	// 43,745 of the 2^64 fingerprints are within 3 of one
	if want := fmt.Sprintf("| 10^9 | %.0f |", 5e17*43745*math.Exp2(-64)); !strings.Contains(strangerTable(), want) {
		t.Errorf("%s\nexpected %s", strangerTable(), want)
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		count(1e4): "10^4", count(8e9): "8·10^9", count(123): "123", short(0): "–", short(3.14159): "3.1", short(1234567): "1.2·10^6",
		duration(1.5e9): "1.5 s", duration(42e9): "42 s", duration(150e9): "2.5 min", duration(600e9): "10 min", duration(7200e9): "2.0 h",
		memory(5e6): "5 MB", memory(1.25e9): "1.2 GB", memory(2e12): "2.0 TB",
	} {
		if got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
}
