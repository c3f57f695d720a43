package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/dedup/source"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/english"
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
		Short: "Find the entries of an index that are near each record",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("nearest") && (q.nearest < 1 || cmd.Flags().Changed("k")) {
				return fmt.Errorf("--nearest %d: expected 1 or more; it cannot be combined with --k", q.nearest)
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
	flags.IntVarP(&q.k, "k", "k", 0, "largest distance in bits (default: that of the index)")
	flags.IntVar(&q.nearest, "nearest", 0, "find this many nearest entries instead of all within k bits")
	choice(flags, &q.format, "format", tabular.Text, "format of the output: %s", tabular.Formats())
	outFlag(flags, &q.out)
	q.register(command)
	hideFlags(flags, classicFlags)
	return command
}

func (q *indexQuery) run(cmd *cobra.Command, r *indexfile.Reader, args []string) error {
	info, err := r.Info()
	if err != nil {
		return err
	}
	stored := &index.Set{Bits: info.Bits, Definition: info.Definition}
	p := newProgress(cmd.ErrOrStderr())
	defer p.clear()
	q.old, q.quiet = &source.Index{Path: args[0], Info: info}, q.out == ""
	if !cmd.Flags().Changed("k") {
		q.k = info.K
	}
	if q.k < 0 || q.k > info.K {
		return fmt.Errorf("--k %d: expected 0 to %d, the k of %s", q.k, info.K, args[0])
	}
	err = writeTo(q.out, cmd.OutOrStdout(), func(w io.Writer) error {
		t := tabular.New(w, q.format, []string{"query", "id", "distance"})
		_, err := q.each(cmd, args[1:], p, func(records *dedup.Records) error {
			writeAssumed(cmd.ErrOrStderr(), q.old.AssumeDefinition(records))
			if err := records.Set.Comparable(stored); err != nil {
				return fmt.Errorf("%s and %s: %w", records.Name, args[0], err)
			}
			return q.search(cmd.Context(), r, info.Texts, records, t)
		})
		return t.End(err)
	})
	if err != nil {
		return err
	}
	return q.leftOut()
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
		if err != nil {
			return err
		}
		for _, m := range matches {
			if err := t.Row(records.ID(int(set.ID(i))), corpus.IndexID(m.ID, texts), m.Distance); err != nil {
				return err
			}
		}
	}
	return nil
}

func newIndexInfo() *cobra.Command {
	return &cobra.Command{
		Use:   "info INDEX",
		Short: "Describe an index: entries, definition, size, log",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := indexfile.Open(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			info, err := r.Info()
			if err != nil {
				return err
			}
			return writeIndexInfo(cmd.OutOrStdout(), info)
		},
	}
}

func writeIndexInfo(w io.Writer, info indexfile.Info) error {
	ids, definition := idsNumbers, info.Definition
	if info.Texts {
		ids = idsText
	}
	if definition == "" {
		definition = "not known"
	}
	facts := []any{"entries", info.Entries, "definition", definition, "bits", info.Bits, "largest k", info.K, "ids", ids}
	if info.Features != "" {
		facts = append(facts, "features", info.Features)
	}
	facts = append(facts,
		"compacted", fmt.Sprintf("%d entries, of which %d were deleted since", info.Compacted, info.Deleted),
		"search structure", info.Structure,
		"added since", fmt.Sprintf("%d, in a log of %d batches and %d bytes", info.Inserted, info.Batches, info.LogBytes),
		"size", fmt.Sprintf("%d bytes", info.Bytes))
	if info.Torn != "" {
		facts = append(facts, "not acknowledged", info.Torn)
	}
	return writeFacts(w, "", facts...)
}

func newIndexVerify() *cobra.Command {
	var to string
	command := &cobra.Command{
		Use:   "verify INDEX",
		Short: "Check a whole index for damage, and save the intact entries",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			report, err := indexfile.Verify(cmd.Context(), args[0], to)
			if err != nil {
				return err
			}
			if err := writeReport(cmd.OutOrStdout(), report, to); err != nil {
				return err
			}
			if len(report.Damage) > 0 {
				return answerNo{args[0] + " is damaged"}
			}
			return nil
		},
	}
	command.Flags().StringVar(&to, "salvage", "", "write the intact entries to this new file")
	return command
}

// mostDamage limits the damaged places that are listed.
const mostDamage = 20

func writeReport(w io.Writer, r *indexfile.Report, to string) error {
	saved := "entries that --salvage NEW saves"
	if to != "" {
		saved = "entries saved in " + to
	}
	var facts []any
	for _, d := range r.Damage[:min(len(r.Damage), mostDamage)] {
		facts = append(facts, fmt.Sprintf("damaged: bytes %d to %d", d.Offset, d.Offset+d.Bytes), d.What)
	}
	if r.Torn != "" {
		facts = append(facts, "not acknowledged", r.Torn)
	}
	if len(r.Damage) == 0 {
		heading := fmt.Sprintf("no damage in %d bytes: %d %s\n", r.Bytes, r.Saved, english.Plural(r.Saved, "entry", "entries"))
		return writeFacts(w, heading, facts...)
	}
	facts = append(facts, "damaged places", len(r.Damage), saved, r.Saved, "entries lost", r.Lost)
	if r.LostBatches > 0 {
		facts = append(facts, "batches of the log lost", fmt.Sprintf("%d; entries deleted there are back", r.LostBatches))
	}
	return writeFacts(w, "", facts...)
}
