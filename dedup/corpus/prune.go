package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Prune removes the outputs that earlier runs wrote for inputs that are gone: attributes, copies in
// a folder of Remove ("" for none), then fingerprints. It also removes copies of documents that are
// gone from an input. It returns the number of files. Changed files stay. If the folder of the run
// was moved or copied, the copies may belong to another run, so it removes them only with Force.
func (r *Run) Prune(ctx context.Context, copies string) (files int, err error) {
	release, err := r.hold(false)
	if err != nil {
		return 0, err
	}
	defer release()
	names, err := r.storedNames()
	if err != nil {
		return 0, err
	}
	n, err := r.notes()
	if err != nil {
		return 0, err
	}
	roots, paths := map[string]string{}, []string{} // of what goes: the folders of files
	for path, one := range n.others() {
		root := n.real(n.folder(one))
		if root == n.real(r.Folder) || copies != "" && root == n.real(copies) {
			roots[path] = root
			paths = append(paths, path)
		}
	}
	if err := n.refusePrune(len(paths)); err != nil {
		return 0, err
	}
	slices.Sort(paths)
	now := r.byName()
	for _, name := range names {
		if _, ok := now[name]; !ok {
			path := r.stored(Input{Name: name})
			roots[path] = r.Folder
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		if ctx.Err() != nil {
			return files, context.Cause(ctx)
		}
		if err := removeBelow(roots[path], path); err != nil {
			return files, err
		}
		files++
	}
	return files, nil
}

// refusePrune refuses to remove noted files if the folder of the run was moved or copied.
func (n *notes) refusePrune(files int) error {
	here := n.here()
	switch {
	case files == 0 || n.began == here:
		return nil
	case n.run.Force:
		return n.begin()
	case n.began == "":
		return fmt.Errorf("corpus: %s: expected to read where the folder of the run was; --force prunes", n.run.notesFile())
	}
	return fmt.Errorf("corpus: %s has been moved or copied from %s, which may have the same files: nothing is pruned; --force prunes", n.run.Folder, n.began)
}

// removeBelow removes a file, if it is there, and the folders up to root that are empty then.
func removeBelow(root, path string) error {
	if _, err := os.Lstat(path); err != nil {
		return ignoreMissing(err)
	}
	err := os.Remove(path)
	for err == nil {
		if path = filepath.Dir(path); filepath.Clean(path) == filepath.Clean(root) || os.Remove(path) != nil {
			return nil
		}
	}
	return err
}
