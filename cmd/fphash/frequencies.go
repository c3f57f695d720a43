package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/datasets/text/weights/tables"
	"simhashkit/internal/english"
)

// frequenciesFlags are the flags of fphash data frequencies.
type frequenciesFlags struct {
	input     documents.Options
	features  string
	merge     bool
	keepGoing bool
	limit     int
	workers   int
	out       string
}

func newDataFrequencies() *cobra.Command {
	var f frequenciesFlags
	command := &cobra.Command{
		Use:   "frequencies DOCUMENTS...",
		Short: "Count the documents that contain each word, for TF-IDF",
		Long: `frequencies counts for each feature the documents that contain it, and writes the table
that TF-IDF weights need (--table of sketch). DOCUMENTS are files, folders and tar
archives of texts, or patterns such as 'corpus/*.jsonl.gz'.

` + featuresHelp + `

The table is a text file. It begins with the number of documents and the definition of
the features. Then there is a line for each feature: the feature, a tab and its number of
documents. If the command fails, no file is written.

--limit bounds memory use: only the most frequent features are kept, and the command
prints how far the counts may be off. Each worker has a table of that size, so the result
then depends on --workers.

--merge adds up tables instead of counting documents. The result is that of the whole
corpus, unless one of the tables had reached its limit.

Exit codes: 0 done, 1 --keep-going left records out, 2 could not run.`,
		Example: `  fphash data frequencies --documents files --out table.tsv.gz texts
  fphash data frequencies --text body --out table.tsv 'corpus/*.jsonl'
  fphash data frequencies --features words,n=2,fold --limit 10000000 texts
  fphash data frequencies --merge --out all.tsv.gz part1.tsv part2.tsv`,
		Args: cobra.MinimumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	suggestion(flags, &f.input.Format, "documents", documents.Auto, "%s", documents.Formats())
	flags.StringVar(&f.input.Text, "text", "", `field or column of the text (default "text")`)
	suggestion(flags, &f.features, "features", usualFeatures, featuresUsage, featureKinds)
	flags.IntVar(&f.limit, "limit", 0, "most features to keep, of about 100 bytes each; 0 means no limit")
	flags.BoolVar(&f.merge, "merge", false, "add up tables instead of counting documents")
	keepGoingFlag(flags, &f.keepGoing)
	flags.IntVar(&f.workers, "workers", 1, "number of goroutines, each with its own table")
	flags.StringVarP(&f.out, "out", "o", "", "output `file`, compressed if it ends in .gz or .zst (default stdout)")
	return command
}

func (f *frequenciesFlags) run(cmd *cobra.Command, args []string) error {
	if f.limit < 0 {
		return fmt.Errorf("--limit %d: expected 0 or more", f.limit)
	}
	if f.workers < 1 || f.workers > maxWorkers {
		return fmt.Errorf("--workers %d: expected 1 to %d", f.workers, maxWorkers)
	}
	bad, stderr := 0, cmd.ErrOrStderr()
	if f.keepGoing {
		f.input.OnError = func(err error) {
			bad++
			fmt.Fprintln(stderr, "fphash:", err)
		}
	}
	produce := f.count
	if f.merge {
		produce = f.mergeTables
	}
	table, err := produce(cmd.Context(), args, stderr)
	if err != nil {
		return err
	}
	if err := writeTo(f.out, cmd.OutOrStdout(), table.Write); err != nil {
		return err
	}
	fmt.Fprintln(stderr, tableSize(table))
	return leftOut(bad, "malformed record")
}

// maxWorkers limits --workers, in case of a typo.
const maxWorkers = 1024

// tableSize describes the size of a table.
func tableSize(t *weights.Table) string {
	text := fmt.Sprintf("%s, %s", english.Count(int(t.Documents()), "document"), english.Count(t.Len(), "different feature"))
	if t.Missed() > 0 {
		text += fmt.Sprintf("; others are in at most %s each, and are not in the table", english.Count(int(t.Missed()), "document"))
	}
	return text
}

func (f *frequenciesFlags) mergeTables(ctx context.Context, paths []string, _ io.Writer) (*weights.Table, error) {
	var sum *weights.Table
	for i, path := range paths {
		table, err := tables.Load(ctx, path)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			sum = table
		} else if sum, err = weights.Merge(f.limit, sum, table); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return sum, nil
}

func (f *frequenciesFlags) count(ctx context.Context, patterns []string, stderr io.Writer) (*weights.Table, error) {
	analyzer, err := analyzerOf(f.features)
	if err != nil {
		return nil, err
	}
	paths, err := documents.Expand(patterns)
	if err != nil {
		return nil, err
	}
	p := newProgress(stderr)
	defer p.clear()
	counting := newCounting(ctx, analyzer, f.limit, f.workers)
	for _, path := range paths {
		if err = f.countFile(counting, path, p); err != nil {
			break
		}
	}
	table, countErr := counting.end()
	if err == nil {
		err = countErr
	}
	if err == nil && table.Documents() == 0 {
		err = errors.New("no documents in " + paths[0])
	}
	return table, err
}

func (f *frequenciesFlags) countFile(c *counting, path string, p *progress) (err error) {
	reader, err := documents.Open(c.ctx, path, f.input)
	if err != nil {
		return err
	}
	defer func() {
		err = cmp.Or(err, reader.Close())
	}()
	var d documents.Document
	for {
		switch err := reader.Read(&d); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return orKeepGoing(err)
		}
		if err := c.add(d.Text); err != nil {
			return err
		}
		p.report(status{step: "counting", count: c.documents, unit: "documents", detail: path})
	}
}

// Limits of a batch: bytes of text and number of documents.
const (
	batchBytes     = 1 << 20
	batchDocuments = 1 << 12
)

// batch holds the texts of several documents, one after the other.
type batch struct {
	texts []byte
	ends  []int
}

// counting counts document frequencies in several goroutines. They take batches in turn, so that
// the table does not depend on scheduling; with a limit, it depends on the number of goroutines.
type counting struct {
	ctx         context.Context // ends when a worker does
	interrupted context.Context // ends when the user says so
	group       *errgroup.Group
	workers     []chan batch
	builders    []*weights.Builder
	limit       int
	documents   int
	turn        int
	next        batch
}

func newCounting(ctx context.Context, analyzer *text.Analyzer, limit, workers int) *counting {
	c := &counting{interrupted: ctx, limit: limit}
	c.group, c.ctx = errgroup.WithContext(ctx)
	for range workers {
		batches, builder := make(chan batch, 1), weights.NewBuilder(analyzer.Options().String(), limit)
		c.workers, c.builders = append(c.workers, batches), append(c.builders, builder)
		local := analyzer.Clone()
		c.group.Go(func() error { return countBatches(c.ctx, batches, local, builder) })
	}
	return c
}

func countBatches(ctx context.Context, batches <-chan batch, analyzer *text.Analyzer, builder *weights.Builder) error {
	var features [][]byte
	for b := range batches {
		from := 0
		for _, end := range b.ends {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			features = analyzer.Append(features[:0], b.texts[from:end])
			builder.Add(features)
			from = end
		}
	}
	return nil
}

// add counts a document. It copies the text.
func (c *counting) add(document []byte) error {
	c.documents++
	c.next.texts = append(c.next.texts, document...)
	c.next.ends = append(c.next.ends, len(c.next.texts))
	if len(c.next.texts) < batchBytes && len(c.next.ends) < batchDocuments {
		return nil
	}
	return c.send()
}

func (c *counting) send() error {
	select {
	case c.workers[c.turn] <- c.next:
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
	c.turn = (c.turn + 1) % len(c.workers)
	c.next = batch{}
	return nil
}

// end returns the table of all documents. It must be called even after an error.
func (c *counting) end() (*weights.Table, error) {
	err := c.send()
	for _, batches := range c.workers {
		close(batches)
	}
	// an interrupt does not wait until a long document is counted
	err = cmp.Or(err, abandon(c.interrupted, c.group.Wait))
	if err != nil {
		return nil, err
	}
	var parts []*weights.Table
	for _, builder := range c.builders {
		parts = append(parts, builder.Table())
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return weights.Merge(c.limit, parts...)
}

// abandon runs work that cannot be cancelled, such as finding the features of a text of 100 MB. If
// the context ends first, abandon returns at once while the work goes on. So the work must leave
// nothing behind, and its results may be used only if abandon returns no error.
func abandon(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
