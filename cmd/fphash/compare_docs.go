package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"simhashkit/datasets/text/weights"
	"simhashkit/explain"
)

// compareDocsFlags are the flags of fphash compare-docs.
type compareDocsFlags struct {
	weighing    weighingFlags
	definition  definitionFlags
	k, words    int
	format, out string
}

func newCompareDocs() *cobra.Command {
	f := compareDocsFlags{definition: newDefinitionFlags()}
	command := &cobra.Command{
		Use:   "compare-docs A B",
		Short: "Say whether two texts are near-duplicates, and why",
		Long: `compare-docs says whether the fingerprints of two texts differ in at most k bits,
what the cosine of their vectors is, which words weigh most in them, and which make
the difference. It says as well when a text is too short for k, which is when k finds
less than half of the changes of one word: the cosine after such a change, the part
that k finds by the model (each bit differs with probability angle/π), and which k
finds 95%. With words that is so below some 400 characters.

A and B are one text each in UTF-8, plain or compressed with gzip, zstd or bzip2; -
is standard input.

` + featuresHelp + `

Exit codes: 0 near-duplicates; 1 not, or a text without words; 2 could not run.`,
		Example: `  fphash compare-docs a.txt b.txt
  fphash compare-docs -k 12 --features characters,n=3,nfkc,fold a.txt b.txt
  fphash compare-docs --weights log --hash md5 --bits 128 -k 24 a.txt b.txt
  fphash compare-docs --format json --out comparison.json a.txt b.txt`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.IntVarP(&f.k, "k", "k", 3, "near-duplicates differ in at most so many bits")
	flags.IntVar(&f.words, "words", 8, "words to list, of those that weigh most and of those that differ most")
	flags.IntVar(&f.weighing.top, "top", 0, "take only so many words of each text, those that weigh most; 0 takes all")
	f.weighing.register(flags)
	f.definition.register(flags, "hash", "bits", "widen", "seed", "tie", "order")
	flags.StringVar(&f.format, "format", "text", "format of the output: "+joined(explain.Formats()))
	flags.StringVarP(&f.out, "out", "o", "", "file for the output, packed if it ends in .gz or .zst (default standard output)")
	return command
}

func (f *compareDocsFlags) run(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	if err := f.check(args); err != nil {
		return err
	}
	sketcher, err := f.definition.sketcher(0)
	if err != nil {
		return err
	}
	if f.k > sketcher.Bits() {
		return fmt.Errorf("-k %d: expected 0 to %d, the width of the fingerprints", f.k, sketcher.Bits())
	}
	if err := tryOutputs(f.out); err != nil {
		return err
	}
	files, err := readTexts(ctx, stdin, args)
	if err != nil {
		return err
	}
	var compared [2]explain.Document
	err = abandon(ctx, func() error {
		weigher, err := f.weighing.weigh(ctx, files, usual{features: usualFeatures, scheme: weights.Count})
		if err != nil {
			return err
		}
		for i, file := range files {
			compared[i] = explain.Document{Name: file.name, Characters: utf8.RuneCount(file.text), Vector: weigher.Weigh(file.features).Clone()}
		}
		return nil
	})
	if err != nil {
		return err
	}
	c, err := explain.Compare(compared[0], compared[1], explain.Options{Sketcher: sketcher, K: f.k, Words: f.words})
	if err != nil {
		return err
	}
	err = writeTo(f.out, stdout, func(out io.Writer) error { return c.Write(out, f.format) })
	switch {
	case err != nil:
		return err
	case !c.Comparable():
		return answerNo{"the documents cannot be compared"}
	case !c.Near():
		return answerNo{"the documents are no near-duplicates"}
	}
	return nil
}

// check refuses what is out of range, before any file is read.
func (f *compareDocsFlags) check(args []string) error {
	if err := expectOneOf("--format", f.format, explain.Formats()); err != nil {
		return err
	}
	switch {
	case f.k < 0:
		return fmt.Errorf("-k %d: expected 0 or more", f.k)
	case f.words < 0:
		return fmt.Errorf("--words %d: expected 0 or more", f.words)
	case f.weighing.top < 0:
		return fmt.Errorf("--top %d: expected 0 or more", f.weighing.top)
	case args[0] == "-" && args[1] == "-":
		return errors.New("A and B are both -: expected standard input once")
	}
	return f.weighing.check()
}
