package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/tabular"
)

// indexQuery is a run of fphash index query.
type indexQuery struct {
	*indexRecords
	k, nearest  int
	format, out string
}

func newIndexQuery() *cobra.Command {
	q := indexQuery{indexRecords: newIndexRecords()}
	command := &cobra.Command{
		Use:   "query INDEX [FILE]",
		Short: "Find the entries of an index that are near records",
		Long: `query finds the entries of the file INDEX within k bits of each record, or the nearest
ones. It writes the columns query (the id of the record), id (of the entry) and distance,
in the order of the records.

` + indexInput + `
` + indexMade,
		Example: `  fphash index build a.index vectors.svm && \
      fphash index query a.index vectors.svm --k 2
  fphash index build a.index vectors.svm && \
      fphash index query a.index vectors.svm.gz --nearest 3 --format csv`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("nearest") && (q.nearest < 1 || cmd.Flags().Changed("k")) {
				return fmt.Errorf("--nearest %d: expected 1 or more, and no --k with it", q.nearest)
			}
			r, err := indexfile.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			return q.run(cmd, r, args)
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.IntVarP(&q.k, "k", "k", 0, "largest distance in bits (default that of the index)")
	flags.IntVar(&q.nearest, "nearest", 0, "find this many nearest entries instead")
	choice(flags, &q.format, "format", tabular.Text, "format of the output: %s", tabular.Formats())
	outFlag(flags, &q.out)
	q.register(command)
	hideFlags(flags, classicFlags)
	return command
}

func (q *indexQuery) run(cmd *cobra.Command, r *indexfile.Reader, args []string) error {
	info, err := r.Info()
	if err == nil {
		err = q.input.follow(args[0], info)
	}
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	defer p.clear()
	q.input.quiet = q.out == "" // lines of progress among those of the answer would be in the way
	if !cmd.Flags().Changed("k") {
		q.k = info.K
	}
	err = writeTo(q.out, cmd.OutOrStdout(), func(w io.Writer) error {
		t := tabular.New(w, q.format, []string{"query", "id", "distance"})
		_, err := q.each(args[1:], p, "searching", func(records *dedup.Records) error {
			q.input.assumeDefinition(records, args[0], r.Set())
			if err := records.Set.Comparable(r.Set()); err != nil {
				return fmt.Errorf("%s and %s: %w", records.Name, args[0], err)
			}
			return q.search(cmd.Context(), r, info.Texts, records, t)
		})
		return t.End(err)
	})
	if err != nil {
		return err
	}
	return q.input.verdict()
}

// search writes the matches of a batch of records.
func (q *indexQuery) search(ctx context.Context, r *indexfile.Reader, texts bool, records *dedup.Records, t *tabular.Table) error {
	set := &records.Set
	var matches []indexfile.Match
	for i := range set.Len() {
		if i%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		query := set.Query(i)
		var err error
		if q.nearest > 0 {
			matches, err = r.Nearest(query, q.nearest)
		} else {
			matches, err = r.AppendWithin(matches[:0], query, q.k)
		}
		if errors.Is(err, index.ErrDistance) {
			err = fmt.Errorf("--k %d: %w", q.k, err)
		}
		if err != nil {
			return err
		}
		for _, m := range matches {
			if err := t.Row(records.ID(int(set.ID(i))), shownID(m.ID, texts), m.Distance); err != nil {
				return err
			}
		}
	}
	return nil
}

// shownID writes an id as it was given.
func shownID(id indexfile.ID, texts bool) string {
	if texts {
		return id.Text
	}
	return strconv.FormatUint(id.Number, 10)
}
