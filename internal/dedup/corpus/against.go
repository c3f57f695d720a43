package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"simhashkit/dedup"
	"simhashkit/internal/filetree"
)

// Old holds the documents of an earlier run. New documents that are similar to one of them are
// dropped.
type Old struct {
	Name    string
	Records func(ctx context.Context) iter.Seq2[Record, error]
	Read    dedup.Reread[[]byte] // rereads their texts, numbered in the order of Records; nil: none
}

// OldOf returns the documents of r as old documents for another run. Sketch must have computed
// their fingerprints.
func OldOf(r *Run, name string) Old {
	result := &Result{run: r}
	records := func(ctx context.Context) iter.Seq2[Record, error] {
		return func(yield func(Record, error) bool) {
			all := &Result{run: r}
			for _, in := range r.Inputs {
				n := 0
				var of fingerprinted
				for record, err := range r.withNames(r.read(ctx, in, &of), in.Path) {
					if !yield(record, err) || err != nil {
						return
					}
					n++
				}
				all.counts, all.heads = append(all.counts, n), append(all.heads, of.head)
			}
			result = all // only after a complete pass: some callers stop early
		}
	}
	read := func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error {
		return result.reread(r.Texts)(ctx, records, take)
	}
	return Old{name, records, read}
}

// IsRun reports whether a folder is the folder of a run.
func IsRun(folder string) bool {
	info, err := os.Stat(manifestOf(folder))
	return err == nil && info.Mode().IsRegular()
}

// manifestOf returns the path of the manifest of a run.
func manifestOf(folder string) string { return filepath.Join(folder, kept, "manifest.json") }

// Earlier returns the documents that the last run in another folder kept. Dropped documents are not
// included, because a new document must not be dropped for a document that is gone. The other run
// must be complete, and have the same definition and other input files.
func (r *Run) Earlier(folder string) (Old, error) {
	if filetree.Key(folder) == filetree.Key(r.Folder) {
		return Old{}, fmt.Errorf("corpus: %s: expected the folder of another run", folder)
	}
	text, err := os.ReadFile(manifestOf(folder))
	if err != nil {
		return Old{}, err
	}
	err = manifest{version, r.Source.Definition()}.check(text, manifestOf(folder))
	if errors.Is(err, errOtherDefinition) {
		err = fmt.Errorf("corpus: %s: %w, which has the definition\n  %s", folder, errOtherDefinition, r.Source.Definition())
	}
	if err != nil {
		return Old{}, err
	}
	earlier := &Run{Folder: folder, Source: r.Source, Numbered: r.Numbered}
	if _, err := earlier.complete(); err != nil {
		return Old{}, err
	}
	return Old{
		Name:    folder,
		Records: func(ctx context.Context) iter.Seq2[Record, error] { return earlier.keptRecords(ctx, r.Inputs) },
		Read: func(ctx context.Context, records []uint64, take func(uint64, []byte) error) error {
			return earlier.rereadKept(ctx, r.Texts, records, take)
		},
	}, nil
}

// RefuseOld returns an error if an input is also an old document, since all of it would be dropped,
// or if attributes or copies would replace old documents.
func (r *Run) RefuseOld(old []Input, folder string) error {
	var at filetree.Paths
	paths, files := map[string]bool{}, map[stateKey][]os.FileInfo{}
	for _, in := range old {
		if err := outside(&at, in, r.Folder, folder); err != nil {
			return err
		}
		paths[at.Key(in.Path)] = true
		if info, key, ok := linkOf(in.Path); ok {
			files[key] = append(files[key], info)
		}
	}
	isOld := func(path string) bool {
		info, key, ok := linkOf(path)
		return paths[at.Key(path)] ||
			ok && slices.ContainsFunc(files[key], func(old os.FileInfo) bool { return os.SameFile(old, info) })
	}
	for _, in := range r.Inputs {
		if isOld(in.Path) {
			return fmt.Errorf("corpus: %s is also one of the old documents: expected other inputs", in.Path)
		}
		if out := r.Attributes(in); paths[at.Key(out)] {
			return fmt.Errorf("corpus: %s: expected another folder for the attributes: this one has old documents", out)
		}
		if out := removed(folder, in); folder != "" && paths[at.Key(out)] {
			return fmt.Errorf("corpus: %s: expected another folder for the kept documents: this one has old documents", out)
		}
	}
	return nil
}

// linkOf returns values that identify a file through all of its links. ok is false if there is no
// regular file.
func linkOf(path string) (info os.FileInfo, key stateKey, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, key, false
	}
	s, err := stateOf(path)
	return info, s.key(), err == nil
}
