package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/bench/doctor"
	"simhashkit/internal/bench/terms"
	textlines "simhashkit/internal/lines"
	"simhashkit/internal/wholefile"
)

// doctorFlags are the flags of fphash doctor.
type doctorFlags struct {
	vectorReading
	command           string            // computes the hash
	family            fphash.Definition // a hash of fphash instead; Bits also applies to commands
	name              string
	patterns, weights []string
	sketch            string
	data              string
	keys              string // file of keys, one per line
	fingerprints      string // file of fingerprints instead of a hash
	keyings, workers  int
	seed              uint64
	timeout           time.Duration
	format, out       string
	strict            bool
	changed           func(flag string) bool
}

func newDoctor() *cobra.Command {
	f := doctorFlags{family: fphash.Definition{Bits: 64}}
	command := &cobra.Command{
		Use:   "doctor (--hash COMMAND | -- PROGRAM ... | --family NAME | --fingerprints FILE) [flags]",
		Short: "Examine whether your own hash, in any language, is good enough",
		RunE:  f.run,
	}
	flags := command.Flags()
	flags.StringVar(&f.command, "hash", "", "`COMMAND` that computes the hash")
	suggestion(flags, &f.family.Hash, "family", "", "examine this hash of fphash instead", hashNames())
	enumeration(flags, &f.family.Encoding, "encoding", encodingUsage, encodingNames)
	enumeration(flags, &f.family.Widen, "widen", wideningUsage, wideningNames)
	flags.StringVar(&f.name, "name", "own", "name of the hash in results")
	flags.Var(widthOf(&f.family.Bits), "bits", fmt.Sprintf("width of the codes, 1 to %d", fphash.MaxBits))
	choice(flags, &f.sketch, "sketch", terms.SimHash, sketchUsage, terms.Sketches())
	suggestions(flags, &f.patterns, "pattern", nil, "%s", quality.Patterns())
	suggestions(flags, &f.weights, "weights", []string{terms.Unit}, "weight types: %s", quality.Weights())
	flags.StringVar(&f.data, "data", "", "examine the hash on these vectors: a file, or a data set")
	flags.StringVar(&f.keys, "keys", "", "examine the hash on the lines of a `file`, such as words or URLs")
	flags.StringVar(&f.fingerprints, "fingerprints", "", "examine the fingerprints of a `file` (fphash help formats)")
	f.vectorReading.add(flags)
	f.keyings = terms.LeastKeyings
	flags.Var(number{&f.keyings, 1, math.MaxInt}, "keyings", "variants of each pattern; a verdict needs at least 100")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the indices and vectors")
	flags.DurationVar(&f.timeout, "timeout", doctor.DefaultTimeout, "timeout of one run of the program")
	formatFlag(flags, &f.format)
	flags.StringVarP(&f.out, "out", "o", "", "result `file` for fphash compare and report")
	flags.BoolVar(&f.strict, "strict", false, "treat undecided as weak")
	flags.Var(workers(&f.workers), "workers", "goroutines (default the number of cores)")
	f.changed = flags.Changed
	hideFlags(flags, doctorFlagsRare)
	return command
}

func (f *doctorFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	if err := f.check(args); err != nil {
		return err
	}
	if f.fingerprints != "" {
		return f.examineFingerprints(cmd)
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
		file := bench.File(bench.Head(time.Now(), commandLine(ctx), nil), bench.ResultRows(e.Results))
		if err := wholefile.Write(f.out, func(w io.Writer) error { return resultfile.Write(w, file) }); err != nil {
			return err
		}
	}
	return f.answer("the hash is", e.Judgement)
}

func (f *doctorFlags) check(args []string) error {
	given := slices.DeleteFunc([]string{f.command, f.family.Hash, f.fingerprints, strings.Join(args, " ")}, func(s string) bool { return s == "" })
	switch {
	case len(given) != 1:
		return errors.New("expected one of --hash COMMAND, -- PROGRAM [ARG...], --family NAME and --fingerprints FILE")
	case f.family.Hash == "" && (f.family.Encoding != fphash.LE64 || f.family.Widen != fphash.WidenNone):
		return errors.New("--encoding and --widen require --family: a command gets indices as 8 little-endian bytes")
	case !benchmarkName.MatchString(f.name):
		return fmt.Errorf("--name %q: expected letters, digits, '-', '_' and '.'", f.name)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout %v: expected a positive duration", f.timeout)
	}
	if slices.ContainsFunc(fphash.Families(), func(known fphash.Family) bool { return known.Name == f.command }) {
		return fmt.Errorf("--hash takes a command; to examine the %s of fphash, use --family %s", f.command, f.command)
	}
	return nil
}

// benchmarkName matches what is allowed in the name of a benchmark.
var benchmarkName = regexp.MustCompile(`^[-_.A-Za-z0-9]+$`)

// options returns the options of the examination.
func (f *doctorFlags) options(ctx context.Context, p *progress, stderr io.Writer) (doctor.Options, error) {
	o := doctor.Options{Patterns: f.patterns, Weights: f.weights, Sketch: f.sketch, Keyings: f.keyings, Seed: f.seed, Workers: f.workers, Progress: func(d doctor.Progress) {
		p.report(status{step: d.Step, part: float64(d.Done) / float64(max(d.All, 1)), left: d.Forecast})
	}}
	var err error
	if f.keys != "" {
		if f.data != "" || len(f.patterns) > 0 {
			return o, errors.New("--keys cannot be combined with --data or --pattern")
		}
		if f.family.Encoding != fphash.LE64 {
			return o, errors.New("--encoding is for indices, and --keys are strings")
		}
		o.Keys, err = readKeys(ctx, f.keys)
		return o, err
	}
	if f.data == "" {
		return o, nil
	}
	data, err := bench.LoadData(ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine()})
	if err != nil {
		return o, err
	}
	fmt.Fprintln(stderr, "fphash:", data.Description)
	weighted, err := data.Float32() // like choose and bench
	if err != nil {
		return o, err
	}
	w, err := quality.FromVectors(ctx, &weighted, quality.WorkloadOptions{Sketch: f.sketch, Seed: f.seed, Keyings: f.keyings})
	if err != nil {
		return o, err
	}
	o.Data = append(o.Data, w)
	return o, nil
}

// mostKeys limits the number of keys that are read from a file. The examination samples at most
// 16,384 of them at a time.
const mostKeys = 1 << 20

// readKeys returns the first mostKeys distinct nonempty lines of a file.
func readKeys(ctx context.Context, path string) ([]string, error) {
	_, stream, err := openStream(ctx, []string{path}, nil)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	known := map[string]bool{}
	var keys []string
	for line, err := range textlines.All(ctx, stream, path, 1<<20, false) {
		if err != nil {
			return nil, err
		}
		if key := strings.TrimSuffix(string(line.Text), "\r"); key != "" && !known[key] && len(keys) < mostKeys {
			keys, known[key] = append(keys, key), true
		}
	}
	if len(keys) < terms.LeastListedKeys {
		return nil, fmt.Errorf("--keys %s: %d different lines: expected at least %d", path, len(keys), terms.LeastListedKeys)
	}
	return keys, nil
}

func (f *doctorFlags) examineFamily(ctx context.Context, o doctor.Options) (*doctor.Examination, error) {
	family, err := fphash.Lookup(f.family.Hash)
	if err != nil {
		return nil, err
	}
	if !f.changed("bits") {
		f.family.Bits = min(f.family.Bits, family.Bits)
	}
	hash, err := quality.OfFamily(family, f.family.Encoding, f.family.Bits, f.family.Widen)
	if len(o.Keys) > 0 {
		if family.Integer {
			return nil, fmt.Errorf("--family %s hashes integers only, and --keys are strings", family.Name)
		}
		hash, err = quality.OfListedKeys(family, f.family.Bits, f.family.Widen, o.Keys)
	}
	if err != nil {
		return nil, err
	}
	return doctor.Examine(ctx, hash, o)
}

// answer returns an answerNo if the verdict is weak, or undecided with --strict.
func (f *doctorFlags) answer(what string, verdict terms.Judgement) error {
	if verdict == terms.Weak || f.strict && verdict == terms.Undecided {
		return answerNo{fmt.Sprintf("%s %s", what, verdict)}
	}
	return nil
}

// examineFingerprints examines the fingerprints of a file.
func (f *doctorFlags) examineFingerprints(cmd *cobra.Command) error {
	err := refuse(f.changed, "cannot be combined with --fingerprints", "keys", "data", "pattern", "weights", "sketch", "keyings", "name", "out", "bits")
	if err != nil {
		return err
	}
	var collector *doctor.Collector
	err = eachBatch(cmd, []string{f.fingerprints}, 0, func(records *dedup.Records) error {
		if collector == nil {
			collector = doctor.NewCollector(records.Set.Bits)
		}
		collector.Add(records.Set.Words)
		return context.Cause(cmd.Context())
	})
	if err != nil {
		return err
	}
	if collector == nil {
		return fmt.Errorf("no fingerprints in %s", f.fingerprints)
	}
	e, err := collector.Examine(f.fingerprints)
	if err != nil {
		return err
	}
	if err := e.Write(cmd.OutOrStdout(), f.format); err != nil {
		return err
	}
	return f.answer("the fingerprints are", e.Judgement)
}
