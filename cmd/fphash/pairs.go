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
		Short: "Find near-duplicates among sorted lines of blocks",
		Long: `pairs reads sorted lines of fphash blocks from FILE or standard input, and writes a line
for each pair within k bits, all of them unless --recall says otherwise:

  ID<TAB>ID<TAB>DISTANCE

Each pair comes once, even if the lines were sorted in several parts, as long as all
lines of a key are in one part. The smaller id comes first: numbers by value, then other
ids by their bytes.

The flags --k to --bits must be those given to fphash blocks. Other keys, lines out of
order and a last line without a line feed are errors.

Memory is that of the largest block, at most --memory: larger blocks are split into
temporary files.

With --links, pairs writes as few lines as form the same clusters. A thousand copies of
one fingerprint are half a million pairs, but a thousand links; their distance may exceed
k.`,
		Example: `  fphash sketch vectors.svm.gz | fphash blocks | LC_ALL=C sort | fphash pairs --sorted
  fphash sketch vectors.svm.gz | fphash blocks --k 6 | LC_ALL=C sort | \
      fphash pairs --sorted --k 6 --links | fphash clusters`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.sorted, "sorted", false, "required: the lines are sorted, as by LC_ALL=C sort")
	f.register(flags)
	flags.BoolVar(&f.links, "links", false, "write as few lines as form the same clusters")
	flags.BoolVar(&f.counts, "counts", false, "print the numbers of lines, blocks and pairs to standard error")
	flags.Var(&f.memory, "memory", "split larger blocks on disk")
	flags.StringVar(&f.folder, "temporary", "", "`folder` of temporary files (default that of the system)")
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
