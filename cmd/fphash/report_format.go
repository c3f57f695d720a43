package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/report"
)

// htmlFormat is that of a page of its own, with the section that fphash report --old has.
const htmlFormat = "html"

// comparisonFormats lists the formats of comparisons.
func comparisonFormats() []string { return append(compare.Formats(), htmlFormat) }

// checkComparisonFormat returns an error for a name that is no format.
func checkComparisonFormat(format string) error {
	if !slices.Contains(comparisonFormats(), format) {
		return fmt.Errorf("unknown format %q; want %s", format, strings.Join(comparisonFormats(), ", "))
	}
	return nil
}

// writeComparison writes a comparison in one of the formats.
func writeComparison(w io.Writer, r *compare.Report, format string) error {
	if format == htmlFormat {
		return report.WriteComparison(w, r)
	}
	return compare.Write(w, r, format)
}
