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
		Long: `doctor asks a program of yours for hashes over a pipe and says how many ideal bits
its bits are worth for simhash, on seven patterns of indices, with 95% intervals;
which bits are constant, copies or complements of others; and a verdict in words.
METHODOLOGY.md explains the figures.

Protocol: the program reads keys from standard input until its end, 8 bytes each,
little-endian, and writes the code of each to standard output, in the same order:
ceil(bits/64) words of 8 bytes, little-endian, the low word first, bits above the
width zero. Then it exits with status 0. For no keys it writes nothing. Messages
belong on standard error. Keys come in batches, one run of the program for each,
so it may read everything before it writes. The same key must always have the
same code; that is checked. --hash COMMAND is run by sh -c (on Windows cmd /C), so
quoting, pipes and variables work as in a shell; what follows -- is run as it is.

In Python:

` + indented(doctor.PythonExample) + `
In Go:

` + indented(doctor.GoExample) + `
For a hash that is a Go function see package bench/doctor; --family examines one
of fphash's own, to compare with.

All patterns take about 8 million keys. How long that will take is said on
standard error; it is not begun if it is longer than --budget. Where only few keys
are affordable, --pattern dense1e3 takes 30,000.

Exit codes: 0 weak on no pattern, which includes undecided (with --strict that is
1); 1 weak on some pattern; 2 it could not be examined.`,
		Example: `  fphash doctor --hash 'python3 hash.py'
  fphash doctor --bits 128 -- ./myhash --seed 7
  fphash doctor --hash ./myhash --pattern consecutive,dense1e3 --weights unit,signed
  fphash doctor --hash ./myhash --data vectors.svm.gz
  fphash doctor --family fnv1a64 --encoding dec`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.command, "hash", "", "`COMMAND` that computes the hash, for the shell")
	suggestion(flags, &f.family.Hash, "family", "", "examine this hash of fphash instead (see fphash kernels)", hashNames())
	f.family.register(flags, "encoding", "widen")
	for _, name := range []string{"encoding", "widen"} {
		flags.Lookup(name).Usage = "with --family: " + flags.Lookup(name).Usage
	}
	flags.StringVar(&f.name, "name", "own", "what to call the hash of a command in results: letters, digits, '-', '_' and '.'")
	f.family.register(flags, "bits")
	flags.Lookup("bits").Usage = fmt.Sprintf("width of the codes, 1 to %d", fphash.MaxBits)
	suggestions(flags, &f.patterns, "pattern", nil, "patterns of indices: %s (default all)", quality.Patterns())
	suggestions(flags, &f.weights, "weights", []string{string(quality.Unit)}, "kinds of weights: %s", quality.AllWeights())
	flags.StringVar(&f.data, "data", "", "examine it on these vectors instead, or besides --pattern: "+datasets.NameForms)
	namesInput(flags, "data")
	f.vectorReading.add(flags)
	flags.IntVar(&f.keyings, "keyings", quality.DefaultKeyings, "draws of each pattern: other seeds, other indices of its kind; more make intervals narrower, fewer than 100 give no verdict")
	flags.Uint64Var(&f.seed, "seed", 0, "another seed, other indices and vectors")
	flags.DurationVar(&f.timeout, "timeout", doctor.DefaultTimeout, "of one run of the command, of which each pattern takes one or more")
	flags.DurationVar(&f.budget, "budget", 10*time.Minute, "do not begin what would take longer; 0 is no limit")
	suggestion(flags, &f.format, "format", "text", "format of the output: %s", doctor.Formats())
	flags.StringVarP(&f.out, "out", "o", "", "file for the figures in Go benchmark format, for fphash compare and report")
	flags.BoolVar(&f.strict, "strict", false, "undecided counts as weak")
	flags.IntVar(&f.workers, "workers", 0, "goroutines that measure (default the number of cores)")
	return command
}

// indented sets a text off from what is around it.
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

// options turns the flags into those of the examination.
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
