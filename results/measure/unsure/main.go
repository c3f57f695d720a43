// Command unsure measures what the least sure bits of a fingerprint are good for: how many more
// near-duplicates a query finds that ignores them, how much nearer to the cosine an estimate by
// sums is than one by the distance, and on which vectors neither helps. METHODOLOGY.md shows the
// figures:
//
//	go -C results run ./measure/unsure -o CPU/DATE/unsure.txt
//
// A [Case] is a kind of vectors. [Case.Measure] draws pairs of exactly each of the [Cosines],
// searches by each of the [Ways] and estimates; [Rows] turns the result into benchmark rows:
//
//	recall       part of the pairs of cosine= that a search finds: within k= of all bits, or of
//	             those outside the mask of the t= least sure bits of the query; with masks=2, t= of
//	             the query and t= of the stored one
//	strangers    chance that the search finds a vector that has nothing to do with the query
//	cosine-rmse  error of the estimate of the cosine, by=distance or by=sums, root of mean square
//	cosine-bias  mean of that error: greater than 0 where cosines are overestimated
//
// Ignoring more bits finds more of everything, strangers too. So a search is to be compared with
// the plain one that lets as many strangers pass, not with the one of the same k: [Ways] has both.
//
// All figures are exact: weights are multiples of 1/1024, so that sums do not depend on the kernel.
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
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/evidence"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "unsure:", err)
	os.Exit(2)
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("unsure", flag.ContinueOnError)
	flags.SetOutput(stderr)
	out := flags.String("o", "", "the `file` of results")
	pairs := flags.Int("pairs", Pairs, "`number` of pairs of each case and cosine")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || flags.NArg() > 0 || *pairs < 1 {
		return errors.New("expected -o FILE, one pair or more, and no other arguments than flags")
	}
	list, err := cases()
	if err != nil {
		return err
	}
	begin := time.Now()
	var rows []resultfile.Row
	for _, c := range list {
		r, err := c.Measure(ctx, *pairs)
		if err != nil {
			return err
		}
		rows = append(rows, Rows(c, r)...)
	}
	file := resultfile.File{
		Head:   bench.Head(begin, "go -C results run ./measure/unsure "+strings.Join(args, " "), nil),
		Config: bench.Config(), Rows: rows, Units: unitsOf(rows),
	}
	return wholefile.Write(*out, func(w io.Writer) error { return resultfile.Write(w, file) })
}

// cases are vectors as words make them, and those on which ignoring unsure bits helps little.
func cases() (list []Case, err error) {
	for _, c := range []struct {
		hash, weights  string
		bits, features int
	}{
		{fphash.DefaultHash, LogNormal, 64, 100}, {fphash.DefaultHash, LogNormal, 64, 10},
		{fphash.DefaultHash, datasets.Unit, 64, 100},
		{fphash.DefaultHash, Outlier, 64, 100},
		{"md5", LogNormal, 128, 100},
	} {
		family, err := fphash.Lookup(c.hash)
		if err != nil {
			return nil, err
		}
		list = append(list, Case{Family: family, Weights: c.weights, Bits: c.bits, Features: c.features})
	}
	return list, nil
}

// unitsOf says of the units of the rows that their figures are exact, and which are better.
func unitsOf(rows []resultfile.Row) (units []resultfile.Unit) {
	for _, r := range rows {
		if !slices.ContainsFunc(units, func(u resultfile.Unit) bool { return u.Name == r.Unit }) {
			units = append(units, resultfile.Unit{Name: r.Unit, Exact: true, Better: evidence.Better(r.Unit)})
		}
	}
	return units
}
