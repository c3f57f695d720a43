package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/english"
)

func newIndex() *cobra.Command {
	command := &cobra.Command{
		Use:   "index",
		Short: "Keep fingerprints in a file that can be searched",
		Long: `index keeps fingerprints and their ids in a file, and finds all entries within k bits of
a fingerprint. The file survives crashes. One process at a time may write it, any number
may read it.`,
	}
	command.AddCommand(newIndexBuild(), newIndexAdd(), newIndexDelete(), newIndexQuery(), newIndexInfo(), newIndexVerify(), newIndexCompact())
	return command
}

// indexInput describes, in help, what the commands read.
const indexInput = `FILE, or standard input, has texts, vectors or fingerprints, as fphash dedup reads them.`

// indexMade describes, in help, how records get fingerprints.
const indexMade = `Texts and vectors get fingerprints by the definition and features of the index.`

// indexRecords reads the records to be added to an index or searched in it.
type indexRecords struct {
	input dedupInput
	cmd   *cobra.Command
	build bool // the index is new

	candidates *dedup.Candidates // the default fingerprints of texts, where a new index has these
}

func newIndexRecords() *indexRecords {
	return &indexRecords{input: dedupInput{definition: newDefinitionFlags()}}
}

func (x *indexRecords) register(command *cobra.Command) {
	x.cmd = command
	x.input.register(command.Flags())
	hideFlags(command.Flags(), sketchFlagsRare)
}

// each reads the records of the named file or standard input, and calls take for each batch. doing
// names the work for the progress. The returned records have only counts.
func (x *indexRecords) each(args []string, p *progress, doing string, take func(*dedup.Records) error) (*dedup.Records, error) {
	d := &x.input
	d.ctx, d.stdin, d.stderr, d.progress, d.doing = x.cmd.Context(), x.cmd.InOrStdin(), x.cmd.ErrOrStderr(), p, doing
	d.take = func(records *dedup.Records) error {
		if err := d.unused(); err != nil { // before anything is done with them
			return err
		}
		return take(records)
	}
	args, err := fileOrData(args, d.data)
	if err != nil {
		return nil, err
	}
	defer p.clear()
	if args, err = d.openPipe(args); err != nil {
		return nil, err
	}
	kind, err := d.detect(args)
	if err != nil {
		return nil, err
	}
	defining := slices.Concat(definitionNames, []string{"features", "weights", "table", "word-weights"})
	if x.build && kind == textInput && !slices.ContainsFunc(defining, d.changed) {
		spec := dedup.Spec{Similarity: dedup.DefaultTextSimilarity, Recall: dedup.DefaultRecall}
		d.apply(spec)
		c := spec.Candidates()
		x.candidates = &c
	}
	return d.read(args, kind)
}

// follow sets the definition and the features to those of the index, unless flags define others.
// Texts must have its features.
func (d *dedupInput) follow(name string, info indexfile.Info) error {
	d.indexed, d.features = name, info.Features
	d.texts.follow(info.Features)
	if info.Definition == "" {
		return nil
	}
	for _, name := range definitionNames {
		if name != "key" && d.changed(name) {
			return nil
		}
	}
	to, err := fphash.ParseDefinition(info.Definition)
	if err == nil {
		d.definition.Definition = fphash.Definition{Hash: to.Hash, Sketch: to.Sketch, Encoding: to.Encoding, Bits: to.Bits, Widen: to.Widen, Tie: to.Tie, Order: to.Order, Seed: to.Seed}
	}
	return err
}

// assumeDefinition assumes that records and others have the same definition if only one side states
// it (lines of digits do not), and says so once. If both state one, the comparison refuses a
// difference.
func (d *dedupInput) assumeDefinition(records *dedup.Records, name string, other *index.Set) {
	set := &records.Set
	if set.Definition == other.Definition || set.Definition != "" && other.Definition != "" {
		return
	}
	if silent := records.Name; !d.assumed {
		if set.Definition != "" {
			silent = name
		}
		d.assumed = true
		fmt.Fprintf(d.stderr, "fphash: %s does not say how its fingerprints were made; they are taken for those of %s\n", silent, cmp.Or(set.Definition, other.Definition))
	}
	set.Definition = other.Definition
}

// newEntries returns empty entries with ids that are texts or numbers.
func newEntries(texts bool) *indexfile.Entries {
	if texts {
		return &indexfile.Entries{Texts: []string{}}
	}
	return &indexfile.Entries{Set: index.Set{IDs: []uint64{}}}
}

// entriesOf returns the records with fingerprints as entries of an index.
func entriesOf(records *dedup.Records, texts bool, keep func(position int) bool) (*indexfile.Entries, error) {
	e := newEntries(texts)
	return e, appendEntries(e, records, keep)
}

// appendEntries appends the records with fingerprints to entries of an index.
func appendEntries(e *indexfile.Entries, records *dedup.Records, keep func(position int) bool) error {
	set := &records.Set
	e.Bits, e.Definition = set.Bits, set.Definition
	for i := range set.Len() {
		if !keep(i) {
			continue
		}
		id := records.ID(int(set.ID(i)))
		if e.Texts != nil {
			e.Texts = append(e.Texts, id)
		} else {
			number, err := strconv.ParseUint(id, 10, 64)
			if err != nil {
				return fmt.Errorf("%s: id %.60q: expected a number below 2^64, as all ids of the index are", records.Name, id)
			}
			e.IDs = append(e.IDs, number)
		}
		e.Words = append(e.Words, set.At(i)...)
	}
	return nil
}

func all(int) bool { return true }

// unfingerprinted prints how many records have no fingerprint.
func unfingerprinted(stderr io.Writer, records *dedup.Records) {
	if n := records.WithoutFingerprint(); n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s no information (%s) and %s not in the index\n", n,
			english.Plural(n, "record carries", "records carry"), whyWithout(madeByMinHash(records.Set.Definition)), english.Plural(n, "is", "are"))
	}
}

// mended prints what was repaired after a crash.
func mended(stderr io.Writer, w *indexfile.Writer) {
	if w.Torn() != "" {
		fmt.Fprintf(stderr, "fphash: the end of the index was mended: %s\n", w.Torn())
	}
}

// indexSize describes the number of entries, and whether compacting would make opening faster.
func indexSize(w *indexfile.Writer) string {
	n := w.Len()
	text := fmt.Sprintf("%d %s in the index", n, english.Plural(n, "entry", "entries"))
	if w.LogBytes() > 64<<20 {
		text += "; fphash index compact makes it open faster"
	}
	return text
}
