package main

import (
	"io"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/report"
)

// htmlFormat is that of a page of its own.
const htmlFormat = "html"

// comparisonFormats lists the formats of comparisons.
func comparisonFormats() []string { return append(compare.Formats(), htmlFormat) }

// writeComparison writes a comparison in one of the formats.
func writeComparison(w io.Writer, r *compare.Report, format string) error {
	if format == htmlFormat {
		return report.WriteComparison(w, r)
	}
	return compare.Write(w, r, format)
}
