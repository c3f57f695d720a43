package resultfile

import (
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Metadata of units: those that benchstat knows, and the last one of package compare's own.
const (
	betterKey  = "better"
	assumeKey  = "assume"
	exactValue = "exact"
	judgeKey   = "judge"
	notValue   = "no"
)

// HigherIsBetter reports whether more of a unit is better.
func HigherIsBetter(unit string) bool { return better(unit) == "higher" }

// better says which figures of a unit are the better ones; it is "" for those that are to be near
// to some other figure, or only describe.
func better(unit string) string {
	begins := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(unit, p) })
	}
	switch {
	case unit == "MB/s" || unit == "recall" || unit == "precision" || unit == "verdict" || begins("effective-bits"):
		return "higher"
	case unit == "pairs" || unit == "keyings" || unit == "mean-distance" || unit == "sd-distance" || unit == "angle-bias" || unit == "angle-rmse-ideal" ||
		// p-values belong to tests of a thing that has a direction of its own
		begins("bias", "ideal-", "unrelated-", "flip-out", "pairs-") || strings.HasSuffix(unit, "-p"):
		return ""
	}
	return "lower"
}

// metadata says of the units of the rows which are exact and what is better.
func (f File) metadata() []*benchfmt.UnitMetadata {
	var list []*benchfmt.UnitMetadata
	say := func(unit, key, value string) {
		list = append(list, &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: key}, OrigUnit: unit, Value: value})
	}
	for _, unit := range units(f.Rows) {
		if slices.Contains(f.Exact, unit) {
			say(unit, assumeKey, exactValue)
		}
		// what else a process does is in it too, and there is one sample of it
		if unit == "heap-bytes" {
			say(unit, judgeKey, notValue)
		}
		if direction := better(unit); direction != "" {
			say(unit, betterKey, direction)
		}
	}
	return list
}
