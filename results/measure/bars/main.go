package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// errMissed ends a run whose table says what was missed.
var errMissed = errors.New("bars: missed")

func main() {
	switch err := run(os.Args[1:], os.Stdout); {
	case errors.Is(err, errMissed):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("bars", flag.ContinueOnError)
	probeFiles := flags.String("probe", "", "`files` with what probes printed that the bars refer to, with commas between them")
	if err := flags.Parse(args); err != nil {
		return fmt.Errorf("bars: %w", err)
	}
	if flags.NArg() != 2 {
		return errors.New("bars: expected a file of bars and a result file of fphash bench")
	}
	units, err := catalog()
	if err != nil {
		return err
	}
	var list []Bar
	err = reading(flags.Arg(0), func(r io.Reader) (err error) {
		list, err = Parse(r, flags.Arg(0), units)
		return err
	})
	if err != nil {
		return err
	}
	var probes Probes
	for name := range strings.SplitSeq(*probeFiles, ",") {
		if name == "" {
			continue
		}
		if err := reading(name, func(r io.Reader) error { return probes.ReadProbe(r, name) }); err != nil {
			return err
		}
	}
	var results resultfile.File
	err = reading(flags.Arg(1), func(r io.Reader) (err error) {
		results, err = resultfile.Read(r, flags.Arg(1))
		return err
	})
	if err != nil {
		return err
	}
	count, err := Write(stdout, Judge(list, resultfile.Summarize(results.Rows), probes))
	if err == nil && count[Missed] > 0 {
		err = errMissed
	}
	return err
}

func reading(name string, read func(io.Reader) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return read(file)
}
