package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simhashkit/bench"
	"simhashkit/bench/doctor"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// doctorFlags are the flags of fphash doctor.
type doctorFlags struct {
	vectorReading
	command           string          // that computes the hash
	family            definitionFlags // a hash of fphash in its place; the width is of either
	name              string
	patterns, weights []string
	data              string
	keyings, workers  int
	seed              uint64
	timeout, budget   time.Duration
	format, out       string
	strict            bool
}

func newDoctor() *cobra.Command {
	f := doctorFlags{family: newDefinitionFlags()}
	command := &cobra.Command{
		Use:   "doctor (--hash COMMAND | -- PROGRAM [ARG...] | --family NAME) [flags]",
		Short: "Examine a hash of your own, in any language: is it fit for simhash?",
		Long: `doctor asks your hash function for codes over a pipe, and says how many ideal bits its
bits are worth for simhash: on seven patterns of indices, with 95% intervals, with the
bits that are constant, copies or complements of others, and with a verdict.

The program reads keys of 8 bytes from standard input and writes the code of each to
standard output. fphash help protocol describes that, with examples in Python and Go.
COMMAND is run by sh -c (on Windows cmd /C); PROGRAM is run as it is.

All patterns take about 8 million keys. If the estimated time exceeds --budget, doctor
stops. --pattern dense1e3 takes only 30,000 keys.

Exit codes: 0 weak on no pattern (undecided included); 1 weak on some pattern, or with
--strict undecided; 2 the hash could not be examined.`,
		Example: `  fphash doctor --hash 'python3 hash.py'
  fphash doctor --bits 128 -- ./myhash --seed 7
  fphash doctor --hash ./myhash --data vectors.svm.gz
  fphash doctor --family fnv1a64 --weights unit,signed`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.command, "hash", "", "`COMMAND` that computes the hash")
	suggestion(flags, &f.family.Hash, "family", "", "examine this hash of fphash instead", hashNames())
	f.family.register(flags, "encoding", "widen")
	flags.StringVar(&f.name, "name", "own", "name of the hash in results")
	f.family.register(flags, "bits")
	flags.Lookup("bits").Usage = fmt.Sprintf("width of the codes, 1 to %d", fphash.MaxBits)
	suggestions(flags, &f.patterns, "pattern", nil, "%s", quality.Patterns())
	suggestions(flags, &f.weights, "weights", []string{string(quality.Unit)}, "kinds of weights: %s", quality.AllWeights())
	flags.StringVar(&f.data, "data", "", "examine it on these vectors: a file, or a data set")
	namesInput(flags, "data")
	f.vectorReading.add(flags)
	flags.IntVar(&f.keyings, "keyings", quality.DefaultKeyings, "draws of each pattern; fewer than 100 give no verdict")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the indices and vectors")
	flags.DurationVar(&f.timeout, "timeout", doctor.DefaultTimeout, "timeout of one run of the program")
	flags.DurationVar(&f.budget, "budget", 10*time.Minute, "stop if it would take longer; 0 is no limit")
	suggestion(flags, &f.format, "format", "text", "format of the output: %s", doctor.Formats())
	flags.StringVarP(&f.out, "out", "o", "", "result `file` for fphash compare and report")
	flags.BoolVar(&f.strict, "strict", false, "treat undecided as weak")
	flags.IntVar(&f.workers, "workers", 0, "goroutines (default the number of cores)")
	hideFlags(flags, doctorFlagsRare)
	return command
}

// indented indents a text by four spaces.
func indented(text string) string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\t", "    "), "\n"), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func (f *doctorFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	if err := f.check(args); err != nil {
		return err
	}
	p := newProgress(stderr)
	options, err := f.options(ctx, p, stderr)
	if err != nil {
		return err
	}
	var e *doctor.Examination
	what := f.family.Hash
	if f.family.Hash != "" {
		e, err = f.examineFamily(ctx, options)
	} else {
		command := &doctor.Command{Args: args, Bits: f.family.Bits, Timeout: f.timeout}
		if f.command != "" {
			command.Args = doctor.Shell(f.command)
		}
		what = command.String()
		e, err = command.Examine(ctx, f.name, options)
	}
	p.clear()
	if err != nil {
		return err
	}
	if err := e.Write(cmd.OutOrStdout(), what, f.format); err != nil {
		return err
	}
	if f.out != "" {
		if err := writeDoctorResults(f.out, commandLine(cmd), e); err != nil {
			return err
		}
	}
	if e.Judgement == quality.Weak || f.strict && e.Judgement == quality.Undecided {
		return answerNo{fmt.Sprintf("the hash is %s", e.Judgement)}
	}
	return nil
}

func (f *doctorFlags) check(args []string) error {
	given := 0
	for _, is := range []bool{f.command != "", f.family.Hash != "", len(args) > 0} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return errors.New("expected one of --hash COMMAND, -- PROGRAM [ARG...] and --family NAME")
	case f.family.Hash == "" && (f.family.Encoding != fphash.LE64 || f.family.Widen != fphash.WidenNone):
		return errors.New("--encoding and --widen are for --family: a command gets indices as 8 little-endian bytes")
	case f.name == "" || strings.ContainsFunc(f.name, notInNames):
		return fmt.Errorf("--name %q: expected letters, digits, '-', '_' and '.'", f.name)
	case f.timeout <= 0 || f.budget < 0:
		return fmt.Errorf("--timeout %v --budget %v: expected a positive timeout, and a budget of 0 or more", f.timeout, f.budget)
	}
	if err := expectOneOf("format", f.format, doctor.Formats()); err != nil {
		return err
	}
	if slices.ContainsFunc(fphash.Families(), func(known fphash.Family) bool { return known.Name == f.command }) {
		return fmt.Errorf("--hash takes a command; to examine the %s of fphash say --family %s", f.command, f.command)
	}
	return nil
}

// options returns the options of the examination.
func (f *doctorFlags) options(ctx context.Context, p *progress, stderr io.Writer) (doctor.Options, error) {
	o := doctor.Options{Keyings: f.keyings, Seed: f.seed, Workers: f.workers, Budget: f.budget, Progress: doctorProgress(p, stderr)}
	for _, name := range f.patterns {
		pattern, err := quality.ParsePattern(name)
		if err != nil {
			return o, err
		}
		o.Patterns = append(o.Patterns, pattern)
	}
	for _, name := range f.weights {
		kind, err := quality.ParseWeights(name)
		if err != nil {
			return o, err
		}
		o.Weights = append(o.Weights, kind)
	}
	if f.keyings < 1 {
		return o, fmt.Errorf("--keyings %d: expected 1 or more, 100 for a verdict", f.keyings)
	}
	if f.data == "" {
		return o, nil
	}
	set, description, err := datasets.Load[float64](ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine()})
	if err != nil {
		return o, err
	}
	fmt.Fprintln(stderr, "fphash:", description)
	data, err := bench.NewData(bench.DataName(f.data), description, set)
	if err != nil {
		return o, err
	}
	weighted, err := data.Float32() // as choose and bench take them
	if err != nil {
		return o, err
	}
	w, err := quality.FromVectors(ctx, &weighted, quality.WorkloadOptions{Seed: f.seed, Keyings: f.keyings})
	if err != nil {
		return o, err
	}
	o.Data = append(o.Data, w)
	return o, nil
}

func (f *doctorFlags) examineFamily(ctx context.Context, o doctor.Options) (*doctor.Examination, error) {
	family, err := fphash.Lookup(f.family.Hash)
	if err != nil {
		return nil, err
	}
	hash, err := quality.OfFamily(family, f.family.Encoding, f.family.Bits, f.family.Widen)
	if err != nil {
		return nil, err
	}
	return doctor.Examine(ctx, hash, o)
}
