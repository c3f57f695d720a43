package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simhashkit/internal/bytesize"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/dedup/corpus/parquet"
)

// corpusFlags are the flags of fphash dedup-corpus.
type corpusFlags struct {
	specFlags
	input         dedupInput
	format, out   string
	patterns      []string // arguments
	against       []string
	remove, shard string
	duplicates    bool
	prune, force  bool
	memory        bytesize.Size
}

func newDedupCorpus() *cobra.Command {
	f := corpusFlags{input: dedupInput{definition: newDefinitionFlags()}, memory: corpus.DefaultMemory}
	command := &cobra.Command{
		Use:   "dedup-corpus FILES --out FOLDER",
		Short: "Find near-duplicates in many files, in a run that you can resume",
		Long: `dedup-corpus finds near-duplicates as dedup does, but treats the texts of many files as
one set and uses bounded memory. FILES are files, patterns such as 'corpus/*.parquet',
and folders. To resume a killed run, or to add new files, repeat the command.

For each input, dedup-corpus writes a file of attributes to FOLDER: id, fingerprint,
cluster_id (null if the document has no near-duplicates), is_canonical (true for
documents to keep), and for the others duplicate_of (the id of the one that is kept) and
similarity. --remove also writes copies of the inputs without the others.

--against OLD also drops documents similar to those of OLD: files, the FOLDER of an
earlier run (the documents that it kept), or an index. dedup/corpus.md has more
on files, memory and shards, and fphash help fingerprints on --k.

Exit codes: 0 done, 1 --keep-going left documents out, 2 could not run.`,
		Example: `  fphash dedup-corpus texts.jsonl --out attributes --remove kept
  fphash dedup-corpus '*.jsonl' --out parts --shard 1/2`,
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVarP(&f.out, "out", "o", "", "`folder` of the attributes, and of the state of the run")
	flags.StringVar(&f.remove, "remove", "", "write copies without the dropped documents to this `folder`")
	f.specFlags.register(flags)
	flags.StringArrayVar(&f.against, "against", nil, "also drop documents similar to those of `OLD`; may be repeated")
	namesInput(flags, "against")
	choice(flags, &f.format, "format", corpus.JSONLines.Name, "format of the attributes: %s", attributeFormats())
	flags.BoolVar(&f.duplicates, "only-duplicates", false, "omit documents without near-duplicates from the attributes")
	flags.BoolVar(&f.prune, "prune", false, "delete outputs of earlier runs whose input no longer exists")
	flags.StringVar(&f.shard, "shard", "", "only compute the fingerprints of part `I/N` of the files")
	flags.Var(&f.memory, "memory", "memory limit; larger comparisons run on disk")
	f.input.registerTexts(flags)
	f.input.definition.register(flags, definitionNames...)
	f.specFlags.registerClassic(flags)
	f.input.changed = flags.Changed
	kernelFlag(flags)
	hideFlags(flags, classicFlags)
	return command
}

// check refuses flags that cannot be combined.
func (f *corpusFlags) check() error {
	switch {
	case len(f.patterns) == 0:
		return errors.New("expected FILES, patterns or folders of documents, whose attributes go to --out FOLDER")
	case f.out == "":
		return errors.New("expected --out FOLDER, where the attributes go")
	case f.memory <= 0:
		return errors.New("--memory 0: expected a size such as 4GiB")
	case f.shard == "" && f.changed("shard"):
		return errors.New("--shard \"\": expected PART/PARTS, such as 2/8")
	case f.shard != "" && f.prune:
		return errors.New("--prune cannot be combined with --shard: use it in the last command, without --shard")
	case f.remove != "" && f.input.texts.charset != "":
		return errors.New("--remove cannot be combined with --charset, since the copies are byte for byte")
	case f.shard != "" && f.remove != "":
		return errors.New("--remove cannot be combined with --shard: use it in the last command, without --shard")
	}
	return f.specFlags.check(&f.input)
}

// formatsOfAttributes lists the values of --format, the default first.
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
	return corpus.Format{} // the default
}

// parseShard parses "i/n" and returns i-1 and n. For "", it returns 0 and 1.
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
		return 0, 0, fmt.Errorf("--shard %q: expected PART/PARTS, such as 2/8", text)
	}
	return shard - 1, shards, nil
}
