package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/comparisons"
)

// measure makes the comparisons that the file lacks.
func (o *options) measure(ctx context.Context, stderr io.Writer) (err error) {
	start := time.Now()
	benchmarks, err := pick(o.benchmarks, o.seed)
	if err != nil {
		return err
	}
	f, err := o.file(start).Resume(o.out, benchmarks)
	if err != nil || len(f.Records) >= o.n {
		return err
	}
	folder, err := os.MkdirTemp("", "fphash-rates-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := o.programs.build(ctx, folder); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	if o.busy {
		ended, err := o.programs.keepBusy(ctx, cancel)
		if err != nil {
			cancel(nil)
			return err
		}
		defer func() { <-ended }()
	}
	defer cancel(nil)
	for len(f.Records) < o.n {
		if o.atMost > 0 && time.Since(start) > o.atMost {
			return fmt.Errorf("%d of %d comparisons are done; the same command goes on", len(f.Records), o.n)
		}
		index := len(f.Records)
		r := comparisons.Record{Index: index, Benchmark: benchmarks[index%len(benchmarks)], Extra: o.extra, Every: o.every(), Seed: uint64(rand.New(rand.NewPCG(o.seed, uint64(index))).Uint32())}
		if err := o.comparison(ctx, &r); err != nil {
			return err
		}
		f.Records = append(f.Records, r)
		if err := f.Write(o.out); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%d/%d  %s  %.1fs  %d rounds  %s\n", len(f.Records), o.n, r.Verdict, r.Seconds, r.Rounds, r.Benchmark)
	}
	return nil
}

// comparison makes one, by fphash ab and by the naive gate.
func (o *options) comparison(ctx context.Context, r *comparisons.Record) error {
	operation, err := o.programs.operation(ctx, r.Benchmark)
	if err != nil {
		return err
	}
	if err := o.programs.compare(ctx, r, planFor(r.Benchmark, operation, o.extra), o.budget); err != nil {
		return err
	}
	return o.programs.naive(ctx, r, naivePlanFor(r.Benchmark, operation, o.extra))
}

// file returns a file without records.
func (o *options) file(now time.Time) comparisons.File {
	f := comparisons.File{Head: append(bench.Head(now, o.command, nil), resultfile.Field{Name: "processors", Value: strconv.Itoa(runtime.NumCPU())})}
	cpu := ""
	for _, field := range bench.Config() {
		switch field.Name {
		case "cpu":
			cpu = field.Value
		case "goos", "goarch":
			f.Head = append(f.Head, field)
		}
	}
	values := []string{o.kind, strconv.Itoa(o.extra), o.budget.String(), strconv.Itoa(o.benchmarks), strconv.FormatUint(o.seed, 10), strconv.FormatBool(o.busy), cpu}
	for i, name := range comparisons.Settings {
		f.Settings = append(f.Settings, resultfile.Field{Name: name, Value: values[i]})
	}
	return f
}
