package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/cmd/fpbeam/pipeline"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/fphash/index/blocks"
)

// runnerNames are the runners to choose from, the usual one first. Beam ends the program at others.
var runnerNames = []string{"prism", "flink", "dataflow", "spark", "universal"}

// flags are those of the command, with the names and meanings of fphash dedup.
type flags struct {
	in         []string
	out        string
	texts      pipeline.Texts
	definition definition
	parts      bool
	k, block   int
	tables     string
	recall     float64
	keyBits    int
	by, format string
	duplicates bool
	force      bool
	verbose    bool
	changed    func(flag string) bool
}

// definition is what fingerprints depend on beside features and weights.
type definition struct {
	hash, sketch, encoding, widen, tie, order, key string
	bits                                           int
	seed                                           uint64
}

func newRoot() *cobra.Command {
	f := &flags{}
	root := &cobra.Command{
		Use:   "fpbeam --in FILES --out FOLDER",
		Short: "Find near-duplicates among documents, on Apache Beam",
		Long: `fpbeam finds near-duplicates among the documents of many files, exactly, and writes a
file of attributes for each: id, fingerprint, cluster_id and is_canonical (the one to
keep of its group), the same as fphash dedup-corpus writes.

--runner says where it runs: prism, the default, in this process; universal, on any job
service, which was run with that of Beam for Python; flink, dataflow and spark, which were
not tried. Beam's own flags for them stand below those of fpbeam. Files may be addresses,
such as gs://bucket/texts-*.jsonl, that all workers read.

A file is read by one worker, so that a corpus wants many files. Documents have the
fingerprints that fphash sketch gives them with the same flags.

Exit codes: 0 it has answered; 1 it has, but --keep-going left something out; 2 could
not run.`,
		Example: `  fpbeam --in 'corpus/*.jsonl' --text text --id id --out attributes
  fpbeam --in 'corpus/*.jsonl' --out attributes --runner universal --endpoint localhost:8099 \
    --environment_type LOOPBACK`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("%s: expected --in for all files", args[0])
			}
			return nil
		},
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.changed = cmd.Flags().Changed
			return f.execute(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	set := root.Flags()
	set.SortFlags = false
	f.register(set)
	addBeamFlags(set)
	return root
}

func (f *flags) register(set *pflag.FlagSet) {
	set.StringArrayVar(&f.in, "in", nil, "files, globs and folders of documents; may come several times")
	set.StringVarP(&f.out, "out", "o", "", "folder for the attributes, that all workers can write to")
	set.StringVar(&f.texts.Format, "documents", "", "format of the documents, found out by default")
	set.StringVar(&f.texts.Text, "text", "", "field that holds the text of a document (default \"text\" where there are fields)")
	set.StringVar(&f.texts.ID, "id", "", "field that holds the id of a document (default its number)")
	set.BoolVar(&f.parts, "parts", false, "records with the same id are parts of one document, whose features add up")
	set.StringVar(&f.texts.Features, "features", "", "features of texts: words, characters, bytes; or such as words,n=2,lang=en,nfkc,fold,code,stop")
	set.StringVar(&f.texts.Scheme, "weights", "", "what they weigh, as for fphash dedup (default count)")
	set.StringVar(&f.texts.Table, "table", "", "document frequencies for --weights tfidf: a file that all workers read, or zh (built in)")
	set.StringVar(&f.texts.List, "word-weights", "", "weights for --weights hand: a file that all workers read")
	d := &f.definition
	set.StringVar(&d.hash, "hash", fphash.DefaultHash, "hash function (see fphash kernels)")
	set.StringVar(&d.sketch, "sketch", fphash.SimHash.String(), "what is computed: simhash (near by cosine), minhash (of sets, near by Jaccard similarity)")
	set.StringVar(&d.encoding, "encoding", fphash.LE64.String(), "the bytes as which an index is hashed: le64, be64, dec")
	set.IntVar(&d.bits, "bits", 64, "width of the fingerprints")
	set.StringVar(&d.widen, "widen", fphash.WidenNone.String(), "how a hash becomes wider than it is: none, reseed, counter, mix")
	set.Uint64Var(&d.seed, "seed", 0, "seed of the hash")
	set.StringVar(&d.key, "key", "", "key of the hash in hexadecimal")
	set.StringVar(&d.tie, "tie", fphash.TieZero.String(), "bit of a lane whose sum is zero: zero, one, alternate")
	set.StringVar(&d.order, "order", fphash.Grouped.String(), "order in which floating-point weights are summed: grouped, sequential")
	set.IntVarP(&f.k, "k", "k", 0, "bits in which near-duplicates differ, at most (default 3 of 64, 10 by minhash, in proportion)")
	set.StringVar(&f.tables, "tables", "", "cut into BLOCKS and make a key of each choice of CHOOSE of them, as 5,2 (default k+1,1)")
	set.Float64Var(&f.recall, "recall", 0, "draw the bits of keys, for wide fingerprints: find this `share` of the pairs that differ in k bits, such as 0.95")
	set.IntVar(&f.keyBits, "key-bits", 16, "with --recall: bits of a key")
	set.StringVar(&f.by, "by", dedup.Components, "what a group is: "+strings.Join(dedup.Ways(), ", "))
	set.StringVar(&f.format, "format", pipeline.Formats()[0], "format of the attributes: "+strings.Join(pipeline.Formats(), ", "))
	set.BoolVar(&f.duplicates, "only-duplicates", false, "leave documents without near-duplicates out of the attributes")
	set.BoolVar(&f.force, "force", false, "replace files that no run of fpbeam has written, too")
	set.BoolVar(&f.texts.KeepGoing, "keep-going", false, "report and leave out documents that cannot be read instead of stopping")
	set.IntVar(&f.texts.Workers, "workers", 0, "goroutines for each file (default the number of cores)")
	set.IntVar(&f.block, "block", 1<<18, "fingerprints of a block that a worker compares at a time; larger blocks are cut")
	set.BoolVar(&f.verbose, "verbose", false, "show all that the runner logs")
}

// addBeamFlags adds the flags of the runners. Those of the test binary are none, and --id is ours:
// Beam's is for workers.
func addBeamFlags(set *pflag.FlagSet) {
	flag.CommandLine.VisitAll(func(each *flag.Flag) {
		if !strings.HasPrefix(each.Name, "test.") && set.Lookup(each.Name) == nil {
			set.AddGoFlag(each)
		}
	})
}

// options turns flags into options; what is worth a word goes to stderr.
func (f *flags) options(ctx context.Context, stderr io.Writer) (o pipeline.Options, err error) {
	if err := f.refuse(); err != nil {
		return o, err
	}
	if f.texts.Definition, err = f.definition.text(); err != nil {
		return o, err
	}
	sketcher, err := f.texts.Sketcher(ctx)
	if err != nil {
		return o, err
	}
	bits := sketcher.Bits()
	if !f.changed("k") {
		var sketch fphash.Sketch
		if err := sketch.UnmarshalText([]byte(f.definition.sketch)); err != nil {
			return o, err
		}
		f.k = dedup.DefaultK(sketch, bits)
	}
	if f.k < 0 || f.k >= bits {
		return o, fmt.Errorf("--k %d: expected 0 to %d, less than the %d bits of the fingerprints", f.k, bits-1, bits)
	}
	search := pipeline.Search{Bits: bits, K: f.k, Recall: f.recall, KeyBits: f.keyBits, Block: f.block}
	if search.Design, err = blocks.ParseDesign(f.tables); err == nil {
		_, err = search.Tables()
	}
	if err != nil {
		given := "--tables " + f.tables
		if f.recall != 0 {
			given = fmt.Sprintf("--recall %v", f.recall)
		}
		return o, fmt.Errorf("%s: %w", given, err)
	}
	o = pipeline.Options{Texts: f.texts, Parts: f.parts, By: f.by, Search: search,
		Output: pipeline.Output{Folder: f.out, Format: f.format, Bits: bits, Duplicates: f.duplicates}}
	if f.parts {
		if err := o.Texts.AddUp(ctx); err != nil {
			return o, fmt.Errorf("--parts: %w", err)
		}
	}
	o.Inputs, err = f.inputs(ctx, stderr)
	return o, err
}

// refuse returns which flags cannot be.
func (f *flags) refuse() error {
	switch {
	case len(f.in) == 0:
		return fmt.Errorf("expected --in FILES, the documents")
	case f.out == "":
		return fmt.Errorf("expected --out FOLDER, where the attributes go")
	case !slices.Contains(dedup.Ways(), f.by):
		return fmt.Errorf("--by %q: expected %s", f.by, strings.Join(dedup.Ways(), ", "))
	case !slices.Contains(pipeline.Formats(), f.format):
		return fmt.Errorf("--format %q: expected %s", f.format, strings.Join(pipeline.Formats(), ", "))
	case *runners.Runner != "" && !slices.Contains(runnerNames, *runners.Runner):
		return fmt.Errorf("--runner %s: expected %s", *runners.Runner, strings.Join(runnerNames, ", "))
	case f.changed("recall") && f.changed("tables"):
		return errors.New("expected --recall or --tables: one draws the bits of keys, the other cuts blocks")
	case f.changed("recall") && f.recall == 0:
		return errors.New("--recall 0: expected more than 0 and less than 1")
	case f.changed("key-bits") && !f.changed("recall"):
		return errors.New("--key-bits goes with --recall")
	case f.block < 1:
		return fmt.Errorf("--block %d: expected 1 or more", f.block)
	case f.texts.Workers < 0:
		return fmt.Errorf("--workers %d: expected 0 or more", f.texts.Workers)
	case f.parts && f.texts.ID == "":
		return fmt.Errorf("--parts: expected --id with it, the field that parts of a document have in common")
	}
	return nil
}

// text returns the definition in one line, with the key.
func (d *definition) text() (string, error) {
	var (
		sketch   fphash.Sketch
		encoding fphash.Encoding
		widen    fphash.Widen
		tie      fphash.Tie
		order    fphash.Order
	)
	err := cmp.Or(sketch.UnmarshalText([]byte(d.sketch)), encoding.UnmarshalText([]byte(d.encoding)), widen.UnmarshalText([]byte(d.widen)), tie.UnmarshalText([]byte(d.tie)), order.UnmarshalText([]byte(d.order)))
	if err != nil {
		return "", err
	}
	var key []byte
	if d.key != "" {
		if key, err = hex.DecodeString(d.key); err != nil {
			return "", fmt.Errorf("--key: %w", err)
		}
	}
	hash, err := fphash.New(fphash.WithHash(d.hash), fphash.WithSketch(sketch), fphash.WithEncoding(encoding), fphash.WithBits(d.bits), fphash.WithWiden(widen), fphash.WithSeed(d.seed),
		fphash.WithKey(key), fphash.WithTie(tie), fphash.WithOrder(order))
	if err != nil {
		return "", err
	}
	return hash.Definition().Full(), nil
}
