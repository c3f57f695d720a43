package resultfile

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Write writes the file; values keep 8 digits.
func Write(w io.Writer, f File) error {
	var out bytes.Buffer
	for _, h := range f.Head {
		fmt.Fprintf(&out, "# %s: %s\n", h.Name, oneLine(h.Value))
	}
	for _, r := range f.Rows {
		if r.Err != "" {
			fmt.Fprintf(&out, "# %s: %s: %s\n", errorField, r.Name, oneLine(r.Err))
		}
		if r.Skipped != "" {
			fmt.Fprintf(&out, "# %s: %s: %s\n", skippedField, r.Name, oneLine(r.Skipped))
		}
	}
	results := benchfmt.NewWriter(&out)
	for _, line := range f.metadata() {
		if err := results.Write(line); err != nil {
			return fmt.Errorf("resultfile: %w", err)
		}
	}
	var config []benchfmt.Config
	for _, c := range f.Config {
		config = append(config, benchfmt.Config{Key: c.Name, Value: []byte(oneLine(c.Value)), File: true})
	}
	for _, line := range lines(f.Rows) {
		line.Config = config
		if err := results.Write(line); err != nil {
			return fmt.Errorf("resultfile: %w", err)
		}
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("resultfile: %w", err)
	}
	return nil
}

// lines turns samples into lines, in order.
func lines(rows []Row) []*benchfmt.Result {
	var list []*benchfmt.Result
	former := "" // name of the last row if that had one sample
	for _, r := range rows {
		for _, s := range r.Samples {
			value := benchfmt.Value{Value: Round8(s.Value), Unit: r.Unit}
			if last := len(list) - 1; len(r.Samples) == 1 && former == r.Name && list[last].Iters == s.Iterations {
				list[last].Values = append(list[last].Values, value)
				continue
			}
			list = append(list, &benchfmt.Result{Name: benchfmt.Name(r.Name), Iters: s.Iterations, Values: []benchfmt.Value{value}})
		}
		if former = ""; len(r.Samples) == 1 {
			former = r.Name
		}
	}
	return list
}

// Round8 rounds to 8 significant digits, which is more than any measurement has. More would differ
// between processors, some of which fuse multiplication and addition.
func Round8(v float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	if err != nil {
		return v // an infinity that rounding made; there is nothing better to say
	}
	return rounded
}

// oneLine joins the lines of a value, which would break the format.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
