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
)

// expand returns the files of a pattern, or its folders where each of their files is one document.
// Where nothing says whether a file or a line of it is one, which it was taken for is told.
func (f *textFlags) expand(pattern string, notice func(string)) ([]string, error) {
	files, err := documents.Expand([]string{pattern})
	if err != nil {
		return nil, err
	}
	folders := foldersOf(pattern)
	auto := f.format == "" || f.format == documents.Auto
	switch {
	case !f.wholeFiles(files) || len(folders) == 0:
		f.noticeLines(files, "of "+pattern, notice)
		return files, nil
	case auto && len(files) == 1:
		notice(fmt.Sprintf("the one file of %s is one document; where each line is one: --documents lines", pattern))
	case auto:
		notice(fmt.Sprintf("each of the %d files of %s is one document; where each line is one: --documents lines", len(files), pattern))
	}
	return folders, nil
}

// noticeLines says that lines are documents where nothing but the names of files tells.
func (f *textFlags) noticeLines(files []string, which string, notice func(string)) {
	if f.format != "" && f.format != documents.Auto || f.text != "" || f.id != "" || len(files) == 1 {
		return
	}
	ofLines := slices.DeleteFunc(slices.Clone(files), documents.HasRecords)
	switch len(ofLines) {
	case 0:
	case len(files):
		notice(fmt.Sprintf("each line of the %d files %s is one document; where each file is one: --documents files", len(files), which))
	case 1:
		notice(fmt.Sprintf("each line of %s is one document, beside those of the other files %s", ofLines[0], which))
	default:
		notice(fmt.Sprintf("each line of %d files %s is one document, such as %s, beside those of the others", len(ofLines), which, ofLines[0]))
	}
}

// several says that arguments mean more than one file, or one folder of which each file is a
// document.
func (f *textFlags) several(args []string) bool {
	if len(args) != 1 {
		return len(args) > 1
	}
	info, err := os.Stat(args[0])
	if err != nil {
		return strings.ContainsAny(args[0], "*?[")
	}
	return info.IsDir() && (f.text != "" || f.id != "" || !slices.Contains([]string{"", documents.Auto, documents.Files}, f.format))
}

// expandAll returns the files of several patterns, and the format in which they are read: a
// document each, where the patterns are folders of such.
func (f *textFlags) expandAll(patterns []string, notice func(string)) (paths []string, format string, err error) {
	var folder, other string
	for _, pattern := range patterns {
		found, err := f.expand(pattern, notice)
		if err != nil {
			return nil, "", err
		}
		if info, err := os.Stat(found[0]); err == nil && info.IsDir() {
			folder = pattern
		} else {
			other = pattern
		}
	}
	format = f.format
	if folder != "" && format != documents.Files {
		if other != "" {
			return nil, "", fmt.Errorf("each file of %s is one document, and %s is another kind of input: expected --documents for both, or each alone", folder, other)
		}
		format = documents.Files
	}
	paths, err = documents.Expand(patterns)
	if folder == "" && len(patterns) > 1 { // of one pattern, expand says it
		f.noticeLines(paths, patterns[0]+" to "+patterns[len(patterns)-1], notice)
	}
	return paths, format, err
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

// wholeFiles says that files are a document each if they are those of a folder: as --documents says
// or, without that, if no field is named and some file has no name that stands for many documents
// in a file.
func (f *textFlags) wholeFiles(files []string) bool {
	switch f.format {
	case documents.Files:
		return true
	case "", documents.Auto:
		return f.text == "" && f.id == "" && slices.ContainsFunc(files, func(file string) bool { return !documents.HasRecords(file) })
	}
	return false
}

// open opens the documents of files, of one or several, or of a folder.
func (f *textFlags) open(ctx context.Context, args []string, options documents.Options, notice func(string)) (documents.Reader, error) {
	if !f.several(args) {
		return documents.Open(ctx, args[0], options)
	}
	if slices.Contains(args, documents.StandardInput) {
		return nil, errors.New("-: expected alone, since standard input is no file")
	}
	paths, format, err := f.expandAll(args, notice)
	if err != nil {
		return nil, err
	}
	if options.Format = format; len(paths) > 1 {
		options.Want = nil // counts the records of one file
	}
	reader, err := documents.OpenAll(ctx, paths, options)
	if err == nil && len(paths) > 1 && format != documents.Files {
		reader = placed{reader}
	}
	return reader, err
}

// placed gives documents without an id their place: file and line.
type placed struct{ documents.Reader }

func (p placed) Read(d *documents.Document) error {
	err := p.Reader.Read(d)
	if err == nil && len(d.ID) == 0 {
		d.ID = fmt.Appendf(nil, "%s:%d", d.File, d.Line)
	}
	return err
}
