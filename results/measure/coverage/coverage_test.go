package main

import (
	"bytes"
	"strings"
	"testing"

	"simhashkit/bench/quality"
	"simhashkit/fphash"
)

// Rows count the intervals that hold the ratio over all seeds, in either band.
func TestRows(t *testing.T) {
	rows, err := kind{quality.Dense1e3, quality.Signed, []keyed{{"fnv1a64", fphash.BE64}, {"xxh64", fphash.LE64}}}.measure(3)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, r := range rows {
		shown = append(shown, strings.Join(strings.Fields(r.String())[:5], " "))
		if truth := r.bits * r.ideal / r.hash; len(r.intervals) != 3 || (truth < 7) != (r.keyed.family == "fnv1a64") {
			t.Errorf("%s: %d intervals, %.3g bits", r, len(r.intervals), truth)
		}
	}
	want := "dense1e3 signed fnv1a64 be64 all|dense1e3 signed fnv1a64 be64 cos90|dense1e3 signed xxh64 le64 all|dense1e3 signed xxh64 le64 cos90"
	if got := strings.Join(shown, "|"); got != want {
		t.Errorf("rows %s, expected %s", got, want)
	}
	r := &row{kind: rows[0].kind, keyed: rows[0].keyed, band: "all", bits: 64}
	for _, i := range []quality.Interval{{Value: 4, Low: 3, High: 9}, {Value: 8, Low: 8.5, High: 9}, {Value: 2, Low: 1, High: 3}, {Value: 5, Low: 5, High: 8}} {
		r.add(quality.Band{Effective: i, Hash: quality.Errors{MSE: 8}, Ideal: quality.Errors{MSE: 1}})
	}
	if got := strings.Join(strings.Fields(r.String())[5:9], " "); got != "8 2 8 2/4" {
		t.Errorf("%s, expected 8 bits, 2 to 8, 2 of 4", r)
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-seeds", "1"}, {"file"}, {"-width", "3"}} {
		if err := run(args, &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
