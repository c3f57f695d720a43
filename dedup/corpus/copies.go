package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"simhashkit/internal/wholefile"
)

// copiesFile is the file with the folders that Remove has written to, relative to that of the run.
func (r *Run) copiesFile() string { return filepath.Join(r.Folder, kept, "copies.json") }

// copyFolders returns the folders that Remove has written to.
func (r *Run) copyFolders() ([]string, error) {
	text, err := os.ReadFile(r.copiesFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var folders []string
	if err == nil {
		if err = json.Unmarshal(text, &folders); err != nil {
			err = fmt.Errorf("%s: expected a list of folders: %w; without this file, the same command writes it anew", r.copiesFile(), err)
		}
	}
	for i, folder := range folders {
		if !filepath.IsAbs(folder) {
			folders[i] = filepath.Join(real(r.Folder), filepath.FromSlash(folder))
		}
	}
	return folders, err
}

// hasCopies reports whether Remove has written to the folder.
func (r *Run) hasCopies(folder string) (bool, error) {
	folders, err := r.copyFolders()
	return slices.Contains(folders, real(folder)), err
}

// noteCopies notes that Remove writes to the folder.
func (r *Run) noteCopies(folder string) error {
	folders, err := r.copyFolders()
	if err != nil || slices.Contains(folders, real(folder)) {
		return err
	}
	var names []string
	for _, folder := range append(folders, real(folder)) {
		name, err := filepath.Rel(real(r.Folder), folder) // both may be moved together
		if err != nil {
			name = folder
		}
		names = append(names, filepath.ToSlash(name))
	}
	text, err := json.Marshal(names)
	if err != nil {
		return err
	}
	return wholefile.WriteBytes(r.copiesFile(), append(text, '\n'))
}

// claim notes the folder as one of copies, whose files later runs may replace and prune, and
// reports whether it is. A folder with files of others, which Force lets Remove write to, stays
// theirs.
func (r *Run) claim(folder string) (ours bool, err error) {
	foreign := foreignIn(folder)
	if ours, err = r.hasCopies(folder); err != nil || !ours && foreign != "" {
		return false, err
	}
	return true, r.noteCopies(folder)
}

// refuseForeign refuses to replace a file that is there already, unless Force is set: where no run
// has written before.
func (r *Run) refuseForeign(fileOf func(Input) string) error {
	if r.Force {
		return nil
	}
	for _, in := range r.Inputs {
		if path := fileOf(in); wholefile.Replaces(path) {
			return fmt.Errorf("corpus: %s: %w, which no run of %s has written", path, fs.ErrExist, r.Folder)
		}
	}
	return nil
}
