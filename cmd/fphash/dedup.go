package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/internal/tabular"
)

// dedupFlags are the flags of fphash dedup.
type dedupFlags struct {
	nearFlags
	list, other, labelled string
	update                bool
}

func newDedup() *cobra.Command {
	f := dedupFlags{nearFlags: nearFlags{input: dedupInput{definition: newDefinitionFlags()}}}
	command := &cobra.Command{
		Use:   "dedup [FILE]",
		Short: "Find near-duplicates, exactly, and what to keep",
		Long: `dedup finds all pairs of records whose fingerprints differ in at most k bits, none
missed, and the groups that they form. Its answer fits a screen; --list writes the
pairs, the groups, or the records to keep or drop, and the answer goes to standard
error then. Many files of documents, in a run that can be resumed, and copies of what is
to be kept: fphash dedup-corpus.

FILE, or standard input, has vectors in any format that fphash sketch reads, or
fingerprints as it writes them; or texts, if --text, --id, --features or --documents
says so. It may be packed, or files:DIR, files:ARCHIVE.tar.gz or go-source.

k is 3 of 64 bits unless --k is given, 10 of 64 by MinHash, and in proportion for other
widths, rounded down. fphash calibrate says what each k finds in your data.

A group is what chains of near pairs connect, and its first record is kept, or the one
that --keep names; by --by first a record is kept unless a kept one before it is near.

--verify drops only what is like the record that is kept for it, too, by --by first:
cosine:0.9 of what the fingerprints are made of; of texts also sequence:0.9, nine of ten
words in the same order, jaccard:0.8, of runs of 3 words with all punctuation, and
contained, all of whose runs the kept one has.

--show 20 shows what is dropped beside what is kept for it, the nearest and the farthest
among them. --audit writes such pairs to label; --labelled then says which k is right.

--against FILE drops what is near a record of that file, or of an index of fphash index
build; --update adds what is kept to the index.

--settings auto chooses features, weights, sketch, bits and k as fphash choose does, and
drops what --verify sequence:0.9 says unless --verify or --by components is given.

Among millions of wide fingerprints a large k takes long. --recall 0.95 finds that share
of the pairs that differ in k bits and more of nearer ones, in less time, and says what
it found of the pairs of a sample.

Fingerprints, some 100 bytes a record with their ids, are held in memory; pairs are
not, however many there are. --verify holds vectors, too, and reads texts again. The
columns of the lists, and the rest, are in dedup/README.md.

Exit codes: 0 it has answered, whether there are duplicates or not; 1 it has, but
--keep-going left something out; 2 could not run.`,
		Example: `  fphash dedup vectors.svm.gz
  fphash dedup vectors.svm.gz --list drop --out drop.txt
  fphash dedup vectors.svm.gz --k 6 --verify cosine:0.95 --list groups --format csv
  fphash sketch vectors.svm.gz | fphash dedup --list pairs --format jsonl
  fphash dedup files:texts.tar.gz --weights unit
  fphash dedup go-source --weights unit --list groups
  fphash dedup texts.jsonl --text text --id id --list drop
  fphash dedup texts.jsonl --text text --show 5
  fphash dedup texts.jsonl --text text --verify sequence:0.9 --k 6
  fphash dedup texts.jsonl --text text --k 8 --by first --audit sheet.csv
  fphash dedup vectors.svm --against vectors.svm.gz --list keep`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%d files: expected one, or many of documents by dedup-corpus FILES --out FOLDER", len(args))
			}
			if f.labelled != "" {
				if cmd.Flags().NFlag() > 1 {
					return errors.New("--labelled: expected alone: the sheet has all that is asked for")
				}
				return f.runLabelled(cmd.Context(), args, cmd.OutOrStdout())
			}
			return f.run(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	f.nearFlags.register(flags)
	choice(flags, &f.list, "list", "", "what to write: %s (default the answer for people)", dedup.Lists())
	choice(flags, &f.format, "format", tabular.Text, "format of the list: %s", tabular.Formats())
	outFlag(flags, &f.out)
	flags.StringVar(&f.other, "against", "", "compare with the records of this file or index, not with each other; drop what is near one of them")
	flags.BoolVar(&f.update, "update", false, "with --against INDEX: compare what is left with each other, too, and add what is kept to the index")
	flags.StringVar(&f.labelled, "labelled", "", "say how precise each k is, by this sheet of --audit that people have labelled; there is no FILE then")
	f.input.register(flags)
	kernelFlag(flags)
	return command
}

func (f *dedupFlags) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	options, err := f.options()
	if err != nil {
		return err
	}
	p := newProgress(stderr)
	defer p.clear()
	f.input.ctx, f.input.stdin, f.input.stderr, f.input.progress = ctx, stdin, stderr, p
	f.input.wantVectors = f.verify != "" && !f.input.texts.given()
	if err := f.autoSettings(ctx, args, p, stderr); err != nil {
		return err
	}
	index, err := f.openIndex(stderr)
	if err != nil {
		return err
	}
	defer index.close()
	reread, rereadAgainst, err := f.rereads(args, index)
	if err != nil {
		return err
	}
	if options.Prefer, err = f.preference(args); err != nil {
		return err
	}
	records, err := f.read(args, &options, index)
	if err != nil {
		return err
	}
	if f.verify != "" {
		texts, err := f.verifyBy(ctx, records, &options, reread, rereadAgainst)
		if err != nil {
			return err
		}
		defer texts.Close()
	}
	if options.K, err = f.threshold(records.Set.Definition, records.Set.Bits); err != nil {
		return err
	}
	options.Progress = joinProgress(p, records, options.Against)
	if f.explain {
		options.Explain = explainTo(p, stderr)
	}
	result, err := dedup.Find(ctx, records, options)
	if err != nil {
		return err
	}
	kept, err := index.kept(result)
	if err != nil {
		return err
	}
	if err := f.write(ctx, result, reread, p, stdout, stderr); err != nil {
		return err
	}
	if err := index.update(ctx, kept, p, stderr); err != nil {
		return err
	}
	return f.input.verdict()
}

// options turns flags into options, as far as they go without the fingerprints.
func (f *dedupFlags) options() (o dedup.Options, err error) {
	if f.other == "" {
		f.verifySettings()
	}
	if err := f.check(); err != nil {
		return o, err
	}
	if f.list == "" && f.changed("format") {
		return o, fmt.Errorf("--format %s: expected --list %s with it", f.format, strings.Join(dedup.Lists(), "|"))
	}
	if f.other != "" && f.list == dedup.ListGroups {
		return o, errors.New("--list groups: expected pairs, keep or drop with --against, where there are no groups")
	}
	if f.other != "" && f.changed("by") && !f.update {
		return o, fmt.Errorf("--by %s: expected only without --against, where there are no groups, or with --update", f.by)
	}
	if f.shows() && f.other != "" {
		return o, errors.New("--show and --audit: expected only without --against, where no record is kept for another")
	}
	if f.update && f.changed("recall") {
		return o, errors.New("--recall: expected only without --update")
	}
	if f.update && f.verify != "" {
		return o, errors.New("--verify: expected only without --update")
	}
	if f.keep != keepFirst && f.other != "" {
		return o, fmt.Errorf("--keep %s: expected only without --against, where no record is kept for another", f.keep)
	}
	if f.update && !f.changed("by") { // as if the index had been there from the first record on
		f.by = dedup.First
	}
	return dedup.Options{K: f.k, By: f.by, Among: f.update, Recall: float64(f.recall), Workers: f.input.workers}, nil
}

// preference returns which record of a group is kept, nil for the first. It is called before FILE
// is read.
func (f *dedupFlags) preference(args []string) (*dedup.Preference, error) {
	p, err := parseKeep(f.keep)
	if err != nil || p.name == "" {
		return nil, err
	}
	var values dedup.Reread
	if f.input.texts.given() && len(args) > 0 {
		values, err = f.input.again(args[0], p.valuesAgain(&f.input, f.input.report))
	}
	if err == nil && values == nil {
		err = fmt.Errorf("--keep %s: expected FILE of documents, which is read again", f.keep)
	}
	return &dedup.Preference{Name: p.name, Values: values}, err
}
