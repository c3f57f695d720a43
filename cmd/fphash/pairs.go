package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/fphash/index/blocks/filter"
	"simhashkit/internal/bytesize"
)

// pairsFlags are the flags of fphash pairs.
type pairsFlags struct {
	blockFlags
	sorted, links, counts bool
	memory                bytesize.Size
	folder, out           string
}

func newPairs() *cobra.Command {
	f := pairsFlags{memory: filter.DefaultMemory}
	command := &cobra.Command{
		Use:   "pairs --sorted [FILE]",
		Short: "Find the near-duplicates among sorted lines of blocks",
		Long: `pairs reads the lines of fphash blocks from FILE or standard input, sorted by their
keys, and writes a line for each pair that differs in at most k bits, none missed but
as --recall allows:

  ID<TAB>ID<TAB>DISTANCE

Each pair comes once, whichever parts the lines were sorted in, if all lines of a key
are in one part: the first table in which both have the same key reports it. The
smaller id is the first of a pair: numbers go by value and before all others, which go
by their bytes.

The flags from --k to --bits must be those of fphash blocks, or the keys do not fit,
which is an error. So are lines out of order, and a last line without its line feed,
which is torn.

Memory is that of the largest block, and --memory at most: a larger one is split by
the other bits of its fingerprints, in temporary files. Up to a thousand lines of one
key are compared all with all, more are brought together by their other bits.

A thousand copies of one fingerprint are half a million pairs. With --links each of
them has one line with the first of its block, and the clusters that fphash clusters
makes of all lines are the same; the distance may be more than k then.`,
		Example: `  fphash sketch vectors.svm.gz | fphash blocks | LC_ALL=C sort | fphash pairs --sorted
  fphash sketch vectors.svm.gz | fphash blocks --k 6 | LC_ALL=C sort | \
      fphash pairs --sorted --k 6 --links | fphash clusters`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.sorted, "sorted", false, "the lines are sorted by key, as LC_ALL=C sort does; without it nothing is read")
	f.register(flags)
	flags.BoolVar(&f.links, "links", false, "in place of all pairs, as few lines as form the same clusters")
	flags.BoolVar(&f.counts, "counts", false, "say on standard error how many lines, blocks and pairs there were")
	flags.Var(&f.memory, "memory", "split on disk what takes more than this of one block")
	flags.StringVar(&f.folder, "temporary", "", "folder for that (default the system's)")
	outFlag(flags, &f.out)
	kernelFlag(flags)
	return command
}

func (f *pairsFlags) run(cmd *cobra.Command, args []string) error {
	if !f.sorted {
		return errors.New("expected --sorted, and lines of fphash blocks that are sorted: fphash blocks ... | LC_ALL=C sort | fphash pairs --sorted")
	}
	if err := f.check(); err != nil {
		return err
	}
	path, stream, err := openStream(cmd.Context(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer stream.Close()
	search := &filter.Search{Name: inputName(path), Tables: f.make, Bits: f.bits, Links: f.links, Memory: int64(f.memory), Folder: f.folder}
	return writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error {
		found, err := search.Run(cmd.Context(), stream, w)
		if err == nil && f.counts {
			what := "pairs"
			if f.links {
				what = "links"
			}
			_, err = fmt.Fprintf(cmd.ErrOrStderr(), "fphash: lines %d, blocks %d, largest %d, split on disk %d, pairs in blocks %d, %s %d\n",
				found.Lines, found.Blocks, found.Largest, found.OnDisk, found.Shared, what, found.Pairs)
		}
		return err
	})
}
