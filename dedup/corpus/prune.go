package corpus

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Prune removes what runs before have written for inputs which this run has not: fingerprints,
// attributes of these formats, and the copies that Remove has made. It returns the number of
// inputs.
func (r *Run) Prune(ctx context.Context, formats []string) (inputs int, err error) {
	names, err := r.storedNames()
	if err != nil {
		return 0, err
	}
	folders, err := r.copyFolders()
	if err != nil {
		return 0, err
	}
	now := r.names()
	for _, name := range names {
		if now[name] {
			continue
		}
		in := Input{Name: name}
		for _, folder := range folders {
			if err := r.pruneCopy(ctx, in, folder); err != nil {
				return inputs, err
			}
		}
		for _, format := range formats {
			if err := removeBelow(r.Folder, r.attributesAs(in, format)); err != nil {
				return inputs, err
			}
		}
		if err := removeBelow(r.Folder, r.stored(in)); err != nil { // last: by it the others are found
			return inputs, err
		}
		inputs++
	}
	return inputs, nil
}

// pruneCopy removes the copy of an input: a file, or those of the files of a folder.
func (r *Run) pruneCopy(ctx context.Context, in Input, folder string) error {
	copied := removed(folder, in)
	if !isFolder(copied) {
		return removeBelow(folder, copied)
	}
	s, err := openStored(ctx, r.stored(in))
	if err != nil {
		return damaged(ctx, err)
	}
	defer s.file.Close()
	for record, err := range s.records(r.form()) {
		if err != nil {
			return damaged(ctx, err)
		}
		name := filepath.FromSlash(string(record.ID))
		if !filepath.IsLocal(name) {
			continue
		}
		if err := removeBelow(folder, filepath.Join(copied, name)); err != nil {
			return err
		}
	}
	return nil
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
