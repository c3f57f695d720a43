package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/docsketch"
	"simhashkit/internal/english"
	"simhashkit/textsketch"
)

// documentSource computes the fingerprints of the documents of files.
type documentSource struct {
	flags    *corpusFlags
	sketcher *textsketch.Sketcher
	leaveOut func(error) // called for each unreadable document; nil: the first one is an error
	left     int         // documents left out
}

func (f *corpusFlags) newSource(ctx context.Context, stderr io.Writer, p *progress) (*documentSource, error) {
	if err := f.input.texts.take(f.input.weights); err != nil {
		return nil, err
	}
	hash, err := f.input.definition.sketcher(1)
	if err != nil {
		return nil, err
	}
	s := &documentSource{flags: f}
	if s.sketcher, err = f.input.texts.sketcher(ctx, hash, true); err != nil {
		return nil, err
	}
	if f.input.keepGoing {
		s.leaveOut = func(err error) {
			s.left++
			p.clear()
			fmt.Fprintln(stderr, err)
		}
	}
	return s, nil
}

// Definition defines the fingerprints and the texts they are computed from.
func (s *documentSource) Definition() string {
	t := &s.flags.input.texts
	charset := ""
	if t.charset != "" {
		charset = " charset=" + t.charset
	}
	return fmt.Sprintf("text=%s id=%s documents=%s%s; %s", t.text, t.id, cmp.Or(t.format, documents.Auto), charset, s.sketcher.Definition())
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
		for d, err := range docsketch.Documents(ctx, s.sketcher, s.flags.input.texts.read(reader), s.flags.input.workers) {
			r := corpus.Record{ID: d.ID, Number: d.NumericID, Fingerprint: d.Fingerprint, Informative: d.Status.Err() == nil, Features: d.Features}
			if len(r.ID) == 0 {
				r.ID, r.Number = strconv.AppendInt(nil, int64(d.Number), 10), true
			}
			if !yield(r, orKeepGoing(err)) || err != nil {
				return
			}
		}
	}
}

// verdict returns an answerNo if documents were left out.
func (s *documentSource) verdict(all int) error {
	no := leftOut(all, "document")
	if before := all - s.left; before > 0 {
		no = fmt.Errorf("%w, %d by an earlier run, which reported %s", no, before, english.Plural(before, "it", "them"))
	}
	return no
}

// corpusProgress returns a function that shows the progress of each stage.
func corpusProgress(p *progress) func(corpus.Progress) {
	return func(now corpus.Progress) {
		s := status{step: now.Stage, part: float64(now.Done) / float64(max(now.Total, 1))}
		if now.Stage != string(dedup.Searching) && now.Stage != string(dedup.Verifying) {
			s.count, s.unit = now.Records, "documents"
		}
		p.report(s)
	}
}

// inputs returns the inputs that the arguments name.
func (f *corpusFlags) inputs(ctx context.Context, notice func(string)) ([]corpus.Input, error) {
	if slices.Contains(f.patterns, documents.StandardInput) {
		return nil, errors.New("-: expected files, which can be read twice; fphash dedup reads standard input")
	}
	written := []string{f.out}
	if f.remove != "" {
		written = append(written, f.remove)
	}
	inputs, leftOut, err := corpus.Inputs(f.patterns, written, func(pattern string) ([]string, error) { return f.input.texts.expand(pattern, notice) })
	if err != nil {
		return nil, err
	}
	if leftOut > 0 {
		notice(fmt.Sprintf("%d %s left out, since this command writes there: %s", leftOut, english.Plural(leftOut, "file is", "files are"), strings.Join(written, " or ")))
	}
	if len(inputs) == 0 {
		return nil, errors.New("expected FILES, found only files that this command writes")
	}
	return inputs, nil
}

// checkCopies refuses inputs that --remove cannot copy.
func (f *corpusFlags) checkCopies(ctx context.Context, inputs []corpus.Input) error {
	for _, in := range inputs {
		if f.remove == "" || readOnce(in.Path) {
			continue
		}
		if err := documents.CanCopy(ctx, in.Path, f.input.texts.options(nil)); err != nil {
			return fmt.Errorf("--remove: %w", err)
		}
	}
	return nil
}
