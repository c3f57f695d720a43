package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"simhashkit/bench"
	"simhashkit/fphash"
	"simhashkit/internal/wholefile"
)

// sketchFlags are the flags of fphash sketch.
type sketchFlags struct {
	hash, encoding, widen      string
	tie, order, key            string
	bits, workers              int
	seed, base                 uint64
	weights, format, data, out string
	kernel                     string
	keepGoing                  bool
}

func newSketch() *cobra.Command {
	var f sketchFlags
	command := &cobra.Command{
		Use:   "sketch [FILE]",
		Short: "Compute the fingerprints of sparse vectors",
		Long: `sketch reads sparse vectors in svmlight format (label index:value ... # id) from
FILE or standard input, plain or compressed with gzip, zstd or bzip2, and writes
one fingerprint for each, in order. Memory does not depend on the number of
vectors or dimensions.

The id of a vector is the text after # on its line, else its number from 1.

Formats:
  text     HEX<TAB>ID
  jsonl    {"id":...,"fingerprint":"HEX","bits":64,"hash":"xxh64",...}
  binary   a header with the definition, little-endian words, count and checksum

A vector without information (empty, or all sums zero) has a fingerprint like
any other, 0 by default; how many there were is said on standard error.

A malformed line, or a vector whose sums are not finite, ends the work with exit
code 2. With --keep-going each is reported and left out, and the exit code is 1.
A file named by --out is written whole or not at all.`,
		Example: `  fphash sketch vectors.svm.gz
  zcat vectors.svm.gz | fphash sketch --format jsonl --bits 128 --hash md5
  fphash sketch --hash xxh64 --widen mix --bits 256 vectors.svm.gz
  fphash sketch --data files:texts.tar.gz --weights unit --out texts.tsv.zst`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.hash, "hash", "xxh64", "hash function (see fphash kernels)")
	flags.StringVar(&f.encoding, "encoding", "le64", "the bytes as which an index is hashed: le64, be64, dec")
	flags.IntVar(&f.bits, "bits", 64, "width of the fingerprints, 1 to 4096, at most that of the hash unless it is widened")
	flags.StringVar(&f.widen, "widen", "none", "how a hash becomes wider than it is: none, reseed, counter, mix")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the hash")
	flags.StringVar(&f.key, "key", "", "key of the hash in hexadecimal (highway64, highway128, highway256: 32 bytes; siphash: 16)")
	flags.StringVar(&f.tie, "tie", "zero", "bit of a lane whose sum is zero: zero, one, alternate")
	flags.StringVar(&f.order, "order", "grouped", "order in which floating-point weights are summed: grouped, sequential")
	flags.StringVar(&f.weights, "weights", "f32", "type of weight: "+joined(bench.Weights()))
	flags.StringVar(&f.format, "format", "text", "format of the output: "+joined(formats))
	flags.StringVar(&f.data, "data", "", "data set in place of FILE: files:DIR, files:ARCHIVE.tar.gz, go-source, or an svmlight file")
	flags.Uint64Var(&f.base, "base", 0, "subtract this from the indices as written")
	flags.StringVarP(&f.out, "out", "o", "", "file for the output, packed if it ends in .gz or .zst (default standard output)")
	flags.BoolVar(&f.keepGoing, "keep-going", false, "report and leave out what is malformed instead of stopping")
	flags.IntVar(&f.workers, "workers", 0, "vectors worked on at the same time (default the number of cores)")
	kernelFlag(command, &f.kernel)
	return command
}

func (f *sketchFlags) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if err := expectOneOf("--format", f.format, formats); err != nil {
		return err
	}
	if f.kernel != "" {
		restore, err := capKernel(f.kernel)
		if err != nil {
			return err
		}
		defer restore()
	}
	sketcher, err := f.sketcher()
	if err != nil {
		return err
	}
	var run func(*sketchJob) error
	switch f.weights {
	case "unit":
		run = sketchUnit
	case "i32":
		run = sketchAll[int32]
	case "i64":
		run = sketchAll[int64]
	case "f32":
		run = sketchAll[float32]
	case "f64":
		run = sketchAll[float64]
	default:
		return fmt.Errorf("unknown --weights %q; want %s", f.weights, joined(bench.Weights()))
	}
	job := &sketchJob{ctx: ctx, sketcher: sketcher, keepGoing: f.keepGoing, base: f.base, data: f.data, stderr: stderr}
	if err := job.open(args, stdin); err != nil {
		return err
	}
	write := func(w io.Writer) (err error) {
		buffered := bufio.NewWriterSize(w, 64<<10)
		if job.out, err = newRecordWriter(f.format, buffered, sketcher, f.key != ""); err == nil {
			err = run(job)
		}
		if err == nil {
			err = job.out.end()
		}
		// What was computed before an error goes out all the same: wholefile throws it away, a pipe
		// has it.
		return errors.Join(err, buffered.Flush())
	}
	if f.out == "" {
		err = write(stdout)
	} else {
		err = wholefile.Write(f.out, write)
	}
	if err = errors.Join(err, job.close()); err != nil {
		return err
	}
	return job.verdict()
}

// sketcher builds the definition that the flags describe.
func (f *sketchFlags) sketcher() (*fphash.Sketcher, error) {
	encoding, err := fphash.ParseEncoding(f.encoding)
	if err != nil {
		return nil, err
	}
	widen, err := fphash.ParseWiden(f.widen)
	if err != nil {
		return nil, err
	}
	tie, err := fphash.ParseTie(f.tie)
	if err != nil {
		return nil, err
	}
	order, err := fphash.ParseOrder(f.order)
	if err != nil {
		return nil, err
	}
	options := []fphash.Option{
		fphash.WithHash(f.hash), fphash.WithEncoding(encoding), fphash.WithBits(f.bits), fphash.WithWiden(widen), fphash.WithSeed(f.seed),
		fphash.WithTie(tie), fphash.WithOrder(order), fphash.WithWorkers(f.workers),
	}
	if f.key != "" {
		key, err := hex.DecodeString(f.key)
		if err != nil {
			return nil, fmt.Errorf("--key: %w", err)
		}
		options = append(options, fphash.WithKey(slices.Clip(key)))
	}
	return fphash.New(options...)
}
