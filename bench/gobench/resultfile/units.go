package resultfile

import (
	"slices"

	"golang.org/x/perf/benchfmt"
)

// Unit is what a file says of one of its units.
type Unit struct {
	Name     string
	Exact    bool // its figures have no noise: any difference between two runs is one
	Unjudged bool // nothing follows from its figures
	Better   int  // +1: higher is better, -1: lower, 0: neither, or not known
}

// Metadata of units: those that benchstat knows, and the last one of package compare's own.
const (
	betterKey  = "better"
	assumeKey  = "assume"
	exactValue = "exact"
	judgeKey   = "judge"
	notValue   = "no"
)

// Units is the metadata of units. Names may be tidied, as sec/op is from ns/op, or not.
type Units struct{ metadata benchfmt.UnitMetadataMap }

// Exact reports whether a unit's figures have no noise: "Unit recall assume=exact".
func (u Units) Exact(unit string) bool { return u.says(unit, assumeKey, exactValue) }

// Unjudged reports whether a unit has no verdict, "Unit heap-bytes judge=no": it is neither exact
// nor measured several times.
func (u Units) Unjudged(unit string) bool { return u.says(unit, judgeKey, notValue) }

// Better returns the direction that the metadata call an improvement, "Unit recall better=higher":
// +1 up, -1 down, 0 neither. said is false if they call none.
func (u Units) Better(unit string) (direction int, said bool) {
	if u.metadata.Get(unit, betterKey) == nil {
		return 0, false
	}
	return u.metadata.GetBetter(unit), true
}

func (u Units) says(unit, key, value string) bool {
	metadata := u.metadata.Get(unit, key)
	return metadata != nil && metadata.Value == value
}

// unitsOf returns the units of the rows that have metadata, in order of appearance.
func (u Units) unitsOf(rows []Row) []Unit {
	var list []Unit
	for _, name := range unitNames(rows) {
		unit := Unit{Name: name, Exact: u.Exact(name), Unjudged: u.Unjudged(name)}
		unit.Better, _ = u.Better(name)
		if unit != (Unit{Name: name}) {
			list = append(list, unit)
		}
	}
	return list
}

// unitNames lists the units of the rows, each once, in order of appearance.
func unitNames(rows []Row) []string {
	var list []string
	seen := map[string]bool{}
	for _, r := range rows {
		if len(r.Samples) > 0 && !seen[r.Unit] {
			seen[r.Unit] = true
			list = append(list, r.Unit)
		}
	}
	return list
}

// metadata returns the metadata lines of the units of the rows.
func (f File) metadata() []*benchfmt.UnitMetadata {
	var list []*benchfmt.UnitMetadata
	for _, name := range unitNames(f.Rows) {
		i := slices.IndexFunc(f.Units, func(u Unit) bool { return u.Name == name })
		if i < 0 {
			continue
		}
		for _, line := range []struct {
			says       bool
			key, value string
		}{
			{f.Units[i].Exact, assumeKey, exactValue},
			{f.Units[i].Unjudged, judgeKey, notValue},
			{f.Units[i].Better > 0, betterKey, "higher"},
			{f.Units[i].Better < 0, betterKey, "lower"},
		} {
			if line.says {
				list = append(list, &benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: name, Key: line.key}, OrigUnit: name, Value: line.value})
			}
		}
	}
	return list
}
