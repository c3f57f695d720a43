package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/english"
)

// The kinds of ids that an index has.
const (
	idsText    = "text"
	idsNumbers = "numbers"
)

func newIndexBuild() *cobra.Command {
	x := newIndexRecords()
	var k int
	var ids string
	command := &cobra.Command{
		Use:         "build INDEX [FILE]",
		Annotations: map[string]string{outputArgument: "0"},
		Short:       "Make an index of the records of a file",
		Long: `build makes the file INDEX of all records, with what finds those near others in
at most k bits. It is there whole or not at all.

` + indexInput + `
Ids are those of fphash sketch, and each stands once. With --ids numbers all must be
numbers, which takes less room.

k is 3 of 64 bits unless --k is given, 10 of 64 by MinHash, and in proportion for other
widths.

Memory has all ids and fingerprints, some 150 bytes a record with an id of 10 characters
and 64 bits, but neither texts nor vectors, save those of the data sets files: and
go-source.`,
		Example: `  fphash index build a.index vectors.svm.gz
  fphash index build a.index texts.jsonl --text text --id id
  fphash sketch vectors.svm.gz | fphash index build a.index --k 4`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := os.Lstat(args[0]); err == nil {
				return fmt.Errorf("%s is there already: expected the name of a new file", args[0])
			}
			p := newProgress(cmd.ErrOrStderr())
			defer p.clear()
			e := newEntries(ids == idsText)
			records, err := x.each(args[1:], p, "reading", func(records *dedup.Records) error { return appendEntries(e, records, all) })
			if err != nil {
				return err
			}
			e.Bits, e.Definition = records.Set.Bits, records.Set.Definition // where there are none, too
			if !cmd.Flags().Changed("k") {
				k = dedup.DefaultK(x.input.definition.sketchOf(records.Set.Definition), records.Set.Bits)
			}
			if err := indexfile.Create(args[0], e, indexfile.Options{K: k, Texts: ids == idsText, Workers: x.input.workers, Features: x.input.features}); err != nil {
				if file := (*fs.PathError)(nil); !errors.As(err, &file) { // it is about what is to be in it
					err = fmt.Errorf("%s: %s", records.Name, withoutPackages(err.Error()))
				}
				return err
			}
			unfingerprinted(cmd.ErrOrStderr(), records)
			fmt.Fprintf(cmd.OutOrStdout(), "%d %s in the new index %s, to be searched up to %d bits\n", e.Len(), english.Plural(e.Len(), "entry", "entries"), args[0], k)
			return x.input.verdict()
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.IntVarP(&k, "k", "k", 0, "the largest distance that queries ask for (default 3 of 64, 10 by minhash, in proportion)")
	choice(flags, &ids, "ids", idsText, "what ids are: %s", []string{idsText, idsNumbers})
	x.register(command)
	return command
}
