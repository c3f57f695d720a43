package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"simhashkit/datasets/documents"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup"
	"simhashkit/dedup/corpus"
)

// again returns what reads something of the documents of a file again, which must stay as it is
// from now on. It is nil, without an error, where they cannot be read twice.
func (d *dedupInput) again(name string, of dedup.TextsOf) (dedup.Reread, error) {
	if isStdin(name) || !readTwice(name) {
		return nil, nil
	}
	unchanged, err := corpus.Watch(name)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, records []uint64, take func(uint64, []byte) error) error {
		d.began, d.doing = d.progress.now(), "reading texts again"
		n := 0
		err := of.Take(ctx, name, 0, records, func(more int) {
			n += more
			d.show(n)
		}, take)
		if changed := unchanged(); changed != nil { // whatever that has led to
			return changed
		}
		return err
	}, nil
}

// textsAgain is documentsAgain for their texts, a dedup.TextsOf.
func (d *dedupInput) textsAgain(ctx context.Context, path string, want func(int) bool) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for document, err := range d.documentsAgain(ctx, path, "", want) {
			if !yield(document.Text, err) {
				return
			}
		}
	}
}

// documentsAgain reads the documents of a file again, with the value of a field. Those that cannot
// be read were named before. Which can does not depend on the value.
func (d *dedupInput) documentsAgain(ctx context.Context, path, value string, want func(int) bool) iter.Seq2[*documents.Document, error] {
	return func(yield func(*documents.Document, error) bool) {
		var document documents.Document
		var onError func(error)
		if d.keepGoing {
			onError = func(error) {}
		}
		options := d.texts.options(onError)
		options.Want, options.Value = want, value
		open := documents.Open
		if d.texts.several([]string{path}) { // a folder of files of documents
			open = d.texts.openFolder
		}
		reader, err := open(ctx, path, options)
		if err != nil {
			yield(&document, err)
			return
		}
		defer reader.Close()
		for {
			err := reader.Read(&document)
			if errors.Is(err, io.EOF) || !yield(&document, err) || err != nil {
				return
			}
		}
	}
}

// openFolder opens the files of a folder, as one, for who has named them before.
func (f *textFlags) openFolder(ctx context.Context, path string, options documents.Options) (documents.Reader, error) {
	paths, format, err := f.expandAll([]string{path}, func(string) {})
	if err != nil {
		return nil, err
	}
	options.Format, options.Want = format, nil // which counts the records of one file
	return documents.OpenAll(ctx, paths, options)
}

// verifier returns what compares texts as --verify says. Its texts come from read and, with another
// file, from readAgainst.
func (f *nearFlags) verifier(ctx context.Context, read, readAgainst dedup.Reread) (*dedup.Texts, error) {
	if f.measure.Kind == dedup.Cosine && f.input.definition.Convention != "" {
		return nil, errors.New("--verify cosine: expected sequence, jaccard or contained with --convention, which has no weights to compare")
	}
	analyzer, o, err := f.input.texts.weighing.load(ctx)
	if err != nil {
		return nil, err
	}
	weigher, err := weights.New(o)
	if err != nil {
		return nil, err
	}
	return &dedup.Texts{Measure: f.measure, Analyzer: analyzer, Weigher: weigher, Read: read, ReadAgainst: readAgainst, Workers: f.input.workers}, nil
}

// rereads returns what reads the texts of FILE and of --against again, nil where nobody may ask for
// them. It is called before these are read.
func (f *dedupFlags) rereads(args []string, index *dedupIndex) (read, against dedup.Reread, err error) {
	if !f.input.texts.given() {
		if f.shows() {
			err = fmt.Errorf("%s: expected FILE of documents, which is read again for their texts", f.askers())
		}
		return nil, nil, err
	}
	if len(args) > 0 {
		if read, err = f.input.again(args[0], f.input.textsAgain); err != nil {
			return nil, nil, err
		}
	}
	if read == nil && f.asksForTexts() {
		return nil, nil, fmt.Errorf("%s: expected FILE of documents, which is read again for their texts; what comes by a pipe has to be in a file first", f.askers())
	}
	if f.verify == "" || f.other == "" {
		return read, nil, nil
	}
	if index == nil {
		against, err = f.input.again(f.other, f.input.textsAgain)
	}
	if err == nil && against == nil {
		err = fmt.Errorf("--verify: expected --against FILE of documents, which is read again for their texts, got %s", f.other)
	}
	return read, against, err
}

// verifyBy adds what --verify asks for to the options. The texts are to be closed in the end, also
// where there are none.
func (f *dedupFlags) verifyBy(ctx context.Context, records *dedup.Records, options *dedup.Options, read, against dedup.Reread) (*dedup.Texts, error) {
	if !f.input.texts.given() {
		vectors, err := dedup.NewVectors(records, options.Against, f.measure)
		options.Verify = vectors
		return new(dedup.Texts), err
	}
	texts, err := f.verifier(ctx, read, against)
	options.Verify = texts
	return texts, err
}

// readTwice reports whether a path is that of a file or folder, and of nothing that can be read
// once alone, such as a pipe.
func readTwice(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.Mode().IsRegular() || info.IsDir())
}

// rereadable returns why inputs cannot be read again, if they cannot.
func (f *corpusFlags) rereadable(inputs []corpus.Input) error {
	for _, in := range inputs {
		if !readTwice(in.Path) {
			return fmt.Errorf("%s: expected files, which are read again, got %s, which can be read once", cmp.Or(f.askers(), "--keep"), in.Path)
		}
	}
	return nil
}
