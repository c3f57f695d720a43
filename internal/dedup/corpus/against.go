package corpus

import (
	"context"
	"fmt"
	"iter"

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
				var of *storedFile
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

// RefuseOld returns an error if an input is also an old document, since all of it would be dropped,
// or if attributes or copies would replace old documents.
func (r *Run) RefuseOld(old []Input, folder string) error {
	var at filetree.Paths
	news, err := byState(r.Inputs)
	if err != nil {
		return err
	}
	paths := map[string]bool{}
	for _, in := range old {
		if err := outside(&at, in, r.Folder, folder); err != nil {
			return err
		}
		paths[at.Key(in.Path)] = true
		s, _ := stateOf(in.Path) // Sketch returns the error
		if path, ok := news[s]; ok {
			return fmt.Errorf("corpus: %s is also one of the old documents: expected other inputs", path)
		}
	}
	for _, in := range r.Inputs {
		if paths[at.Key(in.Path)] {
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
