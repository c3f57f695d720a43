package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/internal/dedup/corpus"
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
		if corpus.IsFolder(found[0]) {
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
	if slices.ContainsFunc(paths, func(path string) bool { return !corpus.IsFolder(path) }) {
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

// again returns a function that reads the records of all files again. These must not have changed.
func again[T any](s *Source, step string, read corpus.Values[T]) dedup.Reread[T] {
	return func(ctx context.Context, records []uint64, take func(uint64, T) error) error {
		if len(records) == 0 {
			return nil
		}
		n := 0
		told := func(more int) {
			n += more
			s.progress(step, n, "records")
		}
		err := read.Take(ctx, "", s.Name, records, told, take)
		if changed := s.unchanged(); changed != nil { // the change may have caused err
			return changed
		}
		return err
	}
}

// textsAgain returns a function that reads the texts again.
func (s *Source) textsAgain() dedup.Reread[[]byte] {
	return again(s, "reading texts again", s.TextsOf)
}

// TextsOf reads the texts of one of the files again; "" means all files.
func (s *Source) TextsOf(ctx context.Context, path string, want func(int) bool) iter.Seq2[[]byte, error] {
	return s.wanted(ctx, path, "", want, func(d *documents.Document) ([]byte, error) { return d.Text, nil })
}

// wanted yields extract(document) of the wanted documents of a file, or of all files, and nil for
// the others. extract may use the field value. Malformed documents are skipped silently, since the
// first reading has reported them.
func (s *Source) wanted(ctx context.Context, path, value string, want func(int) bool, extract func(*documents.Document) ([]byte, error)) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		options := s.Options(nil)
		if s.hints.OnError != nil {
			options.OnError = func(error) {}
		}
		options.Want, options.Value = want, value
		var reader documents.Reader
		var err error
		if path == "" {
			reader, err = s.openTexts(ctx, options)
		} else {
			reader, err = documents.Open(ctx, path, options)
		}
		if err != nil {
			yield(nil, ofKeep(value, err))
			return
		}
		defer reader.Close()
		var document documents.Document
		for record := 0; ; record++ {
			var read []byte
			err := ofKeep(value, reader.Read(&document))
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil && want(record) {
				read, err = extract(&document)
			}
			if !yield(read, err) || err != nil {
				return
			}
		}
	}
}

// ofKeep returns the error of reading a value of Keep.
func ofKeep(value string, err error) error {
	if err == nil || value == "" {
		return err
	}
	return KeepError{err}
}

// Keep says which record of each group is kept. The zero value is the first.
type Keep struct {
	Name  string // such as "the longest"; "" is the first
	field string // field of the values; "" means the length of the text
	least bool   // prefer the smallest value
}

// ParseKeep returns the Keep of a text: first, longest, shortest, max:FIELD or min:FIELD.
func ParseKeep(text string) (Keep, error) {
	verb, field, _ := strings.Cut(text, ":")
	switch {
	case text == "first":
		return Keep{}, nil
	case text == "longest":
		return Keep{Name: "the longest"}, nil
	case text == "shortest":
		return Keep{Name: "the shortest", least: true}, nil
	case verb == "max" && field != "":
		return Keep{"the one with the largest " + field, field, false}, nil
	case verb == "min" && field != "":
		return Keep{"the one with the smallest " + field, field, true}, nil
	}
	return Keep{}, fmt.Errorf("%q: expected first, longest, shortest, max:FIELD or min:FIELD", text)
}

// KeepError is the error of a value that Keep needs.
type KeepError struct{ error }

func (e KeepError) Unwrap() error { return e.error }

// Values returns a function that reads the values of the documents of one file, or of all files if
// its path is "".
func (s *Source) Values(keep Keep) corpus.Values[[]byte] {
	kind := ""
	return func(ctx context.Context, path string, want func(int) bool) iter.Seq2[[]byte, error] {
		return s.wanted(ctx, path, keep.field, want, s.valueOf(keep, &kind))
	}
}

// valueOf returns a function that returns the value of a document. All values must have the same
// kind, which the first one sets. With Hints.OnError, an invalid value is reported and counts as
// missing.
func (s *Source) valueOf(keep Keep, kind *string) func(*documents.Document) ([]byte, error) {
	return func(d *documents.Document) ([]byte, error) {
		value, err := keep.valueOf(d, kind)
		if err != nil && s.hints.OnError != nil {
			s.hints.OnError(KeepError{fmt.Errorf("%w; the value counts as missing", err)})
			return nil, nil
		}
		if err != nil {
			err = KeepError{err}
		}
		return value, err
	}
}

// valueOf returns the document's sort key (the largest wins), or nil if the field is missing. All
// values must have the same kind; the first value sets *kind.
func (p Keep) valueOf(d *documents.Document, kind *string) ([]byte, error) {
	value, got := big.NewRat(int64(len(d.Text)), 1), ""
	if p.field != "" {
		text := strings.TrimSpace(string(d.Value))
		if text == "" {
			return nil, nil
		}
		expected := cmp.Or(*kind, aNumber+", or "+aDate)
		if value, got = parseValue(text); got == "" || *kind != "" && got != *kind {
			if got == "" && decimal.MatchString(exponent.ReplaceAllString(text, "")) {
				expected = "an exponent of at most three digits"
			}
			return nil, fmt.Errorf("%s:%d: field %q: expected %s, got %.40q", d.File, d.Line, p.field, expected, text)
		}
		*kind = got
	}
	if p.least {
		value.Neg(value)
	}
	return []byte(value.RatString()), nil
}

// The kinds of values.
const (
	aNumber = "a number"
	aDate   = "a date such as 2026-01-31"
)

// dateForms are the accepted formats of dates.
var dateForms = []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly}

// decimal matches a number. It limits the exponent, since 1e999 takes 1000 digits as an exact
// number.
var decimal = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$`)

// exponent matches an exponent that is too long for decimal.
var exponent = regexp.MustCompile(`[eE][+-]?[0-9]{4,}$`)

// parseValue returns the exact number in a field, and its kind. A date is a number of seconds.
func parseValue(text string) (value *big.Rat, kind string) {
	if decimal.MatchString(text) {
		value, _ = new(big.Rat).SetString(text)
		return value, aNumber
	}
	for _, form := range dateForms {
		if date, err := time.Parse(form, text); err == nil {
			value = big.NewRat(int64(date.Nanosecond()), 1e9)
			return value.Add(value, big.NewRat(date.Unix(), 1)), aDate
		}
	}
	return nil, ""
}
