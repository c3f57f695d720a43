package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/internal/docformat"
)

// Options returns how the texts of each file are read. onError is called for texts that are left
// out; if it is nil, the first malformed text is an error.
func (s *Source) Options(onError func(error)) documents.Options {
	return documents.Options{Format: s.hints.Format, Charset: s.hints.Charset, Text: s.Text, ID: s.ID, OnError: onError}
}

// areSeveral reports whether the paths mean several files that are read one after the other.
func (s *Source) areSeveral() bool {
	if len(s.paths) != 1 {
		return len(s.paths) > 1
	}
	info, err := os.Stat(s.paths[0])
	if err != nil {
		return strings.ContainsAny(s.paths[0], "*?[")
	}
	return info.IsDir() && (s.Text != "" || s.ID != "" || !slices.Contains([]string{"", docformat.Auto, docformat.Files}, s.hints.Format))
}

// openTexts opens the documents of the files or of the stream.
func (s *Source) openTexts(ctx context.Context, options documents.Options) (documents.Reader, error) {
	switch {
	case s.stream != nil:
		return documents.NewReader(ctx, s.reader(), standardInput, options)
	case !s.areSeveral():
		file := s.takeOpened()
		if file == nil {
			return documents.Open(ctx, s.paths[0], options)
		}
		options.Unpacked = true
		reader, err := documents.NewReader(ctx, file, s.paths[0], options)
		if err != nil {
			file.Close()
			return nil, err
		}
		return &closingReader{reader, file}, nil
	case slices.Contains(s.paths, docformat.StandardInput):
		return nil, errors.New("-: standard input cannot be combined with files")
	}
	files, format, err := s.expandAll()
	if err != nil {
		return nil, err
	}
	if options.Format = format; len(files) > 1 {
		options.Want = nil // Want counts the records of a single file
	}
	reader, err := documents.OpenAll(ctx, files, options)
	if err == nil && len(files) > 1 && format != docformat.Files {
		reader = &numberedIDs{Reader: reader}
	}
	return reader, err
}

// closingReader closes its file, too.
type closingReader struct {
	documents.Reader
	file io.Closer
}

func (r *closingReader) Close() error { return errors.Join(r.Reader.Close(), r.file.Close()) }

// numberedIDs uses the file and the number in the file, such as a.jsonl:3, as the id of documents
// without an id.
type numberedIDs struct {
	documents.Reader
	file         string // of the last document
	before, last int    // the number of documents before this file, and of the last document
}

func (r *numberedIDs) Read(d *documents.Document) error {
	err := r.Reader.Read(d)
	if err != nil {
		return err
	}
	if d.File != r.file {
		r.file, r.before = d.File, r.last
	}
	if r.last = d.Number; len(d.ID) == 0 || d.MadeUp {
		d.ID, d.MadeUp = fmt.Appendf(nil, "%s:%d", d.File, d.Number-r.before), true
	}
	return nil
}

// expandAll returns the files of all paths and their format. If the paths are folders whose files
// are one document each, the format is docformat.Files.
func (s *Source) expandAll() (files []string, format string, err error) {
	var folder, other string
	var all []string
	for _, path := range s.paths {
		found, err := s.fields().Expand(path)
		if err != nil {
			return nil, "", err
		}
		if isFolder(found[0]) {
			folder = path
		} else {
			other = path
		}
		all = append(all, found...)
	}
	format = s.hints.Format
	if folder != "" && format != docformat.Files {
		if other != "" {
			return nil, "", fmt.Errorf("each file of %s is one document, but %s is another kind of input: give --documents for both, or read them separately", folder, other)
		}
		format = docformat.Files
	}
	files, err = documents.Expand(all)
	return files, format, err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Expand returns the files of a path, or its folders if each of their files is one document.
func (h Hints) Expand(path string) ([]string, error) {
	files, err := documents.Expand([]string{path})
	if err != nil {
		return nil, err
	}
	if folders := foldersOf(path); len(folders) > 0 && h.areWhole(files) {
		return folders, nil
	}
	return files, nil
}

// fields returns the hints with the detected fields.
func (s *Source) fields() Hints {
	h := s.hints
	h.Text, h.ID = s.Text, s.ID
	return h
}

// units returns what one document is in the files of the paths, where their names and the hints do
// not tell.
func (s *Source) units() (units []Unit) {
	if s.hints.Format != "" && s.hints.Format != docformat.Auto || s.Text != "" || s.ID != "" || s.stream != nil {
		return nil
	}
	lines := Unit{Paths: s.paths[0]}
	if n := len(s.paths); n > 1 {
		lines.Paths += " to " + s.paths[n-1]
	}
	for _, path := range s.paths {
		files, err := documents.Expand([]string{path})
		if err != nil {
			continue // reading the files reports the error
		}
		if len(foldersOf(path)) > 0 && s.hints.areWhole(files) {
			units = append(units, Unit{Paths: path, Files: len(files), Whole: true})
			continue
		}
		lines.Files += len(files)
		lines.Lines = append(lines.Lines, slices.DeleteFunc(files, docformat.HasRecords)...)
	}
	if lines.Files > 1 && len(lines.Lines) > 0 {
		units = append(units, lines)
	}
	return units
}

// foldersOf returns the folders that a pattern names, or nil if it names anything else.
func foldersOf(pattern string) []string {
	paths := []string{pattern}
	if _, err := os.Stat(pattern); err != nil {
		if paths, err = filepath.Glob(pattern); err != nil || strings.Contains(pattern, "**") {
			return nil
		}
	}
	if slices.ContainsFunc(paths, func(path string) bool { return !isFolder(path) }) {
		return nil
	}
	return paths
}

// isCode reports whether the paths are folders of source code.
func (s *Source) isCode() bool {
	if len(s.paths) == 0 || slices.ContainsFunc(s.paths, func(path string) bool { return len(foldersOf(path)) == 0 }) {
		return false
	}
	files, err := documents.Expand(s.paths) // reading the files reports an error
	return err == nil && docformat.MostlySource(files)
}

// areWhole reports whether each file of a folder is one document. Without a format and fields, this
// is so if the name of any file does not have the extension of a format with many documents, such
// as .jsonl.
func (h Hints) areWhole(files []string) bool {
	switch h.Format {
	case docformat.Files:
		return true
	case "", docformat.Auto:
		return h.Text == "" && h.ID == "" && slices.ContainsFunc(files, func(file string) bool { return !docformat.HasRecords(file) })
	}
	return false
}
