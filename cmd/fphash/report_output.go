package main

import (
	"fmt"
	"io"

	"simhashkit/bench/compare"
	"simhashkit/datasets"
)

// writeReport writes what write makes of a report into a file, or to standard output if none is named. CSV has no place for gaps and notes: they go to stderr.
func writeReport(r *compare.Report, format, out string, write func(io.Writer) error, stdout, stderr io.Writer) error {
	var err error
	if out != "" {
		err = datasets.WriteFile(out, write)
	} else {
		err = write(stdout)
	}
	if err != nil || format != "csv" {
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
