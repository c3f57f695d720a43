// Command indexfiles measures index files: how long they take to be opened, how much longer a query
// takes through the file than in memory, and how many insertions a second are acknowledged, beside
// the rate at which the disk takes what fsync asks for.
//
//	go -C results run ./measure/indexfiles -n 1000000,10000000 -folder /var/tmp -o index-files.txt
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/wholefile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "indexfiles:", err)
		os.Exit(1)
	}
}

// measurement is what all measurements need.
type measurement struct {
	ctx     context.Context
	folder  string
	samples int
	rows    []resultfile.Row
}

func run(ctx context.Context) error {
	sizes := flag.String("n", "1000000,10000000", "numbers of `fingerprints` in files")
	folder := flag.String("folder", "", "`folder` for files of up to 50 bytes a fingerprint")
	out := flag.String("o", "", "result `file`; standard output without it")
	samples := flag.Int("samples", 10, "of each `figure`")
	flag.Parse()
	dir, err := os.MkdirTemp(*folder, "indexfiles")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := &measurement{ctx: ctx, folder: dir, samples: *samples}
	for text := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(text)
		if err == nil {
			err = m.file(n)
		}
		if err != nil {
			return fmt.Errorf("%s fingerprints: %w", text, err)
		}
	}
	if err := m.inserts(); err != nil {
		return err
	}
	file := resultfile.File{Head: bench.Head(time.Now(), "indexfiles "+strings.Join(os.Args[1:], " "), nil), Config: bench.Config(), Rows: m.rows}
	write := func(w io.Writer) error { return resultfile.Write(w, file) }
	if *out == "" {
		return write(os.Stdout)
	}
	return wholefile.Write(*out, write)
}

// path returns the path of a file of that name.
func (m *measurement) path(name string) string { return filepath.Join(m.folder, name) }

// add adds a sample to a row.
func (m *measurement) add(name, unit string, iterations int, value float64) {
	for i := range m.rows {
		if m.rows[i].Name == name && m.rows[i].Unit == unit {
			m.rows[i].Samples = append(m.rows[i].Samples, resultfile.Sample{Iterations: iterations, Value: value})
			return
		}
	}
	m.rows = append(m.rows, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: iterations, Value: value}}})
}

// splitMix64 is the finaliser of SplitMix64.
func splitMix64(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
