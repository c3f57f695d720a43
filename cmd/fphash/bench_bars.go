package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"simhashkit/bench"
	"simhashkit/bench/bars"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/decompress"
)

// judge reads the bars and the probes, so that mistakes in them are found before anything is
// measured. It returns the function that compares the rows with the bars, writes the outcome, and
// says no if it is not good enough.
func (f *benchFlags) judge(ctx context.Context) (func(stdout io.Writer, rows []resultfile.Row) error, error) {
	if f.bars == "" {
		if len(f.probes) > 0 || f.strict {
			return nil, errors.New("--probe and --strict are for --bars, which is not given")
		}
		return func(io.Writer, []resultfile.Row) error { return nil }, nil
	}
	units, err := bench.Catalog(f.options)
	if err != nil {
		return nil, err
	}
	var list []bars.Bar
	err = reading(ctx, f.bars, func(r io.Reader) (err error) {
		list, err = bars.Parse(r, f.bars, units)
		return err
	})
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(b bars.Bar) bool { return !f.options.Matches(b.Case.String()) })
	var probes bars.Probes
	for _, name := range f.probes {
		if err := reading(ctx, name, func(r io.Reader) error { return probes.ReadProbe(r, name) }); err != nil {
			return nil, err
		}
	}
	return func(stdout io.Writer, rows []resultfile.Row) error {
		count, err := bars.Write(stdout, bars.Judge(list, resultfile.Summarize(rows), probes))
		if err != nil {
			return err
		}
		unmeasured := count[bars.NotMeasured] + count[bars.NotRun]
		switch missed := count[bars.Missed]; {
		case f.strict && unmeasured > 0:
			return answerNo{fmt.Sprintf("%d of %d bars missed, %d not measured (--strict)", missed, len(list), unmeasured)}
		case missed > 0:
			return answerNo{fmt.Sprintf("%d of %d bars missed", missed, len(list))}
		}
		return nil
	}, nil
}

// reading opens a file, packed or plain, for a function to read.
func reading(ctx context.Context, name string, read func(io.Reader) error) error {
	file, err := decompress.Open(ctx, name)
	if err != nil {
		return err
	}
	defer file.Close()
	return read(file)
}
