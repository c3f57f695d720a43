package projections

import (
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
