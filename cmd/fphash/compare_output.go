package main

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/report"
)

// output says how a comparison is written, and where.
type output struct {
	format string
	out    string // "": to standard output
}

func (o *output) flags(flags *pflag.FlagSet) {
	suggestion(flags, &o.format, "format", "text", "output format: %s", comparisonFormats())
	flags.StringVarP(&o.out, "out", "o", "", "write to this `file` instead of standard output")
}

// write writes what write makes of a report into the file, or to standard output if none is named.
// CSV has no place for gaps and notes: they go to stderr.
func (o *output) write(r *compare.Report, write func(io.Writer) error, stdout, stderr io.Writer) error {
	if err := writeTo(o.out, stdout, write); err != nil || o.format != "csv" {
		return err
	}
	for _, line := range r.GapLines() {
		fmt.Fprintln(stderr, line)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(stderr, "note:", n)
	}
	return nil
}

// withoutRepeat keeps a verdict from being written twice: that of a text on standard output stands
// in its last line. A user would not see it in a file, nor beside what programs read.
func (o *output) withoutRepeat(verdict error) error {
	if verdict == nil || o.out != "" || o.format != "text" {
		return verdict
	}
	return reported{verdict}
}

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
