package main

import (
	"io"
	"testing"

	"simhashkit/internal/testing/long"
)

const recordedFile = "../../../bench/gobench/compare/testdata/runs.txt.gz"

func readList(t *testing.T) []recorded {
	t.Helper()
	list, err := readRecorded(recordedFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 51 || len(list[0].medians) != 41 {
		t.Fatalf("%d runs of %d benchmarks", len(list[0].medians), len(list))
	}
	return list
}

func howMany(n int) int {
	if !long.Enabled() {
		return n / 4
	}
	return n
}

// Of runs of one program, some of whose benchmarks differ from process to process: nearly nothing
// is called that is not there, and what is there is found.
func TestRecordedRuns(t *testing.T) {
	list := readList(t)
	least := map[int]map[float64]float64{ // percent that are found
		20: {1.06: 85, 1.1: 85}, 30: {1.06: 95, 1.1: 95}, 60: {1.06: 97, 1.1: 99},
		75: {1.06: 98, 1.1: 99}, 100: {1.06: 98, 1.1: 99}, 150: {1.06: 98, 1.1: 99},
	}
	for _, family := range families {
		for _, budget := range budgets {
			n := howMany(300)
			if budget == 75 {
				n = howMany(2000)
			}
			kinds, err := compareAll(list, n, family, budget)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range kinds {
				found := c.all.share(c.all.called)
				switch {
				case c.factor == 1 && found > 2:
					t.Errorf("%v: more than 2%% false alarms", c)
				case c.factor > 1 && (found < least[budget][c.factor] || least[budget] == nil):
					t.Errorf("%v: expected at least %v%%", c, least[budget][c.factor])
				case c.factor > 1 && c.all.share(c.all.unchanged+c.noisy.unchanged) > 0.2:
					t.Errorf("%v: too many are said to be unchanged", c)
				}
			}
		}
	}
}

// What most people do has so many false alarms that it is a yardstick.
func TestNaiveOnRecordedRuns(t *testing.T) {
	if share := naive(readList(t), howMany(2000))[0]; share < 5 {
		t.Errorf("%.2f%% false alarms: too good, as a yardstick", share)
	}
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{nil, {"-n", "0", recordedFile}, {recordedFile, recordedFile}, {"absent"}, {"simulate_test.go"}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
