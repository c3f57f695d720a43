// Command forecast computes what 10^7 to 8·10^9 fingerprints take, from the result file of command
// scale: by each choice of tables, and stage by stage on a cluster. results/scale.md says how.
//
//	go -C results run ./measure/scale/forecast SCALE.txt FORECAST.txt
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/evidence"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: forecast SCALE.txt FORECAST.txt")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "forecast:", err)
		os.Exit(1)
	}
}

func run(scale, out string) error {
	f, err := os.Open(scale)
	if err != nil {
		return err
	}
	defer f.Close()
	measured, err := resultfile.Read(f, scale)
	if err != nil {
		return err
	}
	c, err := costsOf(resultfile.Summarize(measured.Rows))
	if err != nil {
		return fmt.Errorf("%s: %w", scale, err)
	}
	file := resultfile.File{Head: bench.Head(time.Now(), "go -C results run ./measure/scale/forecast", nil), Config: measured.Config, Rows: c.forecast()}
	return wholefile.Write(out, func(w io.Writer) error { return resultfile.Write(w, file) })
}

// The cluster of the forecast.
const (
	machines = 20
	cores    = 32     // of each
	network  = 1.25e9 // bytes a second, of each
	document = 1200   // bytes
)

// forecast returns the rows.
func (c costs) forecast() (rows []resultfile.Row) {
	add := func(key, value string, n float64, unit string, figure float64) {
		name := benchname.New(evidence.Forecast, key, value, "n", fmt.Sprintf("%.0f", n)).String()
		rows = append(rows, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: figure}}})
	}
	for _, n := range []float64{1e7, 1e8, 1e9, 8e9} {
		for _, d := range designs {
			add("tables", d.String(), n, evidence.CoreHours, c.pairsOf(n, d)/3.6e12)
			add("tables", d.String(), n, evidence.ShuffledBytes, n*d.tables()*c.bytes)
			add("tables", d.String(), n, evidence.BlockFingerprints, d.size(n))
		}
	}
	for _, n := range []float64{1e9, 8e9} {
		for _, s := range []struct {
			name                 string
			core, bytes, workers float64
		}{
			{"sketch", n * c.sketch, n * document, machines * cores},
			{"pairs", c.pairsOf(n, designs[0]), n * designs[0].tables() * c.bytes, machines * cores},
			{"clusters", n * c.clusters, 0, 1},
		} {
			add("stage", s.name, n, evidence.CoreHours, s.core/3.6e12)
			add("stage", s.name, n, evidence.ClusterNanosecondsPerOperation, max(s.core/s.workers, s.bytes/(machines*network)*1e9))
		}
	}
	return rows
}
