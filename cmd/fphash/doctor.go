package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
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
	"simhashkit/internal/wholefile"
)

// doctorFlags are the flags of fphash doctor.
type doctorFlags struct {
	vectorReading
	command           string          // computes the hash
	family            definitionFlags // a hash of fphash instead; Bits also applies to commands
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
}

func newDoctor() *cobra.Command {
	f := doctorFlags{family: newDefinitionFlags()}
	command := &cobra.Command{
		Use:   "doctor (--hash COMMAND | -- PROGRAM ... | --family NAME | --fingerprints FILE) [flags]",
		Short: "Examine whether your own hash, in any language, is good enough",
		Long: `doctor sends keys to your hash function through a pipe, and examines the codes that the
function returns. It reports how many ideal bits these codes are worth for simhash, with
95% intervals. It also reports bits that are constant, or are copies or complements of
other bits, and codes that many keys share. Then it gives a verdict. --sketch judges the
hash for MinHash or for feature hashing instead.

Your program reads keys of 8 bytes (indices of seven patterns), or with --keys lines of
text. It writes the code of each key to standard output (see fphash help protocol). COMMAND
runs in sh -c, or on Windows in cmd /C. All patterns together need about 8 million keys;
--pattern dense1e3 needs only 2,000.

--fingerprints examines stored fingerprints, without their hash.

Exit codes: 0 good or undecided; 1 weak, or with --strict undecided; 2 the hash could not
be examined.`,
		Example: `  fphash doctor --hash 'python3 hash.py'
  fphash doctor --bits 128 --keys words.txt -- ./myhash --seed 7
  fphash doctor --family fnv1a64 --data vectors.svm.gz
  fphash doctor --fingerprints stored.csv`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.StringVar(&f.command, "hash", "", "`COMMAND` that computes the hash")
	suggestion(flags, &f.family.Hash, "family", "", "examine this hash of fphash instead", hashNames())
	f.family.register(flags, "encoding", "widen")
	flags.StringVar(&f.name, "name", "own", "name of the hash in results")
	f.family.register(flags, "bits")
	flags.Lookup("bits").Usage = fmt.Sprintf("width of the codes, 1 to %d", fphash.MaxBits)
	choice(flags, &f.sketch, "sketch", terms.SimHash, sketchUsage, terms.Sketches())
	suggestions(flags, &f.patterns, "pattern", nil, "%s", quality.Patterns())
	suggestions(flags, &f.weights, "weights", []string{string(quality.Unit)}, "weight types: %s", quality.AllWeights())
	flags.StringVar(&f.data, "data", "", "examine the hash on these vectors: a file, or a data set")
	namesInput(flags, "data")
	flags.StringVar(&f.keys, "keys", "", "examine the hash on the lines of a `file`, such as words or URLs")
	flags.StringVar(&f.fingerprints, "fingerprints", "", "examine the fingerprints of a `file` (fphash help formats)")
	namesInput(flags, "keys", "fingerprints")
	f.vectorReading.add(flags)
	flags.IntVar(&f.keyings, "keyings", quality.DefaultKeyings, "variants of each pattern; a verdict needs at least 100")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the indices and vectors")
	flags.DurationVar(&f.timeout, "timeout", doctor.DefaultTimeout, "timeout of one run of the program")
	formatFlag(flags, &f.format)
	flags.StringVarP(&f.out, "out", "o", "", "result `file` for fphash compare and report")
	flags.BoolVar(&f.strict, "strict", false, "treat undecided as weak")
	flags.IntVar(&f.workers, "workers", 0, "number of goroutines (default: the number of cores)")
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
		if err := writeDoctorResults(f.out, commandLine(cmd), e); err != nil {
			return err
		}
	}
	return f.answer("the hash is", e.Judgement)
}

func (f *doctorFlags) check(args []string) error {
	given := 0
	for _, is := range []bool{f.command != "", f.family.Hash != "", f.fingerprints != "", len(args) > 0} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return errors.New("expected one of --hash COMMAND, -- PROGRAM [ARG...], --family NAME and --fingerprints FILE")
	case f.family.Hash == "" && (f.family.Encoding != fphash.LE64 || f.family.Widen != fphash.WidenNone):
		return errors.New("--encoding and --widen require --family: a command gets indices as 8 little-endian bytes")
	case f.name == "" || strings.ContainsFunc(f.name, notInNames):
		return fmt.Errorf("--name %q: expected letters, digits, '-', '_' and '.'", f.name)
	case f.timeout <= 0:
		return fmt.Errorf("--timeout %v: expected a positive duration", f.timeout)
	}
	if slices.ContainsFunc(fphash.Families(), func(known fphash.Family) bool { return known.Name == f.command }) {
		return fmt.Errorf("--hash takes a command; to examine the %s of fphash, use --family %s", f.command, f.command)
	}
	return nil
}

// notInNames reports whether a character is not allowed in the name of a benchmark or its keys.
func notInNames(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
}

// options returns the options of the examination.
func (f *doctorFlags) options(ctx context.Context, p *progress, stderr io.Writer) (doctor.Options, error) {
	o := doctor.Options{Sketch: f.sketch, Keyings: f.keyings, Seed: f.seed, Workers: f.workers, Progress: doctorProgress(p, stderr)}
	var err error
	if o.Patterns, err = parsed(f.patterns, quality.ParsePattern); err != nil {
		return o, err
	}
	if o.Weights, err = parsed(f.weights, quality.ParseWeights); err != nil {
		return o, err
	}
	if f.keyings < 1 {
		return o, fmt.Errorf("--keyings %d: expected 1 or more, 100 for a verdict", f.keyings)
	}
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
	set, description, err := datasets.Load[float64](ctx, f.data, datasets.ReadOptions{Base: f.base, MaxLine: f.maxLine()})
	if err != nil {
		return o, err
	}
	fmt.Fprintln(stderr, "fphash:", description)
	data, err := bench.NewData(bench.DataName(f.data), description, set)
	if err != nil {
		return o, err
	}
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
	scanner := bufio.NewScanner(stream)
	for len(keys) < mostKeys && scanner.Scan() {
		if line := scanner.Text(); line != "" && !known[line] {
			keys = append(keys, line)
			known[line] = true
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("--keys %s, after %d different lines: %w", path, len(keys), err)
	}
	if len(keys) < quality.LeastListedKeys {
		return nil, fmt.Errorf("--keys %s: %d different lines: expected at least %d", path, len(keys), quality.LeastListedKeys)
	}
	return keys, nil
}

// doctorProgress returns a function that prints the estimated time once, if it is long, and then
// the progress.
func doctorProgress(p *progress, stderr io.Writer) func(doctor.Progress) {
	printed := false
	return func(d doctor.Progress) {
		if d.Done > 0 && d.Forecast > 10*time.Second && !printed {
			printed = true
			p.clear()
			fmt.Fprintf(stderr, "fphash: %d keys to hash, about %v at the speed of the first %d\n", d.All, d.Forecast.Round(time.Second), d.Done)
		}
		p.report(status{step: d.Step, part: float64(d.Done) / float64(max(d.All, 1)), left: d.Forecast})
	}
}

func (f *doctorFlags) examineFamily(ctx context.Context, o doctor.Options) (*doctor.Examination, error) {
	family, err := fphash.Lookup(f.family.Hash)
	if err != nil {
		return nil, err
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

// writeDoctorResults writes an examination to a result file, in the format of fphash bench.
func writeDoctorResults(path, command string, e *doctor.Examination) error {
	file := bench.File(bench.Head(time.Now(), command, nil), bench.ResultRows(e.Results))
	return wholefile.Write(path, func(w io.Writer) error { return resultfile.Write(w, file) })
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
	for _, name := range []string{"keys", "data", "pattern", "weights", "sketch", "keyings", "name", "out", "bits"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--fingerprints cannot be combined with --%s", name)
		}
	}
	var collector *doctor.Collector
	err := eachBatch(cmd.Context(), []string{f.fingerprints}, cmd.InOrStdin(), 0, func(records *dedup.Records) error {
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
