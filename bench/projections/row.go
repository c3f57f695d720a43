package projections

import (
	"math"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
)

// ExactUnits returns the units whose figures are the same in every run on every machine: those to
// compare strictly.
func ExactUnits() []string {
	return []string{terms.TableBytes, terms.AngleRMSE, terms.AngleBias, terms.AngleSystematic, terms.AngleRMSEIdeal}
}

// Row is what was measured of a case.
type Row struct {
	Case
	Samples    []resultfile.Sample // in NanosecondsPerVector
	TableBytes uint64              // exact, also where it is more than there may be
	HeapBytes  uint64
	Accuracy   Accuracy
	Skipped    string // why the case was not measured: its matrix is beyond the memory limit
	Err        string // what was wrong with an answer; there are no samples then
}

// Results returns the rows as benchmark results: under the name of a case one row for each unit. A
// case that was skipped or wrong has its table's bytes, which are known, and a row of times with
// the reason in place of samples.
func Results(rows []Row) []resultfile.Row {
	var results []resultfile.Row
	for _, r := range rows {
		name := r.Name().String()
		exact := func(unit string, value float64) {
			results = append(results, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
		}
		results = append(results, resultfile.Row{Name: name, Unit: terms.NanosecondsPerVector, Samples: r.Samples, Err: r.Err, Skipped: r.Skipped})
		exact(terms.TableBytes, float64(r.TableBytes))
		if r.Skipped != "" || r.Err != "" {
			continue
		}
		exact(terms.HeapBytes, float64(r.HeapBytes))
		exact(terms.AngleRMSE, r.Accuracy.RMSE)
		exact(terms.AngleBias, r.Accuracy.Bias)
		exact(terms.AngleSystematic, r.Accuracy.Systematic)
		exact(terms.AngleRMSEIdeal, r.Accuracy.IdealRMSE)
	}
	return results
}

// FromResults returns what Crossovers needs of rows that Results wrote: samples, bytes, and why
// there are none, in order of appearance. Rows with names or figures of other kinds are left out.
func FromResults(results []resultfile.Row) []Row {
	var rows []Row
	places := map[Case]int{}
	for _, r := range results {
		c, ok := parseCase(r.Name)
		if !ok {
			continue
		}
		if _, seen := places[c]; !seen {
			places[c] = len(rows)
			rows = append(rows, Row{Case: c})
		}
		row := &rows[places[c]]
		switch r.Unit {
		case terms.NanosecondsPerVector, "":
			row.Err, row.Skipped = r.Err, r.Skipped
			if possible(r.Samples, math.MaxFloat64) {
				row.Samples = r.Samples
			}
		case terms.TableBytes:
			row.TableBytes = bytesOf(r.Samples)
		case terms.HeapBytes:
			row.HeapBytes = bytesOf(r.Samples)
		}
	}
	return rows
}

// parseCase is the inverse of Case.Name.
func parseCase(name string) (Case, bool) {
	n, err := benchname.Parse(name)
	if err != nil || n.Base != terms.Projection {
		return Case{}, false
	}
	c := Case{Method: n.Get("method"), Pattern: n.Get("pattern")}
	if c.Pattern == "" {
		c.Pattern = terms.Uniform
	}
	for key, value := range map[string]*int{"f": &c.Bits, "nnz": &c.NNZ} {
		if *value, err = strconv.Atoi(n.Get(key)); err != nil || *value < 1 {
			return Case{}, false
		}
	}
	c.Dimensions, err = strconv.ParseUint(n.Get("D"), 10, 64)
	return c, err == nil && c.Dimensions > 0 && c.Name().String() == name
}

// possible reports whether all samples are above 0 and at most that: others can be no measurements.
func possible(samples []resultfile.Sample, most float64) bool {
	for _, s := range samples {
		if !(s.Value > 0 && s.Value <= most) {
			return false
		}
	}
	return true
}

// bytesOf is an exact number of bytes, 0 where it is none.
func bytesOf(samples []resultfile.Sample) uint64 {
	if len(samples) != 1 || !possible(samples, 1<<62) {
		return 0
	}
	return uint64(samples[0].Value)
}
