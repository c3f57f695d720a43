package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/english"
)

func newIndexAdd() *cobra.Command {
	x := newIndexRecords()
	command := &cobra.Command{
		Use:   "add INDEX [FILE]",
		Short: "Add the records of a file to an index",
		Long: `add adds records to the file INDEX, 10,000 at a time. Each batch is on disk before the
next one is read. An id that the index already has ends the command with exit code 2;
nothing of its batch is added, and the message says how many entries were.

` + indexInput + `
` + indexMade + `

Memory is about 170 bytes for each entry added since the index was last compacted.`,
		Example: `  fphash sketch vectors.svm | head -n 5 | fphash index build a.index
  fphash index build a.index vectors.svm && \
      echo '0123456789abcdef new' | tr ' ' '\t' | fphash index add a.index`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withWriter(cmd, args[0], func(w *indexfile.Writer, p *progress) error {
				info := w.Info()
				if err := x.input.follow(args[0], info); err != nil {
					return err
				}
				a := addition{ctx: cmd.Context(), writer: w}
				records, err := x.each(args[1:], p, "adding", func(records *dedup.Records) error {
					x.input.assumeDefinition(records, args[0], &index.Set{Definition: info.Definition})
					e, err := entriesOf(records, info.Texts, all)
					if err != nil {
						return err
					}
					return a.insert(e)
				})
				if err != nil {
					return a.said(err)
				}
				unfingerprinted(cmd.ErrOrStderr(), records)
				fmt.Fprintf(cmd.OutOrStdout(), "%d added; %s\n", a.added, indexSize(w))
				return x.input.verdict()
			})
		},
	}
	command.Flags().SortFlags = false
	x.register(command)
	hideFlags(command.Flags(), classicFlags)
	return command
}

// addition inserts entries and counts them.
type addition struct {
	ctx    context.Context
	writer *indexfile.Writer
	added  int
}

// insert inserts all entries, or none if it returns an error.
func (a *addition) insert(e *indexfile.Entries) error {
	if err := context.Cause(a.ctx); err != nil {
		return err
	}
	if err := a.writer.Insert(e); err != nil {
		return err
	}
	a.added += e.Len()
	return nil
}

// said adds to an error how much was done before it.
func (a *addition) said(err error) error {
	if a.added == 0 {
		return fmt.Errorf("%w; nothing was added before that", err)
	}
	return fmt.Errorf("%w; %d %s added before that", err, a.added, english.Plural(a.added, "entry was", "entries were"))
}

// insertAll inserts entries in batches, so that each is on disk soon.
func (a *addition) insertAll(e *indexfile.Entries, p *progress) error {
	const atOnce = 10000
	stride, n := e.Stride(), e.Len()
	for from := 0; from < n; from += atOnce {
		to := min(from+atOnce, n)
		part := &indexfile.Entries{Set: index.Set{Bits: e.Bits, Definition: e.Definition, Words: e.Words[from*stride : to*stride]}}
		if e.Texts != nil {
			part.Texts = e.Texts[from:to]
		} else {
			part.IDs = e.IDs[from:to]
		}
		if err := a.insert(part); err != nil {
			return a.said(err)
		}
		p.report(status{step: "adding", part: float64(to) / float64(n), count: to, unit: "entries"})
	}
	p.clear()
	return nil
}
