package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// storedEnding is that of files of fingerprints, behind the name of the input.
const storedEnding = ".jsonl.zst"

// storedNames returns the names of all inputs whose fingerprints are in the folder of the run.
func (r *Run) storedNames() (names []string, err error) {
	root := filepath.Join(r.Folder, kept)
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // a temporary file of another process
			return nil
		case err != nil:
			return err
		}
		if name, ok := strings.CutSuffix(path, storedEnding); ok && !entry.IsDir() {
			if name, err = filepath.Rel(root, name); err == nil {
				names = append(names, filepath.ToSlash(name))
			}
		}
		return err
	})
	return names, err
}

// names returns the names of all inputs.
func (r *Run) names() map[string]bool {
	names := map[string]bool{}
	for _, in := range r.Inputs {
		names[in.Name] = true
	}
	return names
}

// others returns the files that runs before wrote for inputs which this run has not: they stay as
// they were, and are not of what it has found.
func (r *Run) others(fileOf func(Input) string) ([]string, error) {
	names, err := r.storedNames()
	if err != nil {
		return nil, err
	}
	now := r.names()
	var others []string
	for _, name := range names {
		if now[name] {
			continue
		}
		path := fileOf(Input{Name: name})
		if _, err := os.Stat(path); err == nil {
			others = append(others, path)
		}
	}
	return others, nil
}
