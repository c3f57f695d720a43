// Command texts measures which features, weights, widths and thresholds find near-duplicates among
// real texts, and where none do. The texts lie in the folder of the reference data; the figures go
// to a file of benchmark results.
//
//	go -C results run ./measure/texts -data ../../shared/data -o CPU/DATE/texts.txt
//	go -C results run ./measure/texts -minhash -o CPU/DATE/texts-minhash.txt
//
// What is measured is said by packages collections and measure; results/texts.md shows it. It takes
// some ten minutes on one core.
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
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	_ "simhashkit/datasets/text/zh" // for lang=zh
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/collections"
	"simhashkit/results/measure/texts/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "texts:", err)
	os.Exit(2)
}

func run(ctx context.Context, args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("texts", flag.ContinueOnError)
	flags.SetOutput(stderr)
	data := flags.String("data", "../shared/data", "`folder` of the reference data")
	out := flags.String("o", "", "the `file` of results")
	only := flags.String("only", "", "measure those collections alone whose name, language and length match a regular `expression`")
	sets := flags.Bool("minhash", false, "measure 1-bit MinHash of the features, in place of simhash")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || flags.NArg() > 0 {
		return errors.New("expected -o FILE and no other arguments than flags")
	}
	chosen, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	begin := time.Now()
	rows, err := rowsOf(ctx, *data, chosen, *sets, func(what string) {
		fmt.Fprintf(stderr, "%v: %s\n", time.Since(begin).Round(time.Second), what)
	})
	if err != nil {
		return err
	}
	file := resultfile.File{
		Head:   bench.Head(begin, "go -C results run ./measure/texts "+strings.Join(args, " "), nil),
		Config: bench.Config(), Rows: rows, Units: unitsOf(rows),
	}
	return wholefile.Write(*out, func(w io.Writer) error { return resultfile.Write(w, file) })
}

// unitsOf says of the units of the rows that their figures have no noise, and which are better.
func unitsOf(rows []resultfile.Row) (units []resultfile.Unit) {
	seen := map[string]bool{}
	for _, r := range rows {
		if !seen[r.Unit] {
			seen[r.Unit] = true
			units = append(units, resultfile.Unit{Name: r.Unit, Exact: true, Better: evidence.Better(r.Unit)})
		}
	}
	return units
}

// grown are the sizes at which large collections are measured, beside all that there is.
var grown = []int{2_000, 10_000}

// rowsOf measures the collections that are chosen, some at the same time. What is measured does not
// depend on how many.
func rowsOf(ctx context.Context, data string, chosen *regexp.Regexp, sets bool, report func(string)) ([]resultfile.Row, error) {
	all, err := collections.All(ctx, data)
	if err != nil {
		return nil, err
	}
	list := make([][]resultfile.Row, len(all)+1)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	definitions := measure.Definitions
	if sets {
		definitions = measure.SetDefinitions
	}
	if !sets && chosen.MatchString("all verses") {
		group.Go(func() (err error) {
			report("all verses")
			list[len(all)], err = grownRows(ctx, data)
			return err
		})
	}
	for i := range all {
		c := &all[i]
		what := strings.TrimSpace(c.Name + " " + c.Language + " " + c.Length)
		if !chosen.MatchString(what) {
			continue
		}
		group.Go(func() (err error) {
			report(what)
			list[i], err = measure.Rows(ctx, c, definitions(c))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(list...), nil
}

// grownRows measures what becomes of the figures when a collection grows.
func grownRows(ctx context.Context, data string) (rows []resultfile.Row, err error) {
	verses, err := collections.AllVerses(ctx, data)
	if err != nil {
		return nil, err
	}
	for _, d := range measure.GrownDefinitions {
		more, err := measure.Grown(ctx, &verses, d, grown)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}
