// Command coverage measures how often the intervals of effective bits hold what they are about: it
// measures each hash on that many workloads of the same kind, takes the ratio of the mean squared
// errors over all of them for the truth, and counts:
//
//	go -C results run ./measure/coverage -seeds 40
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
	fmt.Fprintln(os.Stderr, "coverage:", err)
	os.Exit(2)
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("coverage", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seeds := flags.Int("seeds", 40, "`number` of workloads of each kind, with the seeds 0, 1 and so on")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *seeds < 2 || flags.NArg() != 0 {
		return fmt.Errorf("-seeds %d, arguments %q: expected at least 2 seeds, and no argument", *seeds, flags.Args())
	}
	for i, k := range kinds() {
		rows, err := k.measure(*seeds)
		if err != nil {
			return err
		}
		if i == 0 {
			fmt.Fprintf(stdout, "# go -C results run ./measure/coverage -seeds %d\n", *seeds)
			fmt.Fprintln(stdout, "# effective bits over all workloads; the least and the most of one; how many intervals hold the first; their mean width in %")
			fmt.Fprintf(stdout, "%-12s %-9s %-11s %-5s %-6s %8s %8s %8s %9s %6s\n", "pattern", "weights", "hash", "keys", "band", "bits", "least", "most", "covered", "width")
		}
		for _, r := range rows {
			if _, err := fmt.Fprintln(stdout, r); err != nil {
				return err
			}
		}
	}
	return nil
}
