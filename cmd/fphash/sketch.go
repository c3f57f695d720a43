package main

import (
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
		Short: "Compute the fingerprints of sparse vectors, or of texts",
		Long: `sketch reads sparse vectors from FILE or standard input, plain or compressed with
gzip, zstd or bzip2, and writes one fingerprint for each, in order. Memory does
not depend on the number of vectors or dimensions.

` + vectorFormats + `

The id of a vector is the text after # on its line of svmlight, or the tag of
Vowpal Wabbit; else its number from 1.

With --convention, fingerprints are those of another system: see fphash conventions.
Its hash, width and rules are given; indices are hashed as --encoding says or, where
the system takes hashes, are the hashes. It makes the features of documents by itself
where it can, unless --features says otherwise.

With --sketch minhash, a vector is the set of its dimensions, whatever their values,
and a text that of its features: the nearer two fingerprints, the greater the part
that the sets have in common (Jaccard similarity). Any width takes 64 bits of the hash.

With --text, --id, --features or --documents, FILE has texts: JSON lines, CSV or TSV
with a field that holds the text, one document a line, a folder or a tar archive of
files. Their features are words unless --features says otherwise, and each occurrence
counts once. The format is found out; --documents names it where that is wrong. Several
files, folders and globs are read by name, as if they were one.

A text of 100 MB was measured to take 2.3 times its size in memory for its words, up to
5 times with fold, characters or bytes, and 7 with nfkc or in CSV. Of texts of 16 MB or
more there is one at a time. Conventions and dictionaries take some 20 times the size,
and n-grams of words with weights 50.

Formats:
  text     HEX<TAB>ID; tabs and line breaks in an ID become spaces
  jsonl    {"id":...,"fingerprint":"HEX","bits":64,"hash":"xxh64",...}
  csv      columns id, fingerprint in hexadecimal, informative, definition
  parquet  columns id, fingerprint in hexadecimal, up to 64 bits fingerprint_u64
           (uint64), informative; the definition is in the file's metadata, under
           fphash.definition
  binary   a header with the definition, little-endian words, count and checksum

A vector without information (empty, or all sums zero) has a fingerprint like
any other, 0 by default; how many there were is said on standard error.

A malformed line, or a vector whose sums are not finite, ends the work with exit
code 2. With --keep-going each is reported and left out, and the exit code is 1.
A file named by --out is written whole or not at all.`,
		Example: `  fphash sketch vectors.svm.gz
  zcat vectors.svm.gz | fphash sketch --format jsonl --bits 128 --hash md5
  fphash sketch --hash xxh64 --widen mix --bits 256 vectors.svm.gz
  fphash sketch --data files:texts.tar.gz --weights unit --out texts.tsv.zst
  fphash sketch texts.jsonl --text text --id id
  fphash sketch vectors.svm.gz --format binary --out prints.bin
  fphash sketch 'texts*.jsonl' --features words,n=2,fold --format jsonl
  fphash sketch texts.jsonl --convention mfonda --text text --id id --format jsonl`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	f.input.register(flags)
	flags.Lookup("workers").Usage = "vectors worked on at the same time (default the number of cores)"
	choice(flags, &f.format, "format", "text", "format of the output: %s", formats)
	outFlag(flags, &f.out)
	kernelFlag(flags)
	return command
}

func (f *sketchFlags) run(cmd *cobra.Command, args []string) error {
	d := &f.input
	d.ctx, d.stdin, d.stderr = cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr()
	kind := vectorInput
	if d.texts.given() {
		kind = textInput
	}
	job, err := d.newJob(kind)
	if err != nil {
		return err
	}
	run, err := d.computer(job)
	if err != nil {
		return err
	}
	if args, err = fileOrData(args, d.data); err != nil {
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
		// What was computed before an error goes out all the same: wholefile throws it away, a pipe
		// has it.
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

// sketchOf returns what computes the fingerprints of vectors with that type of weight.
func sketchOf(weights string) (func(*sketchJob) error, error) {
	of := map[string]func(*sketchJob, bool) error{
		datasets.Unit: sketchAll[float64], datasets.Int32: sketchAll[int32], datasets.Int64: sketchAll[int64], datasets.Float32: sketchAll[float32], datasets.Float64: sketchAll[float64],
	}[weights]
	if of == nil {
		return nil, expectOneOf("--weights", weights, datasets.WeightTypes())
	}
	return func(j *sketchJob) error { return of(j, weights == datasets.Unit) }, nil
}
