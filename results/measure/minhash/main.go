// Command minhash measures which functions, bits and constants do for 1-bit MinHash: how far the
// estimate of the Jaccard similarity is from that of ideal random functions:
//
//	go -C results run ./measure/minhash -o CPU/DATE/minhash.txt
//
// A [Candidate] is a way from the code of a feature to a bit of each of 4,096 lanes. It is measured
// on pairs of sets of equal size, whose features are random or consecutive indices, hashed by a
// family:
//
//	effective-bits  (1-J²) / mean squared error of the estimate 1-2d/f, which is f of ideal ones:
//	                of each 64 lanes in turn, and of all
//	bias-z          mean error, in its standard errors by ideal functions
//	pairs-z2        mean of squared correlations of pairs of bits, which is 1 of ideal ones
//	pairs-max       the greatest of them, in standard errors: about 5.5 of ideal ones
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
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
	fmt.Fprintln(os.Stderr, "minhash:", err)
	os.Exit(2)
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("minhash", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "the `file` of results")
	part := flags.Int("part", 1, "make one of so `many` trials")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || flags.NArg() > 0 || *part < 1 {
		return errors.New("expected -o FILE, -part of 1 or more, and no other arguments than flags")
	}
	begin := time.Now()
	var rows []resultfile.Row
	for _, c := range Cases() {
		c.Trials = max(c.Trials / *part, 2)
		for _, candidate := range Candidates() {
			if err := ctx.Err(); err != nil {
				return err
			}
			rows = append(rows, c.Rows(candidate)...)
		}
	}
	file := resultfile.File{
		Head:   bench.Head(begin, "go -C results run ./measure/minhash "+strings.Join(args, " "), nil),
		Config: bench.Config(), Rows: rows, Units: unitsOf(rows),
	}
	return wholefile.Write(*out, func(w io.Writer) error { return resultfile.Write(w, file) })
}

// unitsOf says of the units of the rows that their figures are exact.
func unitsOf(rows []resultfile.Row) (units []resultfile.Unit) {
	for _, r := range rows {
		if !slices.ContainsFunc(units, func(u resultfile.Unit) bool { return u.Name == r.Unit }) {
			units = append(units, resultfile.Unit{Name: r.Unit, Exact: true})
		}
	}
	return units
}
