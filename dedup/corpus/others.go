package corpus

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// storedEnding follows the name of the input in the names of files of fingerprints.
const storedEnding = ".jsonl.zst"

// storedNames returns the names of all inputs with fingerprints in the folder of the run.
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

// byName returns the inputs by their names.
func (r *Run) byName() map[string]Input {
	inputs := map[string]Input{}
	for _, in := range r.Inputs {
		inputs[in.Name] = in
	}
	return inputs
}
