package corpus

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Prune removes what runs before have written for inputs which this run has not: attributes,
// copies, and then the fingerprints; and copies of documents that have gone from a folder. It
// returns the number of inputs. A file that is not as a run has written it stays.
func (r *Run) Prune(ctx context.Context) (inputs int, err error) {
	names, err := r.storedNames()
	if err != nil {
		return 0, err
	}
	n, err := r.notes()
	if err != nil {
		return 0, err
	}
	now, gone := r.byName(), map[string]bool{}
	others := n.others()
	for _, path := range slices.Sorted(maps.Keys(others)) {
		one := others[path]
		if ctx.Err() != nil {
			return len(gone), context.Cause(ctx)
		}
		if err := removeBelow(n.folder(one), path); err != nil {
			return len(gone), err
		}
		gone[one.Input] = true
	}
	for _, name := range names {
		if _, ok := now[name]; ok {
			continue
		}
		if err := removeBelow(r.Folder, r.stored(Input{Name: name})); err != nil {
			return len(gone), err
		}
		gone[name] = true
	}
	return len(gone), nil
}

// removeBelow removes a file, if it is there, and the folders up to root that are empty then.
func removeBelow(root, path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for err == nil {
		if path = filepath.Dir(path); filepath.Clean(path) == filepath.Clean(root) || os.Remove(path) != nil {
			return nil
		}
	}
	return err
}
