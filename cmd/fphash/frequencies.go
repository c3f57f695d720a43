package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/internal/english"
)

// frequenciesFlags are the flags of fphash data frequencies.
type frequenciesFlags struct {
	input     documents.Options
	features  string
	keepGoing bool
	out       string
}

func newDataFrequencies() *cobra.Command {
	var f frequenciesFlags
	command := &cobra.Command{
		Use:   "frequencies DOCUMENTS...",
		Short: "Count the documents that contain each word, for TF-IDF",
		Long: `frequencies counts how many documents contain each feature, and writes the table that
TF-IDF weights need (--table of sketch). DOCUMENTS are files, folders and tar
archives of texts, or patterns such as 'corpus/*.jsonl.gz'.

` + featuresHelp + `

The table is a text file. It begins with the number of documents and the definition of
the features. Then there is a line for each feature: the feature, a tab and its number of
documents. If the command fails, no file is written. Memory use is about 100 bytes for
each feature.

Exit codes: 0 done, 1 --keep-going left records out, 2 could not run.`,
		Example: `  fphash data frequencies --documents files --out table.tsv.gz texts
  fphash data frequencies --text body --out table.tsv 'corpus/*.jsonl'
  fphash data frequencies --features words,n=2,fold texts >table.tsv`,
		Args: cobra.MinimumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	suggestion(flags, &f.input.Format, "documents", documents.Auto, "%s", documents.Formats())
	flags.StringVar(&f.input.Text, "text", "", `field or column of the text (default "text")`)
	flags.StringVar(&f.input.Charset, "charset", "", charsetUsage)
	suggestion(flags, &f.features, "features", usualFeatures, featuresUsage, featureKinds)
	keepGoingFlag(flags, &f.keepGoing)
	flags.StringVarP(&f.out, "out", "o", "", "output `file`, compressed if it ends in .gz or .zst (default stdout)")
	return command
}

func (f *frequenciesFlags) run(cmd *cobra.Command, args []string) error {
	bad, stderr := 0, cmd.ErrOrStderr()
	if f.keepGoing {
		f.input.OnError = func(err error) {
			bad++
			fmt.Fprintln(stderr, "fphash:", err)
		}
	}
	counted, err := f.count(cmd.Context(), args, stderr)
	if err != nil {
		return err
	}
	if err := writeTo(f.out, cmd.OutOrStdout(), counted.Write); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s, %s\n", english.Count(int(counted.Documents()), "document"), english.Count(counted.Len(), "different feature"))
	return leftOut(bad, "malformed record")
}

func (f *frequenciesFlags) count(ctx context.Context, patterns []string, stderr io.Writer) (*weights.Builder, error) {
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
	builder := weights.NewBuilder(analyzer.Options().String())
	for _, path := range paths {
		if err := f.countFile(ctx, builder, analyzer, path, p); err != nil {
			return nil, err
		}
	}
	if builder.Documents() == 0 {
		return nil, errors.New("no documents in " + paths[0])
	}
	return builder, nil
}

func (f *frequenciesFlags) countFile(ctx context.Context, b *weights.Builder, analyzer *text.Analyzer, path string, p *progress) (err error) {
	reader, err := documents.Open(ctx, path, f.input)
	if err != nil {
		return err
	}
	defer func() {
		err = cmp.Or(err, reader.Close())
	}()
	var d documents.Document
	var features [][]byte
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch err := reader.Read(&d); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return withFlags(err)
		}
		features = analyzer.Append(features[:0], d.Text)
		b.Add(features)
		p.report(status{step: "counting", count: int(b.Documents()), unit: "documents", detail: path})
	}
}
