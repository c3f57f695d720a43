package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/doctor"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/wholefile"
)

// writeDoctorResults writes the figures of an examination to a result file, like those of fphash
// bench.
func writeDoctorResults(path, command string, e *doctor.Examination) error {
	rows, units := bench.ResultRows(e.Results)
	file := resultfile.File{Head: bench.Head(time.Now(), command, nil), Config: bench.Config(), Rows: rows, Units: units}
	return wholefile.Write(path, func(w io.Writer) error { return resultfile.Write(w, file) })
}

// notInNames reports whether a character is not allowed in the name of a benchmark or its keys.
func notInNames(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
}

// doctorProgress prints the estimated time once, if it is long, and then the progress.
func doctorProgress(p *progress, stderr io.Writer) func(doctor.Progress) {
	said := false
	return func(d doctor.Progress) {
		if d.Forecast > 10*time.Second && !said {
			said = true
			p.clear()
			fmt.Fprintf(stderr, "fphash: %d keys to ask, about %v at the speed of the first %d\n", d.All, d.Forecast.Round(time.Second), d.Done)
		}
		p.report(status{step: d.Step, part: float64(d.Done) / float64(max(d.All, 1)), left: d.Forecast})
	}
}
