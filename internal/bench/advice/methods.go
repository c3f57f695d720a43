package advice

import (
	"fmt"
	"slices"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/terms"
)

// Method is a way to sketch 100 features to 64 bits, as it was measured.
type Method struct {
	Name   string
	Time   float64            // nanoseconds per vector
	Stored string             // memory for 10^6 dimensions
	Bits   *resultfile.Figure // effective bits on runs of consecutive indices; nil if unknown
}

// Methods returns the ways to sketch that were timed: those of the literature, then hashed indices
// with each kernel, the slowest first. If none of the literature was timed, it returns nil.
func Methods(set *Set) (list []Method) {
	cells := map[string]Cell{} // of several files, those of the last
	for _, byBase := range set.byBase {
		for _, c := range slices.Concat(byBase[terms.Sketch], byBase[terms.Quality]) {
			cells[c.Name.String()] = c
		}
	}
	put := func(name, time, quality string) {
		const features = 100
		cell := cells["Sketch/"+time+"/nnz=100"]
		ns, timed := cell.Value(terms.NanosecondsPerFeature)
		if !timed {
			return
		}
		stored := "0"
		if b, _ := cell.Value(terms.BytesStored); b > 0 {
			stored = fmt.Sprintf("%.0f MB", b/1e6)
		}
		bits := band(cells["Quality/"+quality+"/pattern=consecutive/weights=unit/f=64"], terms.EffectiveBits)
		list = append(list, Method{name, features * ns, stored, bits})
	}
	for _, m := range []struct{ name, method, dimensions string }{
		{"stored Gaussian hyperplanes", terms.Gaussian, "/dimensions=1000000"},
		{"stored ±1 hyperplanes", terms.Signs, "/dimensions=1000000"},
		{"64 hash functions", terms.Functions, ""},
		{"one hash, plain loop", terms.Naive, ""},
	} {
		put(m.name, "method="+m.method+m.dimensions+"/weights=f32/f=64", "method="+m.method)
	}
	if len(list) == 0 {
		return nil
	}
	for _, tier := range cpu.Tiers("") {
		put("one hash (xxh64), kernel "+tier.String(), "hash=xxh64/weights=f32/f=64/kernel="+tier.String(), "hash=xxh64/encoding=le64")
	}
	return list
}
