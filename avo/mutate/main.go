// Command mutate checks that the tests of the kernels detect faults. It changes the assembly in
// every way it knows, one change at a time, and runs the tests on each mutant.
//
//	cd avo
//	go run ./mutate -out results.txt                               all files, at most 40 minutes
//	go run ./mutate -sample 60 -every 0 ../asm/hamming/*_amd64.s
//
// A mutant has one instruction deleted, one condition changed, one immediate, displacement or
// constant changed, two source operands swapped or one register replaced. In the assembly for
// arm64, which is written by hand, macros are expanded first, so that each use of a macro is
// mutated separately. There, instructions are also replaced by their siblings (ADD by SUB, minimum
// by maximum), and the mutants run under qemu-aarch64. Kernels of up to -every instructions are
// mutated in every way, longer ones in -sample random ways, which are the same in every run. A
// mutant is killed if a test fails, crashes or does not end. Survivors must be on the reviewed
// list, which explains why each class of them is harmless. Exit status 1 means that a survivor is
// not on the list, and 2 that the run was not completed. With -resume, mutants that were killed
// according to -out are not run again.
//
// The tree does not change: the compiler reads the mutants from an overlay. Many mutants share a
// test binary, which selects one by an environment variable, so that a mutant costs a process and
// not a build.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

func main() {
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "mutate:", err)
	if errors.Is(err, errSurvivors) {
		os.Exit(1)
	}
	os.Exit(2)
}

// errSurvivors means that a mutant survived that is not on the reviewed list.
var errSurvivors = errors.New("mutants survived that are not on the reviewed list")

// options holds the values of the flags and arguments.
type options struct {
	every, sample, workers int
	budget                 time.Duration
	out, reviewed          string
	resume                 bool
	files                  []string
}

func run(args []string, stdout, stderr io.Writer) error {
	var o options
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&o.every, "every", 300, "mutate kernels of up to this many `instructions` in every way")
	flags.IntVar(&o.sample, "sample", 500, "number of `mutants` of each longer kernel")
	flags.IntVar(&o.workers, "j", runtime.NumCPU(), "number of `workers`")
	flags.DurationVar(&o.budget, "budget", 40*time.Minute, "stop after this `time`, with status 2")
	flags.StringVar(&o.out, "out", "", "write the outcome of every mutant to this `file`")
	flags.StringVar(&o.reviewed, "reviewed", "mutate/reviewed", "`folder` of the lists of survivors that were found harmless, one for each package and architecture")
	flags.BoolVar(&o.resume, "resume", false, "skip the mutants that were killed according to -out")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.files = flags.Args()
	if len(o.files) == 0 {
		for _, a := range []*architecture{amd64, arm64} {
			files, _ := filepath.Glob("../asm/*/*" + a.suffix()) // the pattern is well formed
			o.files = append(o.files, files...)
		}
	}
	if len(o.files) == 0 {
		return errors.New("there is no assembly in ../asm: run mutate in the folder avo, or name the files")
	}
	return o.mutate(stdout)
}

func (o *options) mutate(stdout io.Writer) error {
	start := time.Now()
	list, err := o.readReviews()
	if err != nil {
		return err
	}
	done := outcomes{}
	if o.resume {
		if done, err = readOutcomes(o.out); err != nil {
			return err
		}
	}
	var batches []*batch
	for _, path := range o.files {
		f, err := readFile(path)
		if err != nil {
			return err
		}
		for _, k := range f.kernels {
			if missing := k.missing(); missing != "" {
				fmt.Fprintf(stdout, "%s %s: not run, %s\n", path, k.name, missing)
				continue
			}
			batches = append(batches, f.batches(k, o.choose(k), done)...)
		}
	}
	if len(batches) == 0 && len(done) == 0 {
		return errors.New("there are no mutants to run")
	}
	log, err := newLog(o.out, o.resume)
	if err != nil {
		return err
	}
	all, err := execute(batches, o.workers, start.Add(o.budget), log)
	fresh := report(stdout, done, all, list)
	fmt.Fprintf(stdout, "%v on %d workers\n", time.Since(start).Round(time.Second), o.workers)
	if err := errors.Join(err, log.close()); err != nil {
		return err
	}
	if fresh > 0 {
		return fmt.Errorf("%w: %d", errSurvivors, fresh)
	}
	return nil
}
