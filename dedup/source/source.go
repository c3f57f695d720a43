// Package source reads records from files of all kinds, and finds their near-duplicates: texts
// (JSON lines, CSV, Parquet, lines, folders, tar archives), sparse vectors, and fingerprints.
//
// Open detects what the files hold. Find computes the fingerprints, searches, and reads candidates
// again to compare them. The package is separate from package dedup because it links the readers of
// all formats.
package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	_ "simhashkit/internal/columnar" // for documents in Parquet
	"simhashkit/internal/decompress"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/docformat"
	"simhashkit/internal/scratch"
)

// Kind is the kind of the records of a source.
type Kind int

// The kinds.
const (
	Vectors Kind = iota
	Texts
	Fingerprints
)

func (k Kind) String() string { return [...]string{"vectors", "texts", "fingerprints"}[k] }

// Noun returns the noun for one record.
func (k Kind) Noun() string { return [...]string{"vector", "document", "record"}[k] }

// Hints say what is known about files. The zero value detects everything.
type Hints struct {
	Texts        bool // the files hold texts, whatever they look like
	Fingerprints bool // the file holds fingerprints, perhaps without ids, or is empty

	Format  string // of the texts, one of docformat.Names
	Text    string // field of the text
	ID      string // field of the id; "" is the field id, if there is one
	NoID    bool   // ignore ids: the records are named by their numbers
	Charset string // encoding of the texts; "" is UTF-8

	Base    uint64 // the least index of vectors in svmlight and Vowpal Wabbit
	MaxLine int    // longest line of vectors in bytes; 0: 16 MiB
	Bits    int    // width of the fingerprints in a file that does not record it; 0: 4 for each digit

	Stdin io.Reader // is read without paths, or for the path "-"; nil is os.Stdin

	// Once says that the records are read only once. Otherwise, Open copies standard input or a
	// pipe to a temporary file.
	Once bool

	// OnError is called with the error of each malformed record, which is then left out. If it is
	// nil, the first such error ends the reading.
	OnError func(error)

	Progress func(dedup.Progress) // called periodically; may be nil
}

// Detected says what Open has detected, or assumed.
type Detected struct {
	Kind     Kind
	Text, ID string // fields; a Text of "" is docformat.DefaultText, an ID of "" is the record number
	TextFrom string // the input in which Text was detected; "" if it was given or is the default
	MaybeCSV bool   // standard input is read as lines, although it looks like CSV
	Units    []Unit // where a document could be a line or a file
	Code     bool   // the paths are folders of source code
}

// Unit says what one document is in files whose names do not tell.
type Unit struct {
	Paths string   // what the user named
	Files int      // number of files
	Whole bool     // each file is a document
	Lines []string // else: the files in which each line is a document
}

// Source is a set of files, or a stream, with records of one kind.
type Source struct {
	Detected
	Name string // for messages

	hints     Hints
	paths     []string      // as given; none for a stream
	stream    io.Reader     // standard input or a pipe
	pipe      io.Closer     // a named pipe
	copied    *scratch.File // the stream, if it is read twice
	opened    *openedFile   // the only file, until it is read
	unchanged func() error  // whether the files are as Open has found them
}

// Open detects the kind of the records of files, and the fields of texts. A path is a file, a
// folder, a pattern such as *.jsonl, or "-" for standard input, which is also read without paths.
func Open(ctx context.Context, paths []string, hints Hints) (_ *Source, err error) {
	s := &Source{Name: cmp.Or(strings.Join(paths, " "), standardInput), hints: hints, paths: paths}
	defer func() {
		if err != nil {
			_ = s.Close() // the error of opening comes first
		}
	}()
	if len(paths) == 1 && ReadOnce(paths[0]) {
		s.paths = nil
		if !isStdin(paths[0]) {
			file, err := os.Open(paths[0])
			if err != nil {
				return nil, err
			}
			s.stream, s.pipe = file, file
		} else {
			s.Name = standardInput
		}
	}
	if len(s.paths) == 0 && s.stream == nil {
		if s.stream = hints.Stdin; s.stream == nil {
			s.stream = os.Stdin
		}
	}
	if i := slices.IndexFunc(s.paths, ReadOnce); i >= 0 && !hints.Once {
		return nil, fmt.Errorf("%s: expected files, which can be read twice, or a single pipe, as from cat", s.paths[i])
	}
	if err := s.detect(ctx); err != nil {
		return nil, err
	}
	switch {
	case hints.Once:
		s.unchanged = func() error { return fmt.Errorf("%s: it was opened to be read once", s.Name) }
		return s, nil
	case s.stream == nil:
		s.unchanged, err = watch(s.paths)
		return s, err
	case s.Kind != Fingerprints:
		return s, s.copyStream(ctx)
	}
	return s, nil
}

// Close removes the copy of a stream.
func (s *Source) Close() error {
	var err error
	s.closeOpened()
	if s.copied != nil {
		err = s.copied.Close()
	}
	if s.pipe != nil {
		err = errors.Join(err, s.pipe.Close())
	}
	return err
}

const standardInput = "standard input"

func isStdin(path string) bool { return path == "" || path == docformat.StandardInput }

// ReadOnce reports whether a path is standard input or a pipe, which can be read only once.
// Patterns and names of data sets count as files.
func ReadOnce(path string) bool {
	info, err := os.Stat(path)
	return isStdin(path) || err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// watch returns a function that checks that the files have not changed since this call.
func watch(paths []string) (unchanged func() error, err error) {
	var files []string
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil {
			files = append(files, path)
		} else { // a pattern
			matching, _ := documents.Expand([]string{path})
			files = append(files, matching...)
		}
	}
	return corpus.Watch(files...)
}

// copyStream copies the stream to a temporary file, so that it can be read twice.
func (s *Source) copyStream(ctx context.Context) error {
	stream, err := decompress.NewReader(ctx, s.stream) // stops when the context is canceled
	if err == nil {
		s.copied, err = scratch.Of(&copying{stream, s, 0})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", standardInput, err)
	}
	s.unchanged = func() error { return nil }
	return nil
}

// copying is a reader that reports how much has been read.
type copying struct {
	io.Reader
	source *Source
	n      int
}

func (c *copying) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	c.source.progress("copying standard input", c.n>>20, "MiB")
	return n, err
}

// reader returns the stream, or a reader of its copy from the start.
func (s *Source) reader() io.Reader {
	if s.copied == nil {
		return s.stream
	}
	return io.NewSectionReader(s.copied, 0, math.MaxInt64)
}

func (s *Source) progress(step string, n int, unit string) {
	if s.hints.Progress != nil {
		s.hints.Progress(dedup.Progress{Step: step, Count: n, Unit: unit})
	}
}

// Same returns the path of the source that is the same file as a path, or "".
func (s *Source) Same(path string) string {
	file, err := os.Stat(path)
	if err != nil {
		return ""
	}
	for _, own := range s.paths {
		if info, err := os.Stat(own); err == nil && os.SameFile(info, file) {
			return own
		}
	}
	return ""
}
