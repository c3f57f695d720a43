package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/cmd/fpbeam/pipeline"
	"simhashkit/datasets/documents"
	"simhashkit/dedup/corpus"
	"simhashkit/internal/english"
	"simhashkit/internal/filetree"
)

// inputs returns what --in stands for, at least one file.
func (f *flags) inputs(ctx context.Context, stderr io.Writer) (list []pipeline.Input, err error) {
	var local, addresses []string
	for _, pattern := range f.in {
		if pipeline.IsAddress(pattern) {
			addresses = append(addresses, pattern)
		} else {
			local = append(local, pattern)
		}
	}
	found, leftOut, err := corpus.Inputs(local, []string{f.out}, f.expand)
	if err != nil {
		return nil, fmt.Errorf("--in: %w", err)
	}
	if leftOut > 0 {
		fmt.Fprintf(stderr, "fpbeam: %d %s left out that --in matches, since attributes go there: %s\n", leftOut, english.Plural(leftOut, "file is", "files are"), f.out)
	}
	for _, in := range found {
		if err := f.refuseInput(in); err != nil {
			return nil, err
		}
		list = append(list, pipeline.Input{Path: in.Path, Name: in.Name})
	}
	for _, pattern := range addresses {
		files, err := pipeline.List(ctx, pattern)
		if err != nil {
			return nil, fmt.Errorf("--in: %w", err)
		}
		for _, file := range files {
			list = append(list, pipeline.Input{Path: file, Name: path.Base(file)})
		}
	}
	return numbered(list, f.out, f.format)
}

func (f *flags) refuseInput(in corpus.Input) error {
	if in.Path == documents.StandardInput {
		return fmt.Errorf("--in -: expected files, which any worker can read")
	}
	if err := corpus.Outside(in, f.out); err != nil {
		return err
	}
	return nil
}

// numbered numbers the inputs, each of which has a file of attributes to itself, that is no input.
func numbered(list []pipeline.Input, out, format string) ([]pipeline.Input, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("--in: expected files, got none but those of attributes")
	}
	inputs, names := map[string]bool{}, map[string]string{}
	for _, in := range list {
		inputs[placeOf(in.Path)] = true
	}
	for i := range list {
		in := &list[i]
		name := corpus.AttributesOf(in.Name, format)
		if other, ok := names[name]; ok {
			return nil, fmt.Errorf("--in: the attributes of %s and of %s would both be %s in the folder", other, in.Path, name)
		}
		if at := strings.TrimSuffix(out, "/") + "/" + name; inputs[placeOf(at)] {
			return nil, fmt.Errorf("--out %s: expected another folder: the attributes of %s would replace the input %s", out, in.Path, at)
		}
		names[name] = in.Path
		in.Number = int64(i)
	}
	return list, nil
}

// placeOf returns the same text for all paths of a file.
func placeOf(file string) string {
	if scheme, rest, ok := strings.Cut(file, "://"); ok {
		return scheme + "://" + path.Clean(rest)
	}
	return filetree.Key(filepath.FromSlash(file))
}

// expand returns the files of a pattern, or a folder where each of its files is one document.
func (f *flags) expand(pattern string) ([]string, error) {
	files, err := documents.Expand([]string{pattern})
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(pattern)
	if err != nil || !info.IsDir() {
		return files, nil
	}
	texts := f.texts
	found := texts.Format == "" || texts.Format == documents.Auto
	if texts.Format == documents.Files || found && texts.Text == "" && texts.ID == "" && !slices.ContainsFunc(files, documents.HasRecords) {
		return []string{strings.TrimSuffix(pattern, "/")}, nil
	}
	return files, nil
}
