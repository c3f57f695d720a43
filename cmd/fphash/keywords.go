package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"simhashkit/datasets/text/weights"
	"simhashkit/explain"
)

// keywordsFlags are the flags of fphash keywords.
type keywordsFlags struct {
	weighing    weighingFlags
	top         int
	format, out string
}

func newKeywords() *cobra.Command {
	var f keywordsFlags
	command := &cobra.Command{
		Use:   "keywords FILE...",
		Short: "Say what texts are about: their words of the greatest weight",
		Long: `keywords lists the words of each text that weigh most. A FILE is one text in
UTF-8, plain or compressed with gzip, zstd or bzip2; - is standard input.

Of several files, words weigh by TF-IDF: those that stand often in this text and in
few of the others. Of one file they weigh by TextRank: those that stand near many
others. Chinese texts have TF-IDF by a table that is built in. --table has the
document frequencies of a corpus of yours.

Words are those of English without the commonest, and in Chinese and Japanese texts
those of a dictionary, which takes some seconds to load.

` + featuresHelp + `

--format list writes a word, a tab and its weight a line, the form of
--word-weights.`,
		Example: `  fphash keywords a.txt b.txt
  fphash keywords --top 22 a.txt
  fphash keywords --weights textrank --features words,lang=fr,fold,stop a.txt b.txt
  fphash keywords --format list --out weights.tsv a.txt b.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.IntVar(&f.top, "top", 20, "keywords of each text")
	f.weighing.register(flags)
	flags.StringVar(&f.format, "format", "text", "format of the output: "+joined(explain.KeywordFormats()))
	flags.StringVarP(&f.out, "out", "o", "", "file for the output, packed if it ends in .gz or .zst (default standard output)")
	return command
}

func (f *keywordsFlags) run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	if err := expectOneOf("--format", f.format, explain.KeywordFormats()); err != nil {
		return err
	}
	if f.top < 1 {
		return fmt.Errorf("--top %d: expected 1 or more", f.top)
	}
	if err := f.weighing.check(); err != nil {
		return err
	}
	if err := tryOutputs(f.out); err != nil {
		return err
	}
	files, err := readTexts(ctx, stdin, args)
	if err != nil {
		return err
	}
	var found []explain.Keywords
	err = abandon(ctx, func() error {
		weigher, err := f.weighing.weigh(ctx, files, usualKeywords(files))
		if err != nil {
			return err
		}
		for _, file := range files {
			v := weigher.Weigh(file.features)
			found = append(found, explain.Keywords{Name: file.name, Features: v.Len(), Keywords: v.Top(f.top)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeTo(f.out, stdout, func(out io.Writer) error { return explain.WriteKeywords(out, found, f.weighing.how(), f.format) })
}

// usualKeywords chooses by the texts. Those that are neither Chinese nor Japanese are taken for
// English: without stop words they would all be about "the".
func usualKeywords(files []textFile) usual {
	u := usual{features: "words,lang=en,nfkc,fold,stop", scheme: weights.TextRank}
	if len(files) > 1 {
		u.scheme = weights.TFIDF
	}
	switch languages := languagesOf(files); {
	case len(languages) == 1 && languages[0] == "zh":
		u.table = chineseTable
	case slices.Contains(languages, "zh") || slices.Contains(languages, "ja"):
		u.features = "words,lang=auto+ja+zh,nfkc,fold"
	}
	return u
}
