package main

import (
	"simhashkit/bench/gobench/resultfile"
)

// ExactUnits returns the units whose figures are the same in every run on every machine: those to
// compare strictly.
func ExactUnits() []string {
	return []string{tableBytes, angleRMSE, angleBias, angleSystematic, angleRMSEIdeal}
}

// Row is what was measured of a case.
type Row struct {
	Case
	Samples    []resultfile.Sample // in ns/vector
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
		results = append(results, resultfile.Row{Name: name, Unit: nanosecondsPerVector, Samples: r.Samples, Err: r.Err, Skipped: r.Skipped})
		exact(tableBytes, float64(r.TableBytes))
		if r.Skipped != "" || r.Err != "" {
			continue
		}
		exact(heapBytes, float64(r.HeapBytes))
		exact(angleRMSE, r.Accuracy.RMSE)
		exact(angleBias, r.Accuracy.Bias)
		exact(angleSystematic, r.Accuracy.Systematic)
		exact(angleRMSEIdeal, r.Accuracy.IdealRMSE)
	}
	return results
}
