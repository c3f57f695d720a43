package main

import (
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/results/measure/evidence"
)

// Rows returns what was measured of a case as benchmark results.
func Rows(c Case, r *Result) (rows []resultfile.Row) {
	add := func(name benchname.Name, unit string, value float64) {
		rows = append(rows, resultfile.Row{Name: name.String(), Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
	}
	ways := Ways(c.Bits)
	for i, at := range r.At {
		name := with(c.Name(), "cosine", Cosines[i])
		for w, way := range ways {
			add(way.mark(name), evidence.Recall, at.Found[w])
			add(way.mark(name), terms.Pairs, float64(r.Pairs))
		}
		for _, estimate := range []struct {
			by string
			Error
		}{{ByDistance, at.ByDistance}, {BySums, at.BySums}} {
			by := with(name, "by", estimate.by)
			add(by, CosineRMSE, estimate.RMSE)
			add(by, evidence.CosineBias, estimate.Bias)
		}
	}
	for w, way := range ways {
		add(way.mark(c.Name()), Strangers, r.Strangers[w])
	}
	return rows
}
