package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/source"
	"simhashkit/internal/docformat"
	"simhashkit/internal/english"
)

// frequenciesFlags are the flags of fphash data frequencies.
type frequenciesFlags struct {
	hints     source.Hints
	features  string
	keepGoing bool
	out       string
}

func newDataFrequencies() *cobra.Command {
	var f frequenciesFlags
	command := &cobra.Command{
		Use:   "frequencies DOCUMENTS...",
		Short: "Count the documents that contain each word, for TF-IDF",
		Args:  cobra.MinimumNArgs(1),
		RunE:  f.run,
	}
	flags := command.Flags()
	suggestion(flags, &f.hints.Format, "documents", docformat.Auto, "%s", docformat.Names())
	flags.StringVar(&f.hints.Text, "text", "", `field or column of the text (default "text")`)
	flags.StringVar(&f.hints.Charset, "charset", "", charsetUsage)
	suggestion(flags, &f.features, "features", usualFeatures, featuresUsage, featureKinds)
	keepGoingFlag(flags, &f.keepGoing)
	flags.StringVarP(&f.out, "out", "o", "", "output `file`, compressed if it ends in .gz or .zst (default stdout)")
	return command
}

func (f *frequenciesFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	analyzer, err := analyzerOf(f.features)
	if err != nil {
		return err
	}
	f.hints.Texts, f.hints.Once = slices.ContainsFunc(textNames, cmd.Flags().Changed), true
	s, err := source.Open(ctx, args, f.hints)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Kind != source.Texts {
		return fmt.Errorf("%s contains %s: expected texts, whose words are counted; if it has texts, name their format with --documents", s.Name, s.Kind)
	}
	bad := 0
	options := s.Options(nil)
	options.ID = "" // not needed
	if f.keepGoing {
		options.OnError = func(err error) {
			bad++
			fmt.Fprintln(stderr, "fphash:", err)
		}
	}
	counted, err := count(ctx, args, options, analyzer, newProgress(stderr))
	if err != nil {
		return withFlags(err)
	}
	if counted.Documents() == 0 {
		return errors.New("no documents in " + s.Name)
	}
	if err := writeTo(f.out, cmd.OutOrStdout(), counted.Write); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s, %s\n", english.Count(int(counted.Documents()), "document"), english.Count(counted.Len(), "different feature"))
	return leftOut(bad, "malformed record")
}

// count counts the documents with each feature.
func count(ctx context.Context, paths []string, options documents.Options, analyzer *text.Analyzer, p *progress) (_ *weights.Builder, err error) {
	defer p.clear()
	files, err := documents.Expand(paths)
	if err != nil {
		return nil, err
	}
	reader, err := documents.OpenAll(ctx, files, options)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, reader.Close()) }()
	builder := weights.NewBuilder(analyzer.Options().String())
	var d documents.Document
	var features [][]byte
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		switch err := reader.Read(&d); err {
		case nil:
		case io.EOF:
			return builder, nil
		default:
			return nil, err
		}
		features = analyzer.Append(features[:0], d.Text)
		builder.Add(features)
		p.report(status{step: "counting", count: int(builder.Documents()), unit: "documents", detail: d.File})
	}
}
