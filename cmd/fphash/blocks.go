package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/fphash/index/blocks/filter"
)

// blocksFlags are the flags of fphash blocks.
type blocksFlags struct {
	blockFlags
	out string
}

func newBlocks() *cobra.Command {
	var f blocksFlags
	command := &cobra.Command{
		Use:   "blocks [FILE]",
		Short: "Write fingerprints with keys for sort, Spark and other engines",
		Long: `blocks reads fingerprints from FILE or standard input, as fphash sketch writes them, and
writes one line for each fingerprint and table:

  KEY<TAB>FINGERPRINT<TAB>ID     such as 2:00ff<TAB>0123000000ff4567<TAB>doc-17

Two fingerprints within k bits have the same KEY on at least one line. Anything that
sorts by KEY brings them together for fphash pairs: sort, Spark, Hadoop, a database.

KEY is the number of the table, a colon, and the key bits of the fingerprint in
hexadecimal. By default a fingerprint is cut into k+1 blocks, each of which is a key: 16
bits for k = 3 of 64. --tables 5,2 makes 10 keys of 25 or 26 bits, --tables 6,3 makes 20
of about 32: more lines to sort, and smaller blocks, which some engines need. The
default is the fastest at any size.

For wide fingerprints and a large k, such as 22 of 128 bits, blocks are so short that
unrelated fingerprints share them. --recall 0.95 uses fixed random bits as keys, as many
as 95% of the pairs at distance k need to share one: with --k 21 of 128 bits 63 keys of
16 bits, or 28 with --key-bits 12.

Fingerprints without information are left out: those that the format marks, and in text
those of 32 and more zero bits. An input without fingerprints gives no lines.`,
		Example: `  fphash sketch vectors.svm.gz | fphash blocks | LC_ALL=C sort | fphash pairs --sorted
  fphash sketch vectors.svm.gz | fphash blocks --k 2 --tables 5,3
  fphash sketch texts.txt --sketch minhash --bits 128 | \
      fphash blocks --k 21 --recall 0.95`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	f.register(flags)
	outFlag(flags, &f.out)
	return command
}

func (f *blocksFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	return writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error {
		var lines *filter.BlockWriter
		err := eachBatch(cmd.Context(), args, cmd.InOrStdin(), f.bits, func(records *dedup.Records) error {
			set := &records.Set
			if lines == nil {
				tables, err := f.make(set.Bits)
				if err != nil {
					return err
				}
				lines = filter.NewBlockWriter(w, tables)
			}
			for i := range set.Len() {
				if err := lines.Write(set.At(i), []byte(records.ID(int(set.ID(i))))); err != nil {
					return err
				}
			}
			return context.Cause(cmd.Context())
		})
		if lines != nil {
			if flushErr := lines.Flush(); err == nil {
				err = flushErr
			}
		}
		return err
	})
}
