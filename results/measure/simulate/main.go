// Command simulate measures how often the test of fphash ab would be wrong: it draws rounds from
// recorded runs of one program, makes one side slower or leaves it as it is, and prints how many
// changes are called:
//
//	go -C results run ./measure/simulate -n 2000 ../bench/gobench/compare/testdata/runs.txt.gz
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "simulate:", err)
	os.Exit(2)
}

var (
	families = []int{1, 51}
	budgets  = []int{20, 30, 60, 75, 100, 150} // rounds
)

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	n := flags.Int("n", 2000, "`number` of comparisons of each kind")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *n < 1 || flags.NArg() != 1 {
		return fmt.Errorf("-n %d, files %q: expected at least 1, and one file", *n, flags.Args())
	}
	list, err := readRecorded(flags.Arg(0))
	if err != nil {
		return err
	}
	noisy := 0
	for _, b := range list {
		if b.noisy() {
			noisy++
		}
	}
	fmt.Fprintf(stdout, "%d of %d benchmarks are noisy\n", noisy, len(list))
	for _, family := range families {
		for _, budget := range budgets {
			kinds, err := compareAll(list, *n, family, budget)
			if err != nil {
				return err
			}
			for _, c := range kinds {
				fmt.Fprintln(stdout, c)
			}
		}
	}
	for i, share := range naive(list, *n) {
		if _, err := fmt.Fprintf(stdout, "%.2f times: %.2f%% called\n", factors[i], share); err != nil {
			return err
		}
	}
	return nil
}
