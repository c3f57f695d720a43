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
	x.build = true
	var k int
	var ids string
	command := &cobra.Command{
		Use:         "build INDEX [FILE]",
		Annotations: map[string]string{outputArgument: "0"},
		Short:       "Make an index of the records of a file",
		Long: `build makes the file INDEX of all records, whole or not at all. Queries then find the
entries within k bits of a record.

` + indexInput + `
Each id may occur once. With --ids numbers all ids must be numbers, which takes less
room.

By default, texts get the fingerprints by which dedup finds texts of similarity 0.9: MinHash
of 128 bits, k = 26. Vectors get simhashes of 64 bits, k = 3. fphash help fingerprints
explains other hashes, widths, features and weights.

Memory is about 150 bytes for a record with a 64-bit fingerprint and an id of 10
characters. Texts and vectors are not held.`,
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
				if k = dedup.DefaultK(x.input.definition.sketchOf(records.Set.Definition), records.Set.Bits); x.candidates != nil {
					k = x.candidates.K
				}
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
	flags.IntVarP(&k, "k", "k", 0, "largest distance that queries may ask for")
	choice(flags, &ids, "ids", idsText, "what ids are: %s", []string{idsText, idsNumbers})
	x.register(command)
	return command
}
