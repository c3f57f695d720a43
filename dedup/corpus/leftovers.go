package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"simhashkit/internal/disk"
	"simhashkit/internal/wholefile"
)

// formatEndings are the endings that attributes may have after the name of the input.
var formatEndings = []string{"", ".jsonl", ".csv", ".parquet"}

// removeTemp removes the temporary files that killed runs left beside their outputs: the
// attributes, and the copies in folders relative to that of the run. No other process writes there
// while this run has the lock.
func (r *Run) removeTemp(n *notes, copies []string) error {
	names, err := r.storedNames()
	if err != nil {
		return err
	}
	for _, in := range r.Inputs {
		names = append(names, in.Name)
	}
	targets := map[string]map[string]bool{} // by folder: the names of files in it
	for _, folder := range append([]string{"."}, copies...) {
		for _, name := range names {
			path := filepath.Join(n.absolute(folder), filepath.FromSlash(name))
			if folder != "." && isFolder(path) {
				if err := removeTempBelow(path); err != nil {
					return err
				}
			}
			parent, base := filepath.Split(path)
			if targets[parent] == nil {
				targets[parent] = map[string]bool{}
			}
			for _, ending := range formatEndings {
				targets[parent][disk.BaseInTemp(base+ending)] = true
			}
		}
	}
	for parent, bases := range targets {
		entries, err := os.ReadDir(parent)
		if ignoreMissing(err) != nil {
			return err
		}
		for _, entry := range entries {
			if base, ok := disk.TargetOf(entry, wholefile.Ending); ok && bases[base] {
				if err := removeIfThere(filepath.Join(parent, entry.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// removeTempBelow removes all temporary files below a folder.
func removeTempBelow(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && disk.IsTemp(entry, wholefile.Ending) {
			err = os.Remove(path)
		}
		return ignoreMissing(err)
	})
}

func removeIfThere(path string) error { return ignoreMissing(os.Remove(path)) }

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
