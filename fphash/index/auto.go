package index

import (
	"cmp"
	"slices"
)

// Forecast is what a structure is expected to cost.
type Forecast struct {
	Name        string
	Design      Design  // of tables; else zero
	Nanoseconds float64 // a query that is like the stored fingerprints, on one core of this machine
	Bytes       int64   // of memory, beyond the set's
	Buckets     float64 // that a query asks for
	Compared    float64 // fingerprints, in these buckets or all
	Skew        float64 // how many times as full the buckets of stored fingerprints are as of random ones; 0: not sampled
	Excluded    string  // why it cannot be chosen; empty if it can

	work work
}

// Explanation says which structure Explain chose, and why.
type Explanation struct {
	Entries, Bits, K int
	Memory           int64 // that may be used; 0 means any
	Chosen           string
	Forecasts        []Forecast // fastest first, excluded ones last
}

// worthBytes is how much slower than the fastest a structure may be that is chosen because it needs
// less memory.
const worthBytes = 1.1

// Explain forecasts what queries of every structure would cost over a set, and chooses: the one
// that needs the least memory among those that are at most a tenth slower than the fastest. It
// looks at a sample of the set for each design that may be faster than a scan, for some tens of
// milliseconds together, and at the first call measures the pace of the machine. The pace is for
// the forecasts alone: every machine chooses alike, by the costs of one.
func Explain(set *Set, o Options) (*Explanation, error) {
	if err := checkFor(set, o); err != nil {
		return nil, err
	}
	e := explain(set, o)
	for i := range e.Forecasts {
		e.Forecasts[i].Nanoseconds = e.Forecasts[i].work.at(pace())
	}
	e.sort()
	return e, nil
}

// explain is Explain on the machine of the costs.
func explain(set *Set, o Options) *Explanation {
	e := &Explanation{Entries: set.Len(), Bits: set.Bits, K: o.K, Memory: o.Memory}
	e.Forecasts = forecastScans(set, o.K)
	for _, d := range designsFor(o.K) {
		if f := forecastTables(set, d, o.K, scanWork(set).at(reference)); f.Buckets > 0 {
			e.Forecasts = append(e.Forecasts, f)
		}
	}
	for i := range e.Forecasts {
		f := &e.Forecasts[i]
		f.Nanoseconds = f.work.at(reference)
		switch {
		case f.Excluded != "":
		case o.Memory > 0 && f.Bytes > o.Memory:
			f.Excluded = "more memory than allowed"
		case o.inFile && f.Design == (Design{}) && f.Name != "scan":
			f.Excluded = "not in files"
		}
	}
	e.sort()
	e.Chosen = e.choose().Name
	return e
}

func (e *Explanation) sort() {
	slices.SortStableFunc(e.Forecasts, func(a, b Forecast) int {
		if (a.Excluded == "") != (b.Excluded == "") {
			return len(a.Excluded) - len(b.Excluded)
		}
		return cmp.Compare(a.Nanoseconds, b.Nanoseconds)
	})
}

// choose returns the forecast of the structure to take. A scan is never excluded.
func (e *Explanation) choose() *Forecast {
	best := &e.Forecasts[0]
	for i := range e.Forecasts {
		f := &e.Forecasts[i]
		if f.Excluded == "" && f.Nanoseconds <= worthBytes*e.Forecasts[0].Nanoseconds && f.Bytes < best.Bytes {
			best = f
		}
	}
	return best
}

// build builds what was chosen.
func (e *Explanation) build(set *Set, o Options) (Structure, error) {
	if f := e.choose(); f.Design != (Design{}) {
		return newTables(f.Name, set, f.Design, o.workers())
	}
	o.Structure = e.Chosen
	return build(set, o)
}
