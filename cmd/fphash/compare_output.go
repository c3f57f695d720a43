package main

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"simhashkit/bench/gobench/compare"
	"simhashkit/bench/report"
)

// output is the format and the destination of a comparison.
type output struct {
	format string
	out    string // "": to standard output
}

func (o *output) flags(flags *pflag.FlagSet) {
	suggestion(flags, &o.format, "format", "text", "output format: %s", comparisonFormats())
	flags.StringVarP(&o.out, "out", "o", "", "write to this `file` instead of standard output")
}

// write writes the report to the file, or to standard output if none is named. CSV cannot hold gaps
// and notes, so these go to standard error.
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

// withoutRepeat drops the message of a verdict that standard output already shows as its last line.
// It keeps it for files and for formats that programs read.
func (o *output) withoutRepeat(verdict error) error {
	if verdict == nil || o.out != "" || o.format != "text" {
		return verdict
	}
	return reported{verdict}
}

// htmlFormat is the format of an HTML page.
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
