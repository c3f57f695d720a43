package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/dedup/corpus"
)

// againstFolder is the folder of the fingerprints of old documents, inside the folder of a run.
const againstFolder = "fphash-against"

// old returns the old documents of --against, and the runs that must compute fingerprints before
// the documents can be read. It reads no documents itself, so old documents with another definition
// or other features are refused before any work.
func (f *corpusFlags) old(ctx context.Context, run *corpus.Run, features string, stderr io.Writer, p *progress) (all []corpus.Old, runs []*corpus.Run, err error) {
	for _, name := range f.against {
		var old corpus.Old
		var before *corpus.Run
		switch {
		case corpus.IsRun(name):
			old, err = run.Earlier(name)
		case indexfile.IsFile(name):
			old, err = f.oldIndex(run, name, features)
		default:
			if before, err = f.oldDocuments(ctx, run, name, stderr, p); err == nil {
				old, runs = corpus.OldOf(before, name), append(runs, before)
			}
		}
		if err != nil {
			return nil, nil, fmt.Errorf("--against: %w", err)
		}
		all = append(all, old)
	}
	return all, runs, nil
}

// oldIndex returns the entries of an index as old documents.
func (f *corpusFlags) oldIndex(run *corpus.Run, path, features string) (corpus.Old, error) {
	if err := run.RefuseOld([]corpus.Input{{Path: path}}, f.remove); err != nil {
		return corpus.Old{}, err
	}
	hash, err := f.input.definition.sketcher(1)
	if err != nil {
		return corpus.Old{}, err
	}
	r, err := indexfile.Open(path)
	if err != nil {
		return corpus.Old{}, err
	}
	info, err := r.Info()
	if err = errors.Join(err, r.Close()); err != nil {
		return corpus.Old{}, err
	}
	remedy := "give the flags that fphash index build was given"
	if !f.classic() {
		remedy = "give --k, and the flags that fphash index build was given"
	}
	if info.Definition != "" && !index.SameDefinition(info.Definition, hash.String()) {
		return corpus.Old{}, fmt.Errorf("%s: its fingerprints were made by %s, expected %s; %s", path, info.Definition, hash, remedy)
	}
	if info.Bits != hash.Bits() {
		return corpus.Old{}, fmt.Errorf("%s: its fingerprints have %d bits, expected %d; %s", path, info.Bits, hash.Bits(), remedy)
	}
	if info.Features != "" && info.Features != features {
		return corpus.Old{}, fmt.Errorf("%s: its features are %s, expected %s; %s", path, info.Features, features, remedy)
	}
	records := func(ctx context.Context) iter.Seq2[corpus.Record, error] {
		return func(yield func(corpus.Record, error) bool) {
			r, err := indexfile.Open(path)
			if err != nil {
				yield(corpus.Record{}, err)
				return
			}
			defer r.Close()
			n := 0
			for e, err := range r.All() {
				if n++; err == nil && n%4096 == 0 {
					err = context.Cause(ctx)
				}
				if err != nil {
					yield(corpus.Record{}, err)
					return
				}
				if !yield(corpus.Record{ID: []byte(shownID(e.ID, info.Texts)), Fingerprint: e.Words, Informative: true}, nil) {
					return
				}
			}
		}
	}
	return corpus.Old{Name: path, Records: records}, nil
}

// oldDocuments returns the run that computes the missing fingerprints of old documents.
func (f *corpusFlags) oldDocuments(ctx context.Context, run *corpus.Run, pattern string, stderr io.Writer, p *progress) (*corpus.Run, error) {
	source, err := f.newSource(ctx, stderr, p)
	if err != nil {
		return nil, err
	}
	inputs, _, err := corpus.Inputs([]string{pattern}, []string{f.out}, func(pattern string) ([]string, error) {
		return f.input.texts.expand(pattern, func(string) {})
	})
	if err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		return nil, fmt.Errorf("%s: expected old documents, found only files that this command writes", pattern)
	}
	if err := run.RefuseOld(inputs, f.remove); err != nil {
		return nil, err
	}
	before := &corpus.Run{Folder: filepath.Join(f.out, againstFolder), Inputs: inputs, Source: source, Texts: f.textsAgain, Progress: corpusProgress(p)}
	if source.leaveOut != nil {
		before.LeftOut = func() int { return source.left }
	}
	return before, nil
}
