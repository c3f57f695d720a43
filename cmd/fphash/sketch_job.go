package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/dedup/fingerprints"
	"simhashkit/internal/english"
)

// sketchJob is one run of fphash sketch: the input, the output, and what was left out.
type sketchJob struct {
	vectorReading
	ctx       context.Context
	sketcher  hasher
	keepGoing bool
	data      string // a data set by name, "" for the stream
	stderr    io.Writer

	texts   *textFlags // the input is documents; nil for vectors
	workers int        // on documents
	whole   bool       // a text without features is one feature

	checkFeatures func(features string) error // of documents, before they are read; nil: any will do

	name   string // of the stream, for messages
	path   string // of the stream, where it is a file's
	stream io.ReadCloser
	// the vectors in the stream; nil until they are read
	vectorFile *datasets.VectorFile
	documents  documents.Reader
	out        fingerprints.Writer

	vectors       int // read
	bad           int // vectors and lines left out
	uninformative int
	written       int   // vectors that were written or refused
	skipped       []int // of these, the ones that were refused, from 0
}

// open opens the named file or standard input, or notes the data set.
func (j *sketchJob) open(args []string, stdin io.Reader) (err error) {
	switch {
	case j.texts != nil:
		return j.openTexts(args, stdin)
	case len(args) > 1:
		return fmt.Errorf("%d files: expected one of vectors, as cat makes of several; %s", len(args), textsNeed)
	case len(args) == 1 && args[0] != "" && !datasets.IsFile(args[0]):
		j.data = args[0]
		return nil
	}
	j.path, j.stream, err = openStream(j.ctx, args, stdin)
	j.name = inputName(j.path)
	return err
}

func (j *sketchJob) close() error {
	var err error
	if j.vectorFile != nil {
		err = j.vectorFile.Close()
	}
	switch {
	case j.documents != nil:
		return j.documents.Close()
	case j.stream != nil:
		err = errors.Join(err, j.stream.Close())
	}
	return err
}

// report is called for records that are left out. It returns the error unless --keep-going is
// given.
func (j *sketchJob) report(err error) error {
	if !j.keepGoing {
		return err
	}
	j.bad++
	fmt.Fprintln(j.stderr, err)
	return nil
}

// source names where vectors come from.
func (j *sketchJob) source() string { return cmp.Or(j.data, j.name) }

// verdict warns if there were no records, or some without information, and returns an answerNo if
// some were left out.
func (j *sketchJob) verdict() error {
	noun := "vector"
	if j.texts != nil {
		noun = "document"
	}
	if j.vectors == 0 && j.bad == 0 {
		fmt.Fprintf(j.stderr, "fphash: no %ss in %s\n", noun, j.source())
	}
	if j.uninformative > 0 {
		fmt.Fprintf(j.stderr, "fphash: %d %s no information (%s)\n", j.uninformative, english.Plural(j.uninformative, "fingerprint carries", "fingerprints carry"),
			whyWithout(madeByMinHash(j.sketcher.String())))
	}
	return leftOut(j.bad, noun)
}

var errNotFinite = errors.New("expected weights whose sums are finite, but they overflow")

// refused describes the place of a vector without fingerprint.
func (j *sketchJob) refused(line int, id []byte, why error) error {
	if line == 0 {
		return fmt.Errorf("%s: vector %q: %w", j.source(), id, why)
	}
	return fmt.Errorf("%s:%d: vector %q: %w", j.name, line, id, why)
}

// refuse leaves out the next vector, or returns the error.
func (j *sketchJob) refuse(line int, id []byte, why error) error {
	j.skipped = append(j.skipped, j.written-1)
	return j.report(j.refused(line, id, why))
}

// rows returns the vectors of the data set, or those of the stream, in whichever format it has
// them.
func rows[W datasets.Weight](j *sketchJob, unit bool) (datasets.VectorReader[W], error) {
	options := datasets.ReadOptions{Name: j.name, Base: j.base, MaxLine: j.maxLine(), Unit: unit}
	if j.keepGoing {
		options.OnError = func(err error) { _ = j.report(err) } // nil, since it is to go on
	}
	if j.data == "" {
		var err error
		if j.vectorFile, err = datasets.NewVectorFile(j.ctx, j.stream, j.path, options); err != nil {
			return nil, err
		}
		return datasets.Vectors[W](j.vectorFile)
	}
	options.Name = "" // files have names of their own
	set, description, err := datasets.Load[W](j.ctx, j.data, options)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(j.stderr, "fphash:", description)
	return &setReader[W]{set: &set}, nil
}

// setReader reads the vectors of a set that is in memory.
type setReader[W datasets.Weight] struct {
	set  *datasets.CSR[W]
	next int
}

func (s *setReader[W]) Read(row *datasets.Row[W]) error {
	if s.next == s.set.Len() {
		return io.EOF
	}
	row.Indices, row.Weights = s.set.Row(s.next)
	row.ID = append(row.ID[:0], s.set.ID(s.next)...)
	s.next++
	return nil
}

func (s *setReader[W]) Bad() int          { return 0 }
func (s *setReader[W]) NotVectors() error { return nil }
