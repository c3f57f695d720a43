package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/dedup/source"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/bytesize"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/dedup/corpus/parquet"
	"simhashkit/internal/english"
)

// runFlags are the flags of a run, which keeps its state in a folder.
type runFlags struct {
	folder        string // "": no run
	remove, shard string
	duplicates    bool
	prune         bool
	memory        bytesize.Size
}

// runNames are the flags that require --run.
var runNames = []string{"remove", "only-duplicates", "prune", "shard", "memory"}

func (f *runFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.folder, "run", "", "resume or begin a run, which keeps its state in `FOLDER`")
	flags.StringVar(&f.remove, "remove", "", "with --run, write copies without the dropped texts to `FOLDER`")
	flags.BoolVar(&f.duplicates, "only-duplicates", false, "with --run, omit texts without near-duplicates from the attributes")
	flags.BoolVar(&f.prune, "prune", false, "with --run, delete outputs of earlier runs whose input no longer exists")
	flags.StringVar(&f.shard, "shard", "", "with --run, only compute the fingerprints of part `I/N` of the files")
	f.memory = corpus.DefaultMemory
	flags.Var(&f.memory, "memory", "with --run, memory limit; larger comparisons run on disk")
}

// checkRun refuses flags that cannot be combined with or without --run.
func (f *dedupFlags) checkRun(args []string) error {
	if f.folder == "" {
		for _, name := range append([]string{"run"}, runNames...) {
			if name == "run" && f.changed(name) {
				return errors.New("--run \"\": expected a folder, which is created if it does not exist")
			}
			if f.changed(name) {
				return fmt.Errorf("--%s requires --run FOLDER", name)
			}
		}
		return nil
	}
	for _, name := range []string{"list", "out", "update", "weights", "base", "max-line"} {
		if f.changed(name) {
			return fmt.Errorf("--%s cannot be combined with --run, which reads texts and writes their attributes to %s", name, f.folder)
		}
	}
	switch {
	case len(args) == 0 || slices.ContainsFunc(args, func(arg string) bool { return arg == "" || arg == documents.StandardInput }):
		return errors.New("--run requires FILES: standard input cannot be read again when the run is resumed")
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
	return nil
}

// formatsOfAttributes lists the formats of attributes, the default first.
var formatsOfAttributes = []corpus.Format{corpus.JSONLines, corpus.CSV, parquet.Format}

// attributes returns the format of the attributes.
func (f *dedupFlags) attributes() (corpus.Format, error) {
	var names []string
	for _, format := range formatsOfAttributes {
		if format.Name == f.format || !f.changed("format") {
			return format, nil
		}
		names = append(names, format.Name)
	}
	return corpus.Format{}, expectOneOf("--format", f.format, names)
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

// resume begins or resumes the run in the folder of --run.
func (f *dedupFlags) resume(cmd *cobra.Command, patterns []string) error {
	ctx, stdout, stderr := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	shard, shards, err := parseShard(f.shard)
	if err != nil {
		return err
	}
	p := newProgress(stderr)
	defer p.clear()
	c := dedupRun{dedupFlags: f, ctx: ctx, progress: p, stdout: stdout, stderr: stderr, hints: f.input.hints(cmd, p)}
	c.force, _ = cmd.Flags().GetBool("force")
	c.hints.Once = true // the run itself checks that files do not change
	if err := c.prepare(patterns); err != nil {
		return err
	}
	defer c.source.Close()
	if err := c.run.Lock(f.shard != ""); err != nil {
		return err
	}
	defer func() { _ = c.run.Unlock() }()
	if f.remove != "" {
		if err := c.run.Removable(f.remove); err != nil {
			return fmt.Errorf("--remove: %w", err)
		}
	}
	sketched, err := c.run.Sketch(ctx, shard, shards)
	if err != nil {
		return err
	}
	p.clear()
	fmt.Fprintf(stderr, "fphash: computed fingerprints of %s in %s; %s had fingerprints before\n",
		english.Count(sketched.Records, "document"), english.Count(sketched.Files, "input"), english.Count(sketched.Before, "input"))
	writeCounts(stderr, &c.texts.Missing)
	left := c.texts.LeftOut()
	if f.shard != "" {
		fmt.Fprintf(stdout, "Part %s is done. When all parts are done, run the same command without --shard.\n", f.shard)
		return leftOut(left, "document")
	}
	for i, old := range c.olds {
		if err := sketchOld(ctx, old); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
		writeCounts(stderr, &c.oldTexts[i].Missing)
	}
	all, err := c.finish(strings.Join(patterns, " "))
	if err != nil {
		return err
	}
	no := leftOut(all, "document")
	if before := all - left; before > 0 {
		no = fmt.Errorf("%w, %d by an earlier run, which reported %s", no, before, english.Plural(before, "it", "them"))
	}
	return no
}

// dedupRun is a run of fphash dedup --run.
type dedupRun struct {
	*dedupFlags
	ctx            context.Context
	progress       *progress
	stdout, stderr io.Writer
	hints          source.Hints
	force          bool

	source   *source.Source
	method   source.Method
	texts    *corpus.Documents
	run      *corpus.Run
	olds     []*corpus.Run       // compute the fingerprints of files of --against
	oldTexts []*corpus.Documents // of these
	indexes  []corpus.Old        // of --against, which have no texts
}

func (c *dedupRun) notice(text string) {
	c.progress.clear()
	fmt.Fprintln(c.stderr, "fphash:", text)
}

// prepare opens the inputs and defines the run. It reads no documents, so contradictions are found
// before any work.
func (c *dedupRun) prepare(patterns []string) error {
	inputs, err := c.inputs(patterns)
	if err != nil {
		return err
	}
	var paths []string
	for _, in := range inputs {
		if c.readsTwice() && source.ReadOnce(in.Path) {
			return fmt.Errorf("%s: expected a file, which can be read twice; without --run, pipes are copied", in.Path)
		}
		paths = append(paths, in.Path)
	}
	if c.source, err = source.Open(c.ctx, paths, c.hints); err != nil {
		return err
	}
	if c.source.Kind != source.Texts {
		return fmt.Errorf("--run requires texts; %s contains %s", paths[0], c.source.Kind)
	}
	writeDetected(c.stderr, c.source, true)
	spec := c.spec(c.source)
	if err := c.define(spec); err != nil {
		return err
	}
	for _, in := range inputs {
		if c.remove == "" || source.ReadOnce(in.Path) {
			continue
		}
		if err := documents.CanCopy(c.ctx, in.Path, c.texts.Options); err != nil {
			return fmt.Errorf("--remove: %w", err)
		}
	}
	format, err := c.attributes()
	if err != nil {
		return err
	}
	c.run = c.newRun(c.folder, inputs, c.texts)
	c.run.Spec, c.run.Memory, c.run.Format, c.run.Force = spec, int64(c.memory), format, c.force
	c.run.Duplicates, c.run.Notice = c.duplicates, c.notice
	keep, err := c.keepFlag()
	if err != nil {
		return err
	}
	if keep.Name != "" {
		c.run.Preferred, c.run.Values = keep.Name, c.source.Values(keep)
	}
	for _, name := range c.against {
		if err := c.addOld(name); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
	}
	c.run.Against = append(c.run.Against, c.indexes...)
	return nil
}

// inputs returns the inputs that the arguments name.
func (c *dedupRun) inputs(patterns []string) ([]corpus.Input, error) {
	written := []string{c.folder}
	if c.remove != "" {
		written = append(written, c.remove)
	}
	inputs, leftOut, err := corpus.Inputs(patterns, written, c.hints.Expand)
	if err != nil {
		return nil, err
	}
	if leftOut > 0 {
		c.notice(fmt.Sprintf("%d %s left out, since this command writes there: %s", leftOut, english.Plural(leftOut, "file is", "files are"), strings.Join(written, " or ")))
	}
	if len(inputs) == 0 {
		return nil, errors.New("expected FILES, found only files that this command writes")
	}
	return inputs, nil
}

// define sets the method of the fingerprints.
func (c *dedupRun) define(spec dedup.Spec) (err error) {
	if err := c.input.texts.take(c.input.weights); err != nil {
		return err
	}
	if spec.Similarity > 0 {
		c.method, err = source.MethodOf(spec, c.input.workers)
	} else {
		if c.input.definition.Convention != "" {
			return fmt.Errorf("--convention %s requires a single file of vectors or documents", c.input.definition.Convention)
		}
		c.input.texts.whole = true
		c.method, err = c.input.method(c.ctx, source.Texts, nil)
	}
	if err == nil {
		c.texts = &corpus.Documents{Options: c.source.Options(c.hints.OnError), Sketcher: c.method.Texts, Hashed: c.method.Hash.String(), Workers: c.input.workers}
	}
	return err
}

// newRun returns a run with the fingerprints of inputs.
func (c *dedupRun) newRun(folder string, inputs []corpus.Input, texts *corpus.Documents) *corpus.Run {
	run := &corpus.Run{Folder: folder, Inputs: inputs, Source: texts, Texts: c.source.TextsOf, Workers: c.input.workers, Numbered: c.source.ID == ""}
	if c.hints.OnError != nil {
		run.LeftOut = texts.LeftOut
	}
	run.Progress = func(now corpus.Progress) {
		s := status{step: now.Stage, part: float64(now.Done) / float64(max(now.Total, 1))}
		if now.Stage != string(dedup.Searching) && now.Stage != string(dedup.Verifying) {
			s.count, s.unit = now.Records, "documents"
		}
		c.progress.report(s)
	}
	return run
}

// againstFolder is the folder of the fingerprints of old documents, inside the folder of a run.
const againstFolder = "fphash-against"

// addOld adds the old documents of --against.
func (c *dedupRun) addOld(name string) error {
	var old corpus.Old
	switch {
	case corpus.IsRun(name):
		var err error
		if old, err = c.run.Earlier(name); err != nil {
			return err
		}
	case indexfile.IsFile(name):
		if len(c.keepDifferent) > 0 {
			return fmt.Errorf("--keep-different requires texts; %s contains only fingerprints", name)
		}
		if err := c.run.RefuseOld([]corpus.Input{{Path: name}}, c.remove); err != nil {
			return err
		}
		x, err := source.OpenIndex(name, false)
		if err == nil {
			err = x.Check(c.method)
		}
		if err != nil {
			return err
		}
		c.indexes = append(c.indexes, corpus.OldIndex(name, func(id indexfile.ID) string { return source.ShownID(id, x.Info.Texts) }))
		return nil
	default:
		inputs, _, err := corpus.Inputs([]string{name}, []string{c.folder}, c.hints.Expand)
		if err == nil && len(inputs) == 0 {
			err = fmt.Errorf("%s: expected old documents, found only files that this command writes", name)
		}
		if err == nil {
			err = c.run.RefuseOld(inputs, c.remove)
		}
		if err != nil {
			return err
		}
		texts := *c.texts
		before := c.newRun(filepath.Join(c.folder, againstFolder), inputs, &texts)
		c.olds, c.oldTexts, old = append(c.olds, before), append(c.oldTexts, &texts), corpus.OldOf(before, name)
	}
	c.run.Against = append(c.run.Against, old)
	return nil
}

// sketchOld computes the missing fingerprints of old documents.
func sketchOld(ctx context.Context, old *corpus.Run) error {
	if err := old.Lock(false); err != nil {
		return err
	}
	_, err := old.Sketch(ctx, 0, 1)
	return errors.Join(err, old.Unlock())
}

// finish finds the near-duplicates and writes the outputs. It returns the number of documents that
// were left out.
func (c *dedupRun) finish(name string) (leftOut int, err error) {
	var explain func(join.Plan)
	if c.explain {
		explain = explainTo(c.progress, c.stderr)
	}
	result, err := c.run.Find(c.ctx, name, explain)
	if err != nil {
		return 0, err
	}
	if c.prune {
		n, err := c.run.Prune(c.ctx, c.remove)
		if n > 0 {
			fmt.Fprintf(c.stderr, "fphash: deleted %s of earlier runs whose inputs or documents no longer exist\n", english.Count(n, "file"))
		}
		if err != nil {
			return 0, err
		}
	}
	if err := result.WriteAttributes(c.ctx); err != nil {
		return 0, err
	}
	where := fmt.Sprintf("Groups, and which document of each to keep: %s.", filepath.Join(c.folder, "*."+c.run.Format.Name))
	if c.remove != "" {
		kept, dropped, err := result.Remove(c.ctx, c.remove, c.texts.Copy)
		if err != nil {
			return 0, err
		}
		all := kept + dropped + result.LeftOut
		where += fmt.Sprintf(" Of %d %s, the %d to keep %s in %s, %d %s dropped", all, english.Plural(all, "document", "documents"),
			kept, english.Plural(kept, "is", "are"), c.remove, dropped, english.Plural(dropped, "is", "are"))
		if result.LeftOut > 0 {
			where += fmt.Sprintf(", and %d, which could not be read, %s left out", result.LeftOut, english.Plural(result.LeftOut, "is", "are"))
		}
		where += "."
	}
	if err := result.Complete(); err != nil {
		return 0, err
	}
	return result.LeftOut, c.write(result, where)
}

// write writes examples and the summary.
func (c *dedupRun) write(result *corpus.Result, where string) error {
	examples := c.show.of(result.Result)
	texts, err := dedup.ReadExamples(c.ctx, examples, result.Reread())
	if err != nil {
		return err
	}
	c.progress.clear()
	if err := result.NameRecords(c.ctx, slices.Collect(maps.Keys(texts))...); err != nil {
		return err
	}
	if c.source.ID != "" { // the default ids are record numbers, which repeat in each file
		warnOfSharedIDs(result, "attributes do", c.stderr)
	}
	if n := len(result.Others); n > 0 {
		fmt.Fprintf(c.stdout, "%s also has %d %s of inputs that are not in this run, such as %s: --prune deletes %s.\n\n",
			c.remove, n, english.Plural(n, "file", "files"), result.Others[0], english.Plural(n, "it", "them"))
	}
	if err := result.WriteExamples(c.stdout, examples, texts); err != nil {
		return err
	}
	lead, sources := mostLosses(result)
	return result.Summary(c.stdout, dedup.Notes{Lead: lead, Sources: sources, Lists: where})
}

// shownLosses is the number of inputs that mostLosses names.
const shownLosses = 5

// mostLosses describes the inputs that lose the most records. The lead is a warning about inputs
// that lose more than half. Both are "" for a single input or without losses.
func mostLosses(r *corpus.Result) (lead, sources string) {
	losses := r.Losses()
	if len(r.Inputs()) < 2 || len(losses) == 0 {
		return "", ""
	}
	shown := losses[:min(len(losses), shownLosses)]
	var list, halved []string
	for _, l := range losses {
		if 2*l.Dropped > l.Records {
			halved = append(halved, fmt.Sprintf("%s loses %d of its %s", l.Input.Name, l.Dropped, english.Count(l.Records, "document")))
		}
	}
	if len(halved) > 0 {
		lead = "Look before you drop: " + halved[0]
		if n := len(halved) - 1; n > 0 {
			lead += fmt.Sprintf(", and %d other %s more than half", n, english.Plural(n, "file loses", "files lose"))
		}
		lead += "."
	}
	for _, l := range shown {
		list = append(list, fmt.Sprintf("%s %d of %d", l.Input.Name, l.Dropped, l.Records))
	}
	sources = "Dropped by file: " + strings.Join(list, ", ")
	if others := losses[len(shown):]; len(others) > 0 {
		dropped := 0
		for _, l := range others {
			dropped += l.Dropped
		}
		sources += fmt.Sprintf("; %d in %d other %s", dropped, len(others), english.Plural(len(others), "file", "files"))
	}
	return lead, sources + "."
}

// orForce adds a hint about --force to the error of a file that would be replaced.
func orForce(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}
