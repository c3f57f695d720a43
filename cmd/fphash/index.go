package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/dedup/source"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/english"
	textlines "simhashkit/internal/lines"
	"simhashkit/internal/tabular"
)

func newIndex() *cobra.Command {
	command := &cobra.Command{
		Use:   "index",
		Short: "Keep fingerprints in a file that can be searched",
	}
	command.AddCommand(newIndexBuild(), newIndexAdd(), newIndexDelete(), newIndexQuery(), newIndexInfo(), newIndexVerify(), newIndexCompact())
	return command
}

// The kinds of ids that an index has.
const (
	idsText    = "text"
	idsNumbers = "numbers"
)

func newIndexBuild() *cobra.Command {
	var x indexRecords
	var k int
	var ids string
	command := &cobra.Command{
		Use:   "build INDEX [FILE]",
		Short: "Build an index of the records of a file",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := os.Lstat(args[0]); err == nil {
				return fmt.Errorf("%s already exists; expected a new file: %s", args[0], cmd.UseLine())
			}
			p := newProgress(cmd.ErrOrStderr())
			defer p.clear()
			index, e := source.Index{Info: indexfile.Info{Texts: ids == idsText}}, new(indexfile.Entries)
			records, err := x.each(cmd, args[1:], p, func(records *dedup.Records) error { return index.AppendEntries(e, records, nil) })
			if err != nil {
				return err
			}
			e.Bits, e.Definition = records.Set.Bits, records.Set.Definition // even if there are no records
			if !cmd.Flags().Changed("k") {
				if k = dedup.DefaultK(records.Sketch(), records.Set.Bits); x.spec != nil {
					_, k = x.spec.Candidates()
				}
			}
			if err := checkK(k, e.Bits); e.Bits > 0 && err != nil {
				return err
			}
			if err := indexfile.Create(cmd.Context(), args[0], e, indexfile.Options{K: k, Texts: ids == idsText, Workers: x.input.workers, Features: x.features}); err != nil {
				if file := (*fs.PathError)(nil); !errors.As(err, &file) { // the error is in the records
					err = fmt.Errorf("%s: %s", records.Name, withoutPackages(err.Error()))
				}
				return err
			}
			unfingerprinted(cmd.ErrOrStderr(), records)
			fmt.Fprintf(cmd.OutOrStdout(), "%d %s in the new index %s, searchable within %d bits\n", e.Len(), english.Plural(e.Len(), "entry", "entries"), args[0], k)
			return x.leftOut()
		},
	}
	flags := command.Flags()
	flags.IntVarP(&k, "k", "k", 0, "largest distance of later queries (default: see above)")
	choice(flags, &ids, "ids", idsText, "type of the ids: %s", []string{idsText, idsNumbers})
	x.register(command)
	return command
}

func newIndexAdd() *cobra.Command {
	var x indexRecords
	command := &cobra.Command{
		Use:   "add INDEX [FILE]",
		Short: "Add the records of a file to an index",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withWriter(cmd, args[0], func(w *indexfile.Writer, p *progress) error {
				info := w.Info()
				x.old = &source.Index{Path: args[0], Info: info}
				added := 0
				records, err := x.each(cmd, args[1:], p, func(records *dedup.Records) error {
					writeAssumed(cmd.ErrOrStderr(), x.old.AssumeDefinition(records))
					e := new(indexfile.Entries)
					err := cmp.Or(context.Cause(cmd.Context()), x.old.AppendEntries(e, records, nil))
					if err == nil {
						err = w.Insert(e)
					}
					if err == nil {
						added += e.Len()
					}
					return err
				})
				switch {
				case err != nil && added == 0:
					return fmt.Errorf("%w; nothing was added before that", err)
				case err != nil:
					return fmt.Errorf("%w; %d %s added before that", err, added, english.Plural(added, "entry was", "entries were"))
				}
				unfingerprinted(cmd.ErrOrStderr(), records)
				fmt.Fprintf(cmd.OutOrStdout(), "%d added; %s\n", added, indexSize(w))
				return x.leftOut()
			})
		},
	}
	x.register(command)
	hideFlags(command.Flags(), classicFlags)
	return command
}

func newIndexDelete() *cobra.Command {
	return &cobra.Command{
		Use:   "delete INDEX [FILE]",
		Short: "Delete entries of an index by their ids",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			name, in, err := openStream(cmd.Context(), args[1:], cmd.InOrStdin())
			if err != nil {
				return err
			}
			defer in.Close()
			return withWriter(cmd, args[0], func(w *indexfile.Writer, _ *progress) error {
				asked, deleted, err := deleteLines(cmd.Context(), w, in, name)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%d of %d deleted; %s\n", deleted, asked, indexSize(w))
				return nil
			})
		},
	}
}

// deleteLines deletes the ids in all lines, in batches.
func deleteLines(ctx context.Context, w *indexfile.Writer, in io.Reader, name string) (asked, deleted int, err error) {
	const atOnce = 10000
	texts := w.Info().Texts
	var ids []indexfile.ID
	flush := func() error {
		n, err := w.Delete(ids...)
		asked, deleted, ids = asked+len(ids), deleted+n, ids[:0]
		return err
	}
	const longestID = 1 << 20
	for line, err := range textlines.All(ctx, in, name, longestID, false) {
		if err != nil {
			return asked, deleted, err
		}
		id := indexfile.ID{Text: string(bytes.TrimSuffix(line.Text, []byte("\r")))}
		if !texts {
			if id.Number, err = strconv.ParseUint(id.Text, 10, 64); err != nil {
				return asked, deleted, fmt.Errorf("%s:%d: id %.60q: expected a number, as all ids of the index are", name, line.Number, id.Text)
			}
			id.Text = ""
		}
		if ids = append(ids, id); len(ids) == atOnce {
			if err := flush(); err != nil {
				return asked, deleted, err
			}
		}
	}
	return asked, deleted, flush()
}

func newIndexCompact() *cobra.Command {
	return &cobra.Command{
		Use:   "compact INDEX",
		Short: "Rewrite an index without deleted entries, so that it opens faster",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withWriter(cmd, args[0], func(w *indexfile.Writer, _ *progress) error {
				if err := w.Compact(cmd.Context()); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "compacted; %s\n", indexSize(w))
				return nil
			})
		},
	}
}

// withWriter opens an index for writing.
func withWriter(cmd *cobra.Command, path string, do func(*indexfile.Writer, *progress) error) error {
	w, err := indexfile.OpenWriter(path)
	if err != nil {
		return err
	}
	mended(cmd.ErrOrStderr(), w)
	p := newProgress(cmd.ErrOrStderr())
	err = do(w, p)
	p.clear()
	err = cmp.Or(err, w.Close())
	return err
}

// mended prints a message if the index was repaired after a crash.
func mended(stderr io.Writer, w *indexfile.Writer) {
	if w.Torn() != "" {
		fmt.Fprintf(stderr, "fphash: the end of the index was repaired: %s\n", w.Torn())
	}
}

// indexSize describes the number of entries, and whether compacting would make opening faster.
func indexSize(w *indexfile.Writer) string {
	info := w.Info()
	n := info.Entries
	text := fmt.Sprintf("%d %s in the index", n, english.Plural(n, "entry", "entries"))
	if info.LogBytes > 64<<20 {
		text += "; fphash index compact makes it open faster"
	}
	return text
}

// indexRecords reads the records that are added to an index or searched in it.
type indexRecords struct {
	input inputFlags
	old   *source.Index // the index that exists already; nil for build
	quiet bool          // no progress, which would mix with the output on a terminal

	// The results of each.
	features string      // of texts
	spec     *dedup.Spec // if the fingerprints are those of dedup
	counts   *source.Counts
	noun     string // for a record
}

func (x *indexRecords) register(command *cobra.Command) {
	x.input.register(command.Flags())
	hideFlags(command.Flags(), sketchFlagsRare)
}

// each reads the records of the named file or standard input, and calls take for each batch. The
// result has only the counts of the records.
func (x *indexRecords) each(cmd *cobra.Command, args []string, p *progress, take func(*dedup.Records) error) (*dedup.Records, error) {
	ctx, stderr, d := cmd.Context(), cmd.ErrOrStderr(), x.input
	defer p.clear()
	hints := d.hints(cmd, p)
	if hints.Once = true; x.quiet {
		hints.Progress = nil
	}
	s, err := d.open(ctx, args, hints, stderr)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var method source.Method
	defining := slices.Concat(definitionNames, []string{"features", "weights", "table", "word-weights"})
	switch {
	case x.old != nil:
		method, err = d.method(ctx, s.Kind, &x.old.Info)
	case s.Kind == source.Texts && !slices.ContainsFunc(defining, d.changed):
		spec := dedup.DefaultSpec(dedup.Words)
		x.spec = &spec
		method, err = source.MethodOf(spec, nil, d.workers)
	default:
		method, err = d.method(ctx, s.Kind, nil)
	}
	if err != nil {
		return nil, err
	}
	if s.Kind != source.Fingerprints {
		x.features = method.Features()
	}
	if x.old != nil && x.features != "" {
		assumed, err := x.old.CheckFeatures(s.Name, x.features)
		if err != nil {
			return nil, err
		}
		writeAssumed(stderr, assumed)
	}
	records, counts, err := s.Read(ctx, method, take)
	if err != nil {
		return nil, d.withFlags(err)
	}
	x.counts, x.noun = counts, s.Kind.Noun()
	writeCounts(stderr, &counts.Missing)
	return records, nil
}

// leftOut returns an answerNo if malformed records were left out.
func (x *indexRecords) leftOut() error { return leftOut(x.counts.LeftOut, x.noun) }

// writeAssumed prints what was assumed about fingerprints, if anything.
func writeAssumed(stderr io.Writer, assumed string) {
	if assumed != "" {
		fmt.Fprintln(stderr, "fphash:", assumed)
	}
}

// unfingerprinted prints how many records have no fingerprint, and why.
func unfingerprinted(stderr io.Writer, records *dedup.Records) {
	if n := records.WithoutFingerprint(); n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s no information (%s) and %s not in the index\n", n,
			english.Plural(n, "record carries", "records carry"), dedup.WhyWithout(records.Sketch()), english.Plural(n, "is", "are"))
	}
}

// indexQuery is a run of fphash index query.
type indexQuery struct {
	indexRecords
	k, nearest  int
	format, out string
}

func newIndexQuery() *cobra.Command {
	var q indexQuery
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
	ids := idsNumbers
	if info.Texts {
		ids = idsText
	}
	facts := []any{"entries", info.Entries, "definition", cmp.Or(info.Definition, "not known"), "bits", info.Bits, "largest k", info.K, "ids", ids}
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
			if err := writeDamage(cmd.OutOrStdout(), report, to); err != nil {
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

func writeDamage(w io.Writer, r *indexfile.Report, to string) error {
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
