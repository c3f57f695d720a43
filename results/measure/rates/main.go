// Command rates measures how often fphash ab is wrong, on the benchmarks of this kit and with the
// other processor busy.
//
//	go -C results run ./measure/rates -kind aa -n 200 -out aa.txt
//	go -C results run ./measure/rates -kind slow -extra 6 -n 100 -out 6.txt
//	go -C results run ./measure/rates -kind bursts -extra 10 -n 100 -out b.txt
//	go -C results run ./measure/rates -sum aa.txt 6.txt b.txt
//
// The kind aa is comparisons of a program with itself: every alarm is a false one. With slow the
// new side does 6% more of its own work: no alarm is a miss. With bursts it is the same, but all
// extra work of 20 samples is made in one of them. -sum prints the table.
//
// A comparison is fphash ab in a process of its own, as a user would run it on two commands; exit
// code 1 is an alarm. Beside it stands what most people do in its place: ten samples of the old
// side, then ten of the new one, and an alarm where benchstat's test says p < 0.05 (or that, and a
// difference of more than 3%).
//
// The file is rewritten after every comparison. The same command goes on where the file ends, so
// that a measurement can be made in parts; what was measured in another way, or on another
// processor, is refused. It needs a Unix shell, and two processors unless -busy=false.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"simhashkit/bench/gobench/ab"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "rates:", err)
	os.Exit(2)
}

// Kinds of measurement.
const (
	kindAA     = "aa"
	kindSlow   = "slow"
	kindBursts = "bursts"
)

// options are what the command line says.
type options struct {
	kind       string
	extra      int // percent
	n          int
	out        string
	budget     time.Duration
	atMost     time.Duration
	seed       uint64
	benchmarks int
	busy       bool
	programs   programs
	command    string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o := options{command: "rates " + strings.Join(args, " ")}
	var sum bool
	flags := flag.NewFlagSet("rates", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.BoolVar(&sum, "sum", false, "print the table of the files that follow")
	flags.StringVar(&o.kind, "kind", "", "`aa`, slow or bursts")
	flags.IntVar(&o.extra, "extra", 6, "`percent` of extra work of the new side, of the kinds slow and bursts")
	flags.IntVar(&o.n, "n", 200, "`number` of comparisons in the file in the end")
	flags.StringVar(&o.out, "out", "", "the `file`")
	flags.DurationVar(&o.budget, "budget", ab.DefaultBudget, "`time` that a comparison may take")
	flags.DurationVar(&o.atMost, "for", 0, "start no comparison after this `time` (0: all that are wanted)")
	flags.Uint64Var(&o.seed, "seed", 1, "`seed` of the choice of benchmarks and of the order of runs")
	flags.IntVar(&o.benchmarks, "benchmarks", 40, "`number` of different benchmarks")
	flags.BoolVar(&o.busy, "busy", true, "keep one processor busy with benchmarks while comparing")
	flags.StringVar(&o.programs.fphash, "fphash", "", "the `program` (default: build it)")
	flags.StringVar(&o.programs.bench, "bench", "", "the test `program` of package bench (default: build it)")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if sum {
		return printSummary(stdout, flags.Args())
	}
	if err := o.check(flags.Args()); err != nil {
		return err
	}
	return o.measure(ctx, stderr)
}

func (o *options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%q: expected flags only; files are for -sum", rest)
	case o.kind == kindAA:
		o.extra = 0
	case o.kind != kindSlow && o.kind != kindBursts:
		return fmt.Errorf("-kind %q: expected %s, %s or %s", o.kind, kindAA, kindSlow, kindBursts)
	case o.extra < 1 || o.extra > 30: // what the benchmarks take
		return fmt.Errorf("-extra %d: expected 1 to 30 percent", o.extra)
	}
	switch {
	case o.out == "":
		return errors.New("-out is missing: expected the file to write")
	case o.n < 1 || o.benchmarks < 1:
		return fmt.Errorf("-n %d, -benchmarks %d: expected at least 1", o.n, o.benchmarks)
	case o.budget <= 0:
		return fmt.Errorf("-budget %v: expected a positive one", o.budget)
	}
	return nil
}
