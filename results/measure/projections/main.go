package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/wholefile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "projections:", err)
	os.Exit(2)
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("projections", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "the `file` of results")
	match := flags.String("run", "", "measure the cases whose names match this `expression`")
	bits := flags.Int("bits", 64, "the width of fingerprints")
	hash := flags.String("hash", "", "the seeded or keyed `hash` in place of the default")
	limit := flags.Uint64("memory", DefaultMemoryLimit, "the most `bytes` of a stored matrix; 10^7 dimensions of 64 bits take 2.56e9")
	samples := flags.Int("samples", DefaultSamples, "samples of each case")
	sampleTime := flags.Duration("time", DefaultSampleTime, "length of a sample")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || flags.NArg() > 0 {
		return errors.New("expected -o, and no other arguments than flags")
	}
	name, err := regexp.Compile(*match)
	if err != nil {
		return err
	}
	cases, err := Grid(Options{Bits: []int{*bits}, Match: name})
	if err != nil {
		return err
	}
	rows, err := Run(ctx, cases, RunOptions{Config: Config{Hash: *hash, MemoryLimit: *limit}, Samples: *samples, SampleTime: *sampleTime,
		Progress: func(step, name string, done int) {
			fmt.Fprintf(stderr, "%d of %d: %s %s\n", done+1, len(cases), step, name)
		}})
	if err != nil {
		return err
	}
	file := resultfile.File{Head: bench.Head(time.Now(), "go -C results run ./measure/projections", nil), Config: bench.Config(), Rows: Results(rows)}
	for _, unit := range append(ExactUnits(), nanosecondsPerVector, heapBytes) {
		file.Units = append(file.Units, resultfile.Unit{Name: unit, Exact: slices.Contains(ExactUnits(), unit), Unjudged: unit == heapBytes, Better: better(unit)})
	}
	return wholefile.Write(*out, func(w io.Writer) error { return resultfile.Write(w, file) })
}

// better says which figures of a unit are the better ones: -1 the lower, 0 neither.
func better(unit string) int {
	if unit == angleBias || unit == angleRMSEIdeal {
		return 0
	}
	return -1
}
