package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
	"simhashkit/textsketch"
)

// corpusFlags are the flags of a deduplication of many files, which can be resumed.
type corpusFlags struct {
	in            []string
	remove, shard string
	duplicates    bool
}

func (c *corpusFlags) register(flags *pflag.FlagSet) {
	flags.StringArrayVar(&c.in, "in", nil, "files, globs and folders of documents, whose attributes go to the folder --out; may come several times")
	flags.StringVar(&c.remove, "remove", "", "with --in: write the records to keep into this folder, too")
	flags.StringVar(&c.shard, "shard", "", "with --in: compute the fingerprints of the i-th of n parts only, as 2/8")
	flags.BoolVar(&c.duplicates, "only-duplicates", false, "with --in: leave records without near-duplicates out of the attributes")
}

// refuse returns which flag does not go with a run over many files, or without one.
func (f *dedupFlags) refuseCorpus(args []string) error {
	if len(f.corpus.in) == 0 {
		for _, name := range []string{"remove", "shard", "only-duplicates"} {
			if f.changed(name) {
				return fmt.Errorf("--%s: expected only with --in", name)
			}
		}
		return nil
	}
	for _, name := range []string{"list", "against", "verify", "data", "base"} {
		if f.changed(name) {
			return fmt.Errorf("--%s: expected only without --in", name)
		}
	}
	switch {
	case len(args) > 0:
		return fmt.Errorf("both FILE %s and --in %s: expected --in for all files", args[0], f.corpus.in[0])
	case f.out == "":
		return errors.New("--in: expected --out FOLDER with it, where the attributes go")
	case f.corpus.shard != "" && f.corpus.remove != "":
		return errors.New("--remove: expected only without --shard: what is kept is known when all shards have ended")
	case f.changed("format") && f.format != tabular.JSONLines && f.format != tabular.CSV:
		return fmt.Errorf("--format %s: expected %s or %s with --in", f.format, tabular.JSONLines, tabular.CSV)
	}
	return nil
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

// runCorpus is dedup --in.
func (f *dedupFlags) runCorpus(ctx context.Context, p *progress, stdout, stderr io.Writer) error {
	shard, shards, err := parseShard(f.corpus.shard)
	if err != nil {
		return err
	}
	source, err := f.newSource(ctx, stderr, p)
	if err != nil {
		return err
	}
	inputs, err := corpus.Inputs(f.corpus.in, func(pattern string) ([]string, error) { return documents.Expand([]string{pattern}) })
	if err != nil {
		return err
	}
	run := &corpus.Run{Folder: f.out, Inputs: inputs, Source: source, By: f.by, Workers: f.input.workers,
		Duplicates: f.corpus.duplicates, Progress: corpusProgress(p)}
	if f.changed("format") {
		run.Format = f.format
	}
	run.Notice = func(text string) {
		p.clear()
		fmt.Fprintln(stderr, "fphash:", text)
	}
	bits := source.Bits()
	if run.K = f.k; !f.changed("k") {
		run.K = dedup.DefaultK(bits)
	} else if f.k >= bits {
		return fmt.Errorf("--k %d: expected 0 to %d, less than the %d bits of the fingerprints", f.k, bits-1, bits)
	}
	sketched, err := run.Sketch(ctx, shard, shards)
	if err != nil {
		return err
	}
	p.clear()
	fmt.Fprintf(stderr, "fphash: fingerprints of %d %s in %d %s computed, of %d %s there before\n", sketched.Records, english.Plural(sketched.Records, "document", "documents"),
		sketched.Files, english.Plural(sketched.Files, "file", "files"), sketched.Before, english.Plural(sketched.Before, "file", "files"))
	if f.corpus.shard != "" {
		fmt.Fprintf(stdout, "Part %s is done. When all parts are: the same command without --shard.\n", f.corpus.shard)
		return source.verdict()
	}
	if err := f.finishCorpus(ctx, run, p, stdout, stderr); err != nil {
		return err
	}
	return source.verdict()
}

// finishCorpus joins the fingerprints and writes what was found.
func (f *dedupFlags) finishCorpus(ctx context.Context, run *corpus.Run, p *progress, stdout, stderr io.Writer) error {
	var explain func(join.Plan)
	if f.explain {
		explain = explainTo(p, stderr)
	}
	result, err := run.Find(ctx, strings.Join(f.corpus.in, " "), explain)
	if err != nil {
		return err
	}
	if err := result.WriteAttributes(ctx); err != nil {
		return err
	}
	where := fmt.Sprintf("Which record is in which group, and which to keep, is in %s.", filepath.Join(f.out, "*."+cmp.Or(run.Format, tabular.JSONLines)))
	if f.corpus.remove != "" {
		kept, _, err := result.Remove(ctx, f.corpus.remove, func(ctx context.Context, in, out string, keep func(int) bool) error {
			return documents.CopyKept(ctx, in, out, f.input.texts.options(f.leaveOut(io.Discard, p)), keep)
		})
		if err != nil {
			return err
		}
		where += fmt.Sprintf(" The %d %s to keep %s in %s.", kept, english.Plural(kept, "record", "records"), english.Plural(kept, "is", "are"), f.corpus.remove)
	}
	p.clear()
	if err := result.NameRecords(ctx); err != nil {
		return err
	}
	notes := f.notes(result.Result)
	notes.Finder = ""
	notes.Lists = where
	return result.Summary(stdout, notes)
}

// leaveOut returns what is told of documents that cannot be read, nil if the first one is to end
// the work.
func (f *dedupFlags) leaveOut(stderr io.Writer, p *progress) func(error) {
	if !f.input.keepGoing {
		return nil
	}
	return func(err error) {
		p.clear()
		fmt.Fprintln(stderr, err)
	}
}

// documentSource makes fingerprints of the documents of files.
type documentSource struct {
	flags    *dedupFlags
	sketcher *textsketch.Sketcher
	leaveOut func(error)
	left     int
}

func (f *dedupFlags) newSource(ctx context.Context, stderr io.Writer, p *progress) (*documentSource, error) {
	if err := f.input.texts.take(f.input.weights); err != nil {
		return nil, err
	}
	hash, err := f.input.definition.sketcher(1)
	if err != nil {
		return nil, err
	}
	s := &documentSource{flags: f}
	if s.sketcher, err = f.input.texts.sketcher(ctx, hash); err != nil {
		return nil, err
	}
	if report := f.leaveOut(stderr, p); report != nil {
		s.leaveOut = func(err error) {
			s.left++
			report(err)
		}
	}
	return s, nil
}

// Definition is that of the fingerprints, and of what they are fingerprints of.
func (s *documentSource) Definition() string {
	t := &s.flags.input.texts
	return fmt.Sprintf("text=%s id=%s documents=%s keep-going=%t; %s", t.text, t.id, cmp.Or(t.format, documents.Auto), s.flags.input.keepGoing, s.sketcher.Definition())
}

func (s *documentSource) Bits() int { return s.sketcher.Bits() }

func (s *documentSource) Records(ctx context.Context, path string) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		reader, err := documents.Open(ctx, path, s.flags.input.texts.options(s.leaveOut))
		if err != nil {
			yield(corpus.Record{}, err)
			return
		}
		defer reader.Close()
		for d, err := range s.sketcher.Documents(ctx, reader, s.flags.input.workers) {
			r := corpus.Record{ID: d.ID, Number: d.NumericID, Fingerprint: d.Fingerprint, Informative: d.Status.Err() == nil}
			if s.flags.input.texts.id == "" && len(r.ID) == 0 {
				r.ID, r.Number = strconv.AppendInt(nil, int64(d.Number), 10), true
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// verdict says no if documents were left out.
func (s *documentSource) verdict() error {
	if s.left == 0 {
		return nil
	}
	return answerNo{fmt.Sprintf("%d %s left out", s.left, english.Plural(s.left, "document was", "documents were"))}
}

// corpusProgress shows how far each stage has come.
func corpusProgress(p *progress) func(corpus.Progress) {
	stage, start := "", p.now()
	return func(now corpus.Progress) {
		if now.Stage != stage {
			stage, start = now.Stage, p.now()
		}
		p.show(func() string {
			elapsed := p.now().Sub(start)
			line := now.Stage
			if now.Total > 0 {
				line += fmt.Sprintf("  %.0f%%", 100*float64(now.Done)/float64(now.Total))
			}
			if now.Stage != corpus.StageComparing && elapsed > 0 {
				line += fmt.Sprintf("  %d documents  %.0f a second", now.Records, float64(now.Records)/elapsed.Seconds())
			}
			if done := float64(now.Done) / float64(max(now.Total, 1)); done > 0.01 {
				line += fmt.Sprintf("  %v left", time.Duration(float64(elapsed)*(1-done)/done).Round(time.Second))
			}
			return line
		})
	}
}
