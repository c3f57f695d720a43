package index

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"simhashkit/internal/english"
)

// Forecast is the expected work of a structure for a query that is similar to the stored
// fingerprints.
type Forecast struct {
	Name     string
	Design   Design  // of tables; else zero
	Bytes    int64   // of memory, beyond the set's
	Buckets  float64 // that a query looks up
	Compared float64 // fingerprints in these buckets, or all
	Skew     float64 // size of the buckets of stored fingerprints, relative to random ones; 0: not sampled
	Excluded string  // why it cannot be chosen; empty if it can

	cost float64
}

// Explanation says which structure Explain chose, and why.
type Explanation struct {
	Entries, Bits, K int
	Memory           int64 // that may be used; 0 means any
	Chosen           string
	Forecasts        []Forecast // cheapest first, excluded ones last
}

// worthBytes is how much more than the cheapest a structure may cost that needs less memory.
const worthBytes = 1.1

// Explain computes what a query of every structure would cost over a set, and chooses: the one that
// needs the least memory among those that cost at most a tenth more than the cheapest. For each
// design that may be cheaper than a scan it looks at a sample of the set, for some tens of
// milliseconds together. The costs are the same on every machine, and so is the choice.
func Explain(set *Set, o Options) (*Explanation, error) {
	if err := checkFor(set, o); err != nil {
		return nil, err
	}
	return explain(set, o), nil
}

func explain(set *Set, o Options) *Explanation {
	e := &Explanation{Entries: set.Len(), Bits: set.Bits, K: o.K, Memory: o.Memory}
	e.Forecasts = forecastScans(set, o.K)
	for _, d := range designsFor(o.K) {
		if f := forecastTables(set, d, o.K, scanCost(set)); f.Buckets > 0 {
			e.Forecasts = append(e.Forecasts, f)
		}
	}
	for i := range e.Forecasts {
		f := &e.Forecasts[i]
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
		return cmp.Compare(a.cost, b.cost)
	})
}

// choose returns the forecast of the structure to take. A scan is never excluded.
func (e *Explanation) choose() *Forecast {
	best := &e.Forecasts[0]
	for i := range e.Forecasts {
		f := &e.Forecasts[i]
		if f.Excluded == "" && f.cost <= worthBytes*e.Forecasts[0].cost && f.Bytes < best.Bytes {
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

// String returns the choice in a sentence, and a table of all structures.
func (e *Explanation) String() string {
	var b strings.Builder
	chosen := &e.Forecasts[slices.IndexFunc(e.Forecasts, func(f Forecast) bool { return f.Name == e.Chosen })]
	fmt.Fprintf(&b, "%s: a query compares %s of %d fingerprints", chosen.Name, english.Approximate(chosen.Compared), e.Entries)
	if chosen.Buckets > 0 {
		fmt.Fprintf(&b, ", from %.4g buckets", chosen.Buckets)
	}
	fmt.Fprintf(&b, ".\nIt needs %s beyond the set. ", english.Bytes(chosen.Bytes))
	if cheapest := &e.Forecasts[0]; cheapest != chosen {
		fmt.Fprintf(&b, "%s is at most 10%% cheaper, but needs %s. ", cheapest.Name, english.Bytes(cheapest.Bytes))
	}
	fmt.Fprintf(&b, "%d bits, k = %d", e.Bits, e.K)
	if e.Memory > 0 {
		fmt.Fprintf(&b, ", memory limit %s", english.Bytes(e.Memory))
	}
	b.WriteString(".\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "structure\tbuckets\tcompared\tskew\tmemory\t")
	for _, f := range e.Forecasts {
		fmt.Fprintf(w, "%s\t%.4g\t", f.Name, f.Buckets)
		if f.Skew > 0 {
			fmt.Fprintf(w, "%s\t%.2f\t", english.Approximate(f.Compared), f.Skew)
		} else {
			fmt.Fprint(w, "?\t?\t") // not sampled
		}
		fmt.Fprintf(w, "%s\t", english.Bytes(f.Bytes))
		if f.Excluded != "" {
			fmt.Fprintf(w, "  (%s)", f.Excluded)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}
