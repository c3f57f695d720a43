package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/dedup/corpus"
	"simhashkit/internal/english"
)

// inputs returns what the arguments stand for.
func (f *corpusFlags) inputs(ctx context.Context, notice func(string)) ([]corpus.Input, error) {
	if slices.Contains(f.patterns, documents.StandardInput) {
		return nil, errors.New("-: expected files, which can be read again; fphash dedup reads standard input")
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
		return nil, errors.New("expected FILES, got none but those that this command writes")
	}
	if f.remove == "" {
		return inputs, nil
	}
	for _, in := range inputs {
		if info, err := os.Stat(in.Path); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
			continue // such as a pipe, which is read once
		}
		if err := documents.CanCopy(ctx, in.Path, f.input.texts.options(nil)); err != nil {
			return nil, fmt.Errorf("--remove: %w", err)
		}
	}
	return inputs, nil
}
