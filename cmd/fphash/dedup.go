package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/bench/calibrate"
	"simhashkit/dedup"
	"simhashkit/explain"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
)

// dedupFlags are the flags of fphash dedup.
type dedupFlags struct {
	input                                dedupInput
	k                                    int
	by, list, format, out, verify, other string
	explain, update                      bool
	corpus                               corpusFlags
	kernel                               string
	changed                              func(flag string) bool
}

func newDedup() *cobra.Command {
	f := dedupFlags{input: dedupInput{definition: newDefinitionFlags()}}
	command := &cobra.Command{
		Use:   "dedup [FILE]",
		Short: "Find near-duplicates, exactly, and what to keep",
		Long: `dedup finds all pairs of records whose fingerprints differ in at most k bits, none
missed, and the groups that they form. Its answer fits a screen; --list writes the
pairs, the groups, or the records to keep or drop, and the answer goes to standard
error then.

FILE, or standard input, has vectors, in any format that fphash sketch reads, whose
fingerprints are computed as it does, or fingerprints as it writes them: text,
jsonl, csv, parquet, npy, binary; all of it plain or compressed. It may also be
files:DIR, files:ARCHIVE.tar.gz or go-source. Ids are those of sketch, and need not differ: a
warning names one that makes a list ambiguous.

With --text, --id, --features or --documents, FILE has texts: JSON lines, CSV or TSV
with a field that holds the text, one document a line, a folder or a tar archive of
files. The format is found out; --documents names it where that is wrong.

--in is for many files of documents, in a run that can be killed and taken up again.
The folder --out gets a file of attributes for each: id, fingerprint, cluster_id (none
for records without near-duplicates) and is_canonical (the one to keep of its group).
Fingerprints stay there, in fphash-run: the same command again computes those of new
and changed files only, and another --k or --by none at all. --remove writes the records
to keep as they were. --shard 2/8 computes the fingerprints of each eighth file, so that
eight processes can share the work; the command without it comes last. A folder whose
files are a document each (texts in .txt, or anything with --documents files) is one
input: its ids are paths, and --remove copies the files to keep.

Which near records are duplicates of which, --by says:
  components  chains of near pairs make a group, of which the first is kept
  first       a record is kept unless one before it that is kept is near
Of a chain a~b~c with a and c apart, components keep a, first keeps a and c.

k is 3 of 64 bits unless --k is given, and in proportion for other widths, rounded
down. fphash calibrate says what each k finds in your vectors.

Lists (columns of jsonl and csv; text has tabs between them, and no names):
  pairs   a, b, distance, and cosine with --verify
  groups  id, fingerprint, cluster_id, is_canonical (the one to keep), distance
          from that one; text: cluster_id, id, yes or no, distance
  keep    id, fingerprint; text: id
  drop    as keep

--against compares each record with those of another file, not with each other: two that
are near each other alone are both kept. It may name an index of fphash index build, by
whose definition vectors get their fingerprints then.

--update adds to the index what is kept, so that the next file is compared with it, too.
Records that are near no entry are then compared with each other as well, --by first
unless it is given: what is kept does not depend on how records are divided into files.
--list pairs has the pairs with entries alone. Where the id of one that is kept is in
the index already, or stands for two of them, nothing is written.

Where one feature outweighs all others of its vector it decides the fingerprint
alone, and strangers that share it look like copies: a row of dashes in a text, the
one high peak of a spectrum. --verify counts such pairs and drops them;
--weights unit, where presence is what matters, has none of them.

--unsure 4 masks the 4 bits of each fingerprint whose sums are nearest to zero, which an
edit turns first: what is within k outside both masks is near. With 64 bits and k = 3
that finds 94 of 100 pairs of cosine 0.98, and 59 at 0.95; plain k = 5, which lets as
many strangers pass, finds 79 and 38. METHODOLOGY.md says where it gains nothing.
fphash sketch --unsure writes such masks; files with masks need no flag here.

A vector without information (empty, or all sums zero) has no fingerprint here: it
is kept, and a duplicate of nothing. Text and binary do not say which these were;
there, and in npy, zeros alone count as none, from 32 bits on.

Fingerprints, some 100 bytes a record with their ids, are held in memory; pairs are
not, however many there are. --verify holds the vectors, too. With --in it is some 50
bytes a record, up to 650 with --unsure, and where that is more than --memory they are
compared on disk, in temporary files of some 32 bytes a record in the folder --out, or
62 with --unsure 4.

Exit codes: 0 it has answered, whether there are duplicates or not; 1 it has, but
--keep-going left something out; 2 could not run.`,
		Example: `  fphash dedup vectors.svm.gz
  fphash dedup vectors.svm.gz --list drop --out drop.txt
  fphash dedup vectors.svm.gz --k 6 --verify cosine:0.95 --list groups --format csv
  fphash sketch vectors.svm.gz | fphash dedup --list pairs --format jsonl
  fphash dedup files:texts.tar.gz --weights unit
  fphash dedup go-source --weights unit --list groups
  fphash dedup texts.jsonl --text text --id id --list drop
  fphash dedup vectors.svm.gz --unsure 4
  fphash dedup --in 'texts.jsonl' --text text --id id --out attributes --remove kept
  fphash dedup vectors.svm --against vectors.svm.gz --list keep`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("%d files: expected one, or many of documents by dedup --in FILES --out FOLDER", len(args))
			}
			f.changed = cmd.Flags().Changed
			return f.run(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.IntVarP(&f.k, "k", "k", 0, "bits in which near-duplicates differ, at most (default 3 of 64, in proportion)")
	flags.StringVar(&f.by, "by", dedup.Components, "what a group is: "+joined(dedup.Ways()))
	flags.StringVar(&f.list, "list", "", "what to write: "+joined(dedup.Lists())+" (default the answer for people)")
	flags.StringVar(&f.format, "format", "", "format of the list: "+joined(tabular.Formats())+"; with --in, of the attributes: "+joined(attributeFormats()))
	flags.StringVarP(&f.out, "out", "o", "", "file for the output, packed if it ends in .gz or .zst (default standard output)")
	flags.StringVar(&f.other, "against", "", "compare with the records of this file or index, not with each other; drop what is near one of them")
	flags.BoolVar(&f.update, "update", false, "with --against INDEX: compare what is left with each other, too, and add what is kept to the index")
	flags.StringVar(&f.verify, "verify", "", "recheck pairs on the vectors: cosine:0.95 counts those alone of at least that cosine")
	flags.BoolVar(&f.explain, "explain", false, "say on standard error how the pairs are found, and at what cost")
	f.corpus.register(flags)
	f.input.register(command, flags)
	kernelFlag(command, &f.kernel)
	return command
}

func (f *dedupFlags) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	options, err := f.options()
	if err != nil {
		return err
	}
	if err := f.refuseCorpus(args); err != nil {
		return err
	}
	if err := capKernel(f.kernel); err != nil {
		return err
	}
	p := newProgress(stderr)
	defer p.clear()
	if len(f.corpus.in) > 0 {
		return f.runCorpus(ctx, p, stdout, stderr)
	}
	if err := tryOutputs(f.out); err != nil {
		return err
	}
	f.input.ctx, f.input.stdin, f.input.stderr, f.input.progress, f.input.wantVectors = ctx, stdin, stderr, p, options.Cosine > 0
	index, err := f.openIndex(stderr)
	if err != nil {
		return err
	}
	defer index.close()
	records, err := f.read(args, &options, index)
	if err != nil {
		return err
	}
	bits := records.Set.Bits
	if !f.changed("k") {
		options.K = dedup.DefaultK(bits)
	} else if f.k < 0 || f.k >= bits {
		return fmt.Errorf("--k %d: expected 0 to %d, less than the %d bits of the fingerprints", f.k, bits-1, bits)
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
	if err := f.write(ctx, result, p, stdout, stderr); err != nil {
		return err
	}
	if err := index.update(ctx, kept, p, stderr); err != nil {
		return err
	}
	return f.input.verdict()
}

// explainTo writes how the pairs are found.
func explainTo(p *progress, stderr io.Writer) func(join.Plan) {
	return func(plan join.Plan) {
		p.clear()
		fmt.Fprintln(stderr, plan)
	}
}

// tooShort says, of texts that are mostly too short for k, what k finds of them after a change of
// one feature; nothing of others, and of one alone. It names no greater k: what that lets pass of
// other texts depends on the texts, and calibrate measures it on them.
func (f *dedupFlags) tooShort(r *dedup.Result) string {
	median := f.input.sizes.Median()
	if median == 0 || r.Records.Len() < 2 {
		return ""
	}
	change := explain.ChangeOf(median, r.Records.Set.Bits, r.K)
	if !change.Missed() {
		return ""
	}
	found := english.Hundred(change.Finds) + "%"
	if change.Finds < 0.001 {
		found = "hardly any"
	}
	return fmt.Sprintf("Most texts here are short: half have at most %d %s, and with one of %d changed k = %d finds %s of the copies. What other settings find in yours, and what they let pass: fphash calibrate, with the same --text and --features.",
		median, english.Plural(median, "feature", "features"), median, r.K, found)
}

// notes says why k is what it is, and what it finds by theory.
func (f *dedupFlags) notes(r *dedup.Result) dedup.Notes {
	bits := r.Records.Set.Bits
	own := max(f.input.definition.unsure, r.Records.Set.Unsure()) // files of fingerprints may have masks
	other := own
	if r.Against != nil {
		other = r.Against.Set.Unsure()
	}
	// Of two strangers each masks bits of its own.
	unsure, sure := max(own, other), bits-own-other+own*other/bits
	notes := dedup.Notes{WhyK: "the default for this width", Unsure: unsure, Chance: calibrate.Model(sure, 0)[min(r.K, sure)]}
	if f.changed("k") {
		notes.WhyK = "as given"
	}
	if !f.input.texts.given() {
		notes.Finder = "What each k finds in your vectors: fphash calibrate DATA."
	}
	if unsure > 0 {
		return notes // what theory says is about distances of all bits
	}
	notes.Short = f.tooShort(r)
	for _, cosine := range []float64{0.99, 0.98, 0.95} {
		notes.Finds = append(notes.Finds, dedup.Finds{Cosine: cosine, Part: calibrate.Model(bits, cosine)[r.K]})
	}
	return notes
}
