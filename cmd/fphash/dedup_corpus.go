package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/datasets/text/weights"
	"simhashkit/dedup/corpus"
	"simhashkit/dedup/corpus/parquet"
	"simhashkit/internal/bytesize"
)

// corpusFlags are the flags of fphash dedup-corpus.
type corpusFlags struct {
	nearFlags
	patterns      []string // arguments
	against       []string
	remove, shard string
	duplicates    bool
	prune, force  bool
	memory        bytesize.Size
}

func newDedupCorpus() *cobra.Command {
	f := corpusFlags{nearFlags: nearFlags{input: dedupInput{definition: newDefinitionFlags()}}, memory: corpus.DefaultMemory}
	command := &cobra.Command{
		Use:   "dedup-corpus FILES --out FOLDER",
		Short: "Find near-duplicates in many files of documents, in a run that resumes",
		Long: `dedup-corpus does what dedup does for documents in many files, as one set: files,
patterns such as 'corpus/*.parquet', and folders. It can be killed and taken up again,
and holds some 50 bytes a document, or less where --memory says so.

The folder --out gets a file of attributes for each input: id, fingerprint, cluster_id
(none for records without near-duplicates) and is_canonical (the one to keep of its
group). Fingerprints stay there, in fphash-run: the same command again computes those of
new and changed files only, and another --k or --by none at all.

--remove writes the records to keep as they were. A copy gets its name only if each
document of its input, which is still the one that was compared, is kept, dropped or
left out by --keep-going.

--against OLD compares with documents of before in place of each other, and drops what
is near one: its attributes name that. OLD is files, the folder of another run, or an
index. There are no groups then, for --by or --keep, and no old texts to read again, for
--verify, --show or --audit.

--settings auto chooses features, weights, sketch, bits and k as fphash choose does,
once: runs to come in that folder, and those --against it, take what it has chosen. It
drops what --verify sequence:0.9 says unless --verify or --by components is given;
--against a run, whose texts are not read again, it drops all that is within k.

--keep says which document of a group is kept, and --prune deletes what is there of
inputs that have gone. --show 20 shows what is dropped beside what is kept for it.

--shard 2/8 computes the fingerprints of each eighth file, so that eight processes can
share the work; the command without it comes last.

A folder whose files are a document each (texts in .txt, or anything with --documents
files) is one input: its ids are paths, and --remove copies the files to keep.

dedup/corpus/README.md has the rest: what is written, what may change between runs, and
how much memory it takes.

Exit codes: 0 it has answered, whether there are duplicates or not; 1 it has, but
--keep-going left something out; 2 could not run.`,
		Example: `  fphash dedup-corpus texts.jsonl --text text --id id --out attributes
  fphash dedup-corpus texts.jsonl --text text --id id --out attributes \
      --k 4 --remove kept
  fphash dedup-corpus '*.jsonl' --text text --out parts --shard 1/2`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "out", "o", "", "`folder` of the attributes, and of what a run has done")
	flags.StringVar(&f.remove, "remove", "", "write the records to keep into this `folder`, too")
	choice(flags, &f.format, "format", corpus.JSONLines.Name, "format of the attributes: %s", attributeFormats())
	flags.StringArrayVar(&f.against, "against", nil, "compare with these `old` documents, not with each other: files, a run's folder or an index")
	flags.BoolVar(&f.prune, "prune", false, "delete what runs before have written for inputs that are none of this run")
	flags.BoolVar(&f.duplicates, "only-duplicates", false, "leave records without near-duplicates out of the attributes")
	f.nearFlags.register(flags)
	flags.StringVar(&f.shard, "shard", "", "compute the fingerprints of the i-th of n `parts` only, as 2/8")
	flags.Var(&f.memory, "memory", "compare on disk what takes more than this in memory")
	f.input.definition.register(flags, definitionNames...)
	suggestion(flags, &f.input.weights, "weights", "", "weight of the features of texts: %s (default count)", weights.Schemes())
	f.input.changed = flags.Changed
	f.input.registerTexts(flags)
	kernelFlag(flags)
	return command
}

// check refuses what does not go together.
func (f *corpusFlags) check() error {
	switch {
	case len(f.patterns) == 0:
		return errors.New("expected FILES, patterns or folders of documents, whose attributes go to --out FOLDER")
	case f.out == "":
		return errors.New("expected --out FOLDER, where the attributes go")
	case f.memory <= 0:
		return errors.New("--memory 0: expected a size such as 4GiB")
	case f.shard != "" && f.prune:
		return errors.New("--prune: expected only without --shard, by the command that comes last")
	case f.shard != "" && f.remove != "":
		return errors.New("--remove: expected only without --shard: what is kept is known when all shards have ended")
	}
	if err := f.checkAgainst(); err != nil {
		return err
	}
	if len(f.against) == 0 {
		f.verifySettings()
	}
	return f.nearFlags.check()
}

// formatsOfAttributes are those that --format names, the usual one first.
var formatsOfAttributes = []corpus.Format{corpus.JSONLines, corpus.CSV, parquet.Format}

func attributeFormats() (names []string) {
	for _, format := range formatsOfAttributes {
		names = append(names, format.Name)
	}
	return names
}

// attributes returns the format of the attributes.
func (f *corpusFlags) attributes() corpus.Format {
	for _, format := range formatsOfAttributes {
		if format.Name == f.format {
			return format
		}
	}
	return corpus.Format{} // the usual one
}

// parseShard returns i-1 and n of "i/n", 0 and 1 of nothing.
func parseShard(text string) (shard, shards int, err error) {
	if text == "" {
		return 0, 1, nil
	}
	i, n, _ := strings.Cut(text, "/")
	shard, err = strconv.Atoi(i)
	if err == nil {
		shards, err = strconv.Atoi(n)
	}
	if err != nil || shard < 1 || shard > shards {
		return 0, 0, fmt.Errorf("--shard %q: expected a part and how many there are, as in 2/8", text)
	}
	return shard - 1, shards, nil
}
