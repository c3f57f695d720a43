package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/dedup/corpus"
	"simhashkit/internal/english"
)

// inputs returns what --in stands for.
func (f *dedupFlags) inputs(ctx context.Context, notice func(string)) ([]corpus.Input, error) {
	written := []string{f.out}
	if f.corpus.remove != "" {
		written = append(written, f.corpus.remove)
	}
	inputs, leftOut, err := corpus.Inputs(f.corpus.in, written, func(pattern string) ([]string, error) { return f.expand(pattern, notice) })
	if err != nil {
		return nil, err
	}
	if leftOut > 0 {
		notice(fmt.Sprintf("%d %s left out that --in matches, since this command writes there: %s", leftOut, english.Plural(leftOut, "file is", "files are"), strings.Join(written, " or ")))
	}
	if len(inputs) == 0 {
		return nil, errors.New("--in: expected files, got none but those that this command writes")
	}
	if f.corpus.remove == "" {
		return inputs, nil
	}
	for _, in := range inputs {
		if err := corpus.Outside(in, f.corpus.remove); err != nil {
			return nil, fmt.Errorf("--remove: %w", err)
		}
		if info, err := os.Stat(in.Path); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
			continue // such as a pipe, which is read once
		}
		if err := documents.CanCopy(ctx, in.Path, f.input.texts.options(nil)); err != nil {
			return nil, fmt.Errorf("--remove: %w", err)
		}
	}
	return inputs, nil
}

// expand returns the files of a pattern, or its folders where each of their files is one document.
func (f *dedupFlags) expand(pattern string, notice func(string)) ([]string, error) {
	files, err := documents.Expand([]string{pattern})
	if err != nil {
		return nil, err
	}
	folders := foldersOf(pattern)
	if len(folders) == 0 || !f.wholeFiles(files) {
		return files, nil
	}
	if f.input.texts.format == "" || f.input.texts.format == documents.Auto {
		notice(fmt.Sprintf("each of the %d files of %s is one document; where each line is one: --documents lines", len(files), pattern))
	}
	return folders, nil
}

// foldersOf returns the folders that a pattern names, if it names nothing else.
func foldersOf(pattern string) []string {
	paths := []string{pattern}
	if _, err := os.Stat(pattern); err != nil {
		if paths, err = filepath.Glob(pattern); err != nil || strings.Contains(pattern, "**") {
			return nil
		}
	}
	if slices.ContainsFunc(paths, func(path string) bool { info, err := os.Stat(path); return err != nil || !info.IsDir() }) {
		return nil
	}
	return paths
}

// wholeFiles says that the files of a folder are a document each: as --documents says or, without
// that, if no field is named and no file has a name that stands for many documents in a file.
func (f *dedupFlags) wholeFiles(files []string) bool {
	switch t := &f.input.texts; t.format {
	case documents.Files:
		return true
	case "", documents.Auto:
		return t.text == "" && t.id == "" && !slices.ContainsFunc(files, documents.HasRecords)
	}
	return false
}
