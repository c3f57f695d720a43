package main

import (
	"io"
	"strconv"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/evidence"
)

// results are the rows of a result file.
type results struct{ rows []resultfile.Row }

func (r *results) add(name, unit string, values ...float64) {
	row := resultfile.Row{Name: name, Unit: unit}
	for _, v := range values {
		row.Samples = append(row.Samples, resultfile.Sample{Iterations: 1, Value: v})
	}
	r.rows = append(r.rows, row)
}

// stages adds what the stages of a road took.
func (r *results) stages(road string, n int, list []stage) {
	for _, s := range list {
		name := benchname.New(evidence.Road, "road", road, "stage", s.name, "n", strconv.Itoa(n)).String()
		r.add(name, terms.NanosecondsPerOperation, float64(s.time.Nanoseconds()))
		if s.cpu > 0 {
			r.add(name, evidence.CPUNanosecondsPerOperation, float64(s.cpu.Nanoseconds()))
		}
		if s.peak > 0 {
			r.add(name, evidence.PeakBytes, float64(s.peak))
		}
		if s.written > 0 {
			r.add(name, evidence.WrittenBytes, float64(s.written))
		}
		if c := s.blocks; c != nil {
			r.add(name, evidence.BlockLines, float64(c.lines))
			r.add(name, evidence.BlockCount, float64(c.blocks))
			r.add(name, evidence.LargestBlock, float64(c.largest))
			r.add(name, evidence.ComparedPairs, float64(c.inBlocks))
			r.add(name, terms.Pairs, float64(c.pairs))
		}
	}
}

// write writes what is known so far.
func (w *work) write() error {
	var units []resultfile.Unit
	for _, name := range []string{evidence.WrittenBytes, evidence.BlockLines, evidence.BlockCount, evidence.LargestBlock, evidence.ComparedPairs, terms.Pairs} {
		units = append(units, resultfile.Unit{Name: name, Exact: true, Better: evidence.Better(name)})
	}
	units = append(units, resultfile.Unit{Name: evidence.PeakBytes, Unjudged: true, Better: evidence.Better(evidence.PeakBytes)})
	file := resultfile.File{Head: bench.Head(time.Now(), w.command, nil), Config: bench.Config(), Rows: w.results.rows, Units: units}
	return wholefile.Write(w.out, func(out io.Writer) error { return resultfile.Write(out, file) })
}
