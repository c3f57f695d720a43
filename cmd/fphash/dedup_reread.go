package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"slices"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/internal/decompress"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/scratch"
)

// rereads reads records of FILE and of --against again, to verify or to show them.
type rereads struct {
	input   *dedupInput
	args    []string
	why     string                 // why records cannot be verified; "" if they can
	texts   []dedup.Reread[[]byte] // of each file of --against, and of FILE
	vectors []dedup.Reread[*datasets.Row[float64]]
}

// rereads returns a value that reads FILE again. FILE must not change from now on.
func (f *dedupFlags) rereads(args []string, kind inputKind, index *dedupIndex) (*rereads, error) {
	d := &f.input
	r := &rereads{input: d, args: args}
	switch {
	case kind == fingerprintInput:
		r.why = fmt.Sprintf("%s has fingerprints only", d.name(args))
	case index != nil:
		r.why = fmt.Sprintf("%s has fingerprints only", index.path)
	}
	if kind != textInput {
		if f.show.n > 0 {
			return nil, fmt.Errorf("--show: expected texts, got %s", kind)
		}
		if f.keep != keepFirst {
			return nil, fmt.Errorf("--keep %s: expected texts, got %s", f.keep, kind)
		}
	}
	if f.show.n > 0 && index != nil {
		return nil, fmt.Errorf("--show: expected --against with texts, got the index %s", index.path)
	}
	var all [][]string
	for _, name := range f.oldFiles {
		all = append(all, []string{name})
	}
	for _, names := range append(all, args) {
		unchanged, err := d.watch(names)
		if err != nil {
			return nil, err
		}
		switch kind {
		case textInput:
			r.texts = append(r.texts, d.textsAgain(names, unchanged))
		case vectorInput:
			r.vectors = append(r.vectors, d.vectorsAgain(names, unchanged))
		}
	}
	return r, nil
}

// watch returns a function that checks that the files have not changed since this call.
func (d *dedupInput) watch(names []string) (unchanged func() error, err error) {
	var files []string
	for _, name := range names {
		if _, err := os.Stat(name); err == nil {
			files = append(files, name)
		} else { // a pattern
			matching, _ := documents.Expand([]string{name})
			files = append(files, matching...)
		}
	}
	return corpus.Watch(files...)
}

// textsAgain returns a function that reads the texts of files again.
func (d *dedupInput) textsAgain(names []string, unchanged func() error) dedup.Reread[[]byte] {
	return d.documentsAgain(names, unchanged, "", func(document *documents.Document) ([]byte, error) { return document.Text, nil })
}

// documentsAgain returns a function that reads the documents of files again and yields
// of(document), which is a value or the text.
func (d *dedupInput) documentsAgain(names []string, unchanged func() error, value string, of func(*documents.Document) ([]byte, error)) dedup.Reread[[]byte] {
	return again(d, names, "reading texts again", unchanged, func(ctx context.Context, _ string, want func(int) bool) iter.Seq2[[]byte, error] {
		return d.wanted(ctx, names, value, want, of)
	})
}

// again returns a function that reads the records of files again.
func again[T any](d *dedupInput, names []string, doing string, unchanged func() error, read dedup.Values[T]) dedup.Reread[T] {
	return func(ctx context.Context, records []uint64, take func(uint64, T) error) error {
		d.doing = doing
		n := 0
		told := func(more int) { n += more; d.show(n) }
		err := read.Take(ctx, d.name(names), 0, records, told, take)
		if changed := unchanged(); changed != nil { // the change may have caused err
			return changed
		}
		return err
	}
}

// wanted yields extract(document), a value or the text, for the wanted documents of files, and nil
// for the others.
func (d *dedupInput) wanted(ctx context.Context, names []string, value string, want func(int) bool, extract func(*documents.Document) ([]byte, error)) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		record := 0
		for document, err := range d.eachDocument(ctx, names, value, want) {
			var read []byte
			if err == nil && want(record) {
				read, err = extract(document)
			}
			record++
			if !yield(read, err) || err != nil {
				return
			}
		}
	}
}

// eachDocument reads the documents of files again, with the value of a field. With --keep-going, it
// skips unreadable documents silently, since the first reading has reported them.
func (d *dedupInput) eachDocument(ctx context.Context, names []string, value string, want func(int) bool) iter.Seq2[*documents.Document, error] {
	return func(yield func(*documents.Document, error) bool) {
		var document documents.Document
		var onError func(error)
		if d.keepGoing {
			onError = func(error) {}
		}
		texts := &d.texts
		if of, ok := d.fields[d.name(names)]; ok {
			texts = texts.of(of)
		}
		options := texts.options(onError)
		options.Want, options.Value = want, value
		orKeep := func(err error) error {
			if err != nil && value != "" {
				err = fmt.Errorf("--keep: %w", err)
			}
			return err
		}
		reader, err := d.openDocuments(ctx, texts, names, options)
		if err != nil {
			yield(&document, orKeep(err))
			return
		}
		defer reader.Close()
		for {
			err := reader.Read(&document)
			if errors.Is(err, io.EOF) || !yield(&document, orKeep(err)) || err != nil {
				return
			}
		}
	}
}

func (d *dedupInput) openDocuments(ctx context.Context, texts *textFlags, names []string, options documents.Options) (documents.Reader, error) {
	if len(names) == 0 {
		return documents.NewReader(ctx, d.stdinAgain(), inputName(""), options)
	}
	return texts.open(ctx, names, options, func(string) {})
}

// vectorsAgain returns a function that reads the vectors of a file again.
func (d *dedupInput) vectorsAgain(names []string, unchanged func() error) dedup.Reread[*datasets.Row[float64]] {
	return again(d, names, "reading vectors again", unchanged, func(ctx context.Context, _ string, _ func(int) bool) iter.Seq2[*datasets.Row[float64], error] {
		return d.eachVector(ctx, names)
	})
}

// eachVector reads the vectors of a file again, without those that were skipped.
func (d *dedupInput) eachVector(ctx context.Context, names []string) iter.Seq2[*datasets.Row[float64], error] {
	return func(yield func(*datasets.Row[float64], error) bool) {
		job := &sketchJob{ctx: ctx, keepGoing: d.keepGoing, vectorReading: d.vectorReading, stderr: io.Discard}
		if err := job.open(names, d.stdinAgain()); err != nil {
			yield(nil, err)
			return
		}
		defer job.close()
		reader, err := rows[float64](job, d.weights == datasets.Unit)
		if err != nil {
			yield(nil, err)
			return
		}
		var row datasets.Row[float64]
		skipped := d.skipped[job.name]
		for n := 0; ; n++ {
			err := reader.Read(&row)
			if errors.Is(err, io.EOF) {
				return
			}
			if len(skipped) > 0 && skipped[0] == n && err == nil {
				skipped = skipped[1:]
				continue
			}
			if row.Weights == nil {
				row.Weights = slices.Repeat([]float64{1}, len(row.Indices))
			}
			if n%1024 == 0 {
				err = cmp.Or(err, context.Cause(ctx))
			}
			if !yield(&row, err) || err != nil {
				return
			}
		}
	}
}

// chained returns a Reread for the records of all files, given how many each but the last has.
func chained[T any](files []dedup.Reread[T], counts []int) dedup.Reread[T] {
	all := files[len(files)-1]
	for i, n := range slices.Backward(counts) {
		all = all.After(files[i], n)
	}
	return all
}

// verifier returns the verifier of candidate pairs, or nil if records cannot be verified. olds has
// the number of records of each file of --against.
func (r *rereads) verifier(spec dedup.Spec, olds []int, workers int) *dedup.Verifier {
	switch {
	case spec.Similarity == 0 || r.why != "":
		return nil
	case spec.Measure == dedup.Cosine:
		return &dedup.Verifier{Spec: spec, Vectors: chained(r.vectors, olds)}
	}
	return &dedup.Verifier{Spec: spec, Texts: chained(r.texts, olds), Workers: workers}
}

// preference returns the rule by which a record of each group is kept; nil means the first.
func (r *rereads) preference(keep string) (*dedup.Preference, error) {
	p, err := parseKeep(keep)
	if err != nil || p.name == "" {
		return nil, err
	}
	unchanged, err := r.input.watch(r.args)
	if err != nil {
		return nil, err
	}
	kind := ""
	values := r.input.documentsAgain(r.args, unchanged, p.field, func(document *documents.Document) ([]byte, error) {
		return p.value(document, &kind, r.input.keepGoing, r.input.report)
	})
	return &dedup.Preference{Name: p.name, Values: values}, nil
}

// shown returns examples of dropped records, with their texts and the texts of the kept records.
func (r *rereads) shown(ctx context.Context, result *dedup.Result, olds []int, what examplesShown) (shown, error) {
	if what.n == 0 {
		return shown{}, nil
	}
	return drawn(ctx, result, what, chained(r.texts, olds))
}

// shown holds the examples of a result.
type shown struct {
	examples []dedup.Example
	texts    map[int]string // by the number of the record
}

func drawn(ctx context.Context, r *dedup.Result, what examplesShown, read dedup.Reread[[]byte]) (shown, error) {
	s := shown{examples: what.of(r), texts: map[int]string{}}
	var records []uint64
	for _, e := range s.examples {
		records = append(records, uint64(e.Dropped), uint64(e.Kept))
	}
	slices.Sort(records)
	err := read(ctx, slices.Compact(records), func(record uint64, text []byte) error {
		s.texts[int(record)] = string(text)
		return nil
	})
	return s, err
}

// records returns the numbers of all records in the examples.
func (s *shown) records() []int { return slices.Collect(maps.Keys(s.texts)) }

// readsTwice reports whether texts or vectors are read a second time: to be verified or shown, or
// for the values of --keep.
func (f *dedupFlags) readsTwice(spec dedup.Spec, index *dedupIndex) bool {
	return spec.Similarity > 0 && index == nil || f.show.n > 0 || f.keep != keepFirst
}

// openPipe makes d.stdin read the only FILE if that is standard input or a pipe, and then returns
// no arguments. Otherwise it returns args.
func (d *dedupInput) openPipe(args []string) (rest []string, err error) {
	switch {
	case len(args) != 1 || !readOnce(args[0]):
		return args, nil
	case !isStdin(args[0]):
		d.stdin, err = os.Open(args[0])
	}
	return nil, err
}

// refusePipes refuses pipes, since they cannot be read twice. A pipe that is the only FILE is
// allowed: it is copied to a temporary file.
func (f *dedupFlags) refusePipes(args []string) error {
	if i := slices.IndexFunc(f.against, readOnce); i >= 0 {
		return fmt.Errorf("--against %s: expected a file, which can be read twice", f.against[i])
	}
	if i := slices.IndexFunc(args, readOnce); i >= 0 && len(args) > 1 {
		return fmt.Errorf("%s: expected files, which can be read twice, or a single pipe, as from cat", args[i])
	}
	return nil
}

// copyStdin copies standard input to a temporary file, so that it can be read twice.
func (d *dedupInput) copyStdin() error {
	stream, err := decompress.NewReader(d.ctx, d.stdin) // stops when the context is canceled
	if err == nil {
		d.copied, err = scratch.Of(&copying{stream, d.progress, 0})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(""), err)
	}
	d.stdin = d.stdinAgain()
	return nil
}

// stdinAgain returns a reader of the copy of standard input, or nil if there is no copy.
func (d *dedupInput) stdinAgain() io.Reader {
	if d.copied == nil {
		return nil
	}
	return io.NewSectionReader(d.copied, 0, math.MaxInt64)
}

// copying is a reader that shows how much has been read.
type copying struct {
	io.Reader
	progress *progress
	n        int
}

func (c *copying) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	c.progress.report(status{step: "copying standard input", count: c.n >> 20, unit: "MiB"})
	return n, err
}

// readOnce reports whether a path is standard input or a pipe, which can be read only once.
// Patterns and names of data sets count as files.
func readOnce(path string) bool {
	info, err := os.Stat(path)
	return isStdin(path) || err == nil && !info.Mode().IsRegular() && !info.IsDir()
}
