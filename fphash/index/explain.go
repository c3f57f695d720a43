package index

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// String returns the answer in a sentence, and the figures that it rests on as a table.
func (e *Explanation) String() string {
	var b strings.Builder
	chosen := &e.Forecasts[slices.IndexFunc(e.Forecasts, func(f Forecast) bool { return f.Name == e.Chosen })]
	fmt.Fprintf(&b, "%s: %s a query and %s beyond the set, by forecast", chosen.Name, duration(chosen.Nanoseconds), size(chosen.Bytes))
	if fastest := &e.Forecasts[0]; fastest != chosen {
		fmt.Fprintf(&b, ";\n%s would take %s and %s", fastest.Name, duration(fastest.Nanoseconds), size(fastest.Bytes))
	}
	fmt.Fprintf(&b, ".\n%d fingerprints of %d bits, k = %d", e.Entries, e.Bits, e.K)
	if e.Memory > 0 {
		fmt.Fprintf(&b, ", memory up to %s", size(e.Memory))
	}
	b.WriteString(".\nTimes are for one core of this machine, on which some queries were timed.\n\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "structure\ttime\tmemory\tbuckets\tcompared\tskew\t")
	for _, f := range e.Forecasts {
		fmt.Fprintf(w, "%s\t%s\t%s\t%.4g\t", f.Name, duration(f.Nanoseconds), size(f.Bytes), f.Buckets)
		if f.Skew > 0 {
			fmt.Fprintf(w, "%.3g\t%.2f\t", f.Compared, f.Skew)
		} else {
			fmt.Fprint(w, "?\t?\t") // not sampled
		}
		if f.Excluded != "" {
			fmt.Fprintf(w, "  (%s)", f.Excluded)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}

func duration(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e6:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	}
	return fmt.Sprintf("%.3g ms", ns/1e6)
}

func size(bytes int64) string {
	switch {
	case bytes == 0:
		return "nothing"
	case bytes < 1e6:
		return fmt.Sprintf("%.3g kB", float64(bytes)/1e3)
	case bytes < 1e9:
		return fmt.Sprintf("%.3g MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.3g GB", float64(bytes)/1e9)
}
