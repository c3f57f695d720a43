package main

import (
	"cmp"
	"fmt"
	"io"

	"simhashkit/datasets"
	textlines "simhashkit/internal/lines"

	"github.com/spf13/cobra"
)

// sketchFlags are the flags of fphash sketch.
type sketchFlags struct {
	input       dedupInput
	format, out string
}

func newSketch() *cobra.Command {
	f := sketchFlags{input: dedupInput{definition: newDefinitionFlags()}}
	command := &cobra.Command{
		Use:   "sketch [FILE...]",
		Short: "Compute fingerprints of texts or sparse vectors",
		Long: `sketch writes one fingerprint for each text or vector, in order. FILE is a folder of
texts, a file of texts (JSON lines, CSV, Parquet, lines, tar), or a file of vectors
(svmlight, Vowpal Wabbit, .mtx, .npz). The default is standard input. Memory does not
depend on the number of records or dimensions.

By default, a fingerprint is a 64-bit simhash: of the weights of a vector, or of the
words of a text, each of which counts as often as it occurs.

fphash help fingerprints explains hashes, widths, features and weights; fphash help
formats explains files.

Exit codes: 0 done; 1 --keep-going left records out; 2 a line is malformed, the sums of
a vector are not finite, or the command could not run.`,
		Example: `  fphash sketch vectors.svm.gz
  fphash sketch texts.jsonl --text text --id id --format jsonl
  fphash sketch vectors.svm.gz --bits 256 --widen mix --format binary --out prints.bin
  fphash sketch 'texts*.jsonl' --features words,n=2,fold --out texts.tsv.zst`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	f.input.register(flags)
	flags.Lookup("workers").Usage = "vectors worked on at the same time (default the number of cores)"
	choice(flags, &f.format, "format", "text", "format of the output: %s", formats)
	outFlag(flags, &f.out)
	kernelFlag(flags)
	hideFlags(flags, sketchFlagsRare)
	return command
}

func (f *sketchFlags) run(cmd *cobra.Command, args []string) error {
	d := &f.input
	d.ctx, d.stdin, d.stderr = cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr()
	args, err := fileOrData(args, d.data)
	if err != nil {
		return err
	}
	if args, err = d.openPipe(args); err != nil {
		return err
	}
	kind, err := d.detect(args)
	if err != nil {
		return err
	}
	if kind == fingerprintInput {
		return fmt.Errorf("%s: expected texts or vectors, and these are fingerprints already", inputName(cmp.Or(args...)))
	}
	job, err := d.newJob(kind)
	if err != nil {
		return err
	}
	run, err := d.computer(job)
	if err != nil {
		return err
	}
	if err := job.open(args, d.stdin); err != nil {
		return err
	}
	write := func(w io.Writer) (err error) {
		buffered := textlines.NewWriter(w) // who reads a pipe gets no half line, whatever happens
		if job.out, err = newFingerprintWriter(f.format, buffered, job.sketcher); err == nil {
			err = run(job)
		}
		if job.texts == nil && mayBeText(err) {
			err = fmt.Errorf("%w; %s", err, textsNeed)
		}
		if err == nil {
			err = job.out.End()
		}
		if closer, ok := job.out.(io.Closer); ok {
			closer.Close() // what it needed until here
		}
		// Output before an error is still flushed: a pipe gets it, and wholefile discards it.
		if flushErr := buffered.Flush(); err == nil {
			err = flushErr
		}
		return err
	}
	err = writeTo(f.out, cmd.OutOrStdout(), write)
	if closeErr := job.close(); err == nil { // else a damaged stream says the same again
		err = closeErr
	}
	if err != nil {
		return err
	}
	return job.verdict()
}

// sketchOf returns the function that computes fingerprints of vectors with weights of the named
// type.
func sketchOf(weights string) (func(*sketchJob) error, error) {
	of := map[string]func(*sketchJob, bool) error{
		datasets.Unit: sketchAll[float64], datasets.Int32: sketchAll[int32], datasets.Int64: sketchAll[int64], datasets.Float32: sketchAll[float32], datasets.Float64: sketchAll[float64],
	}[weights]
	if of == nil {
		return nil, expectOneOf("--weights", weights, datasets.WeightTypes())
	}
	return func(j *sketchJob) error { return of(j, weights == datasets.Unit) }, nil
}
