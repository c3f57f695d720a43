package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf8"

	"simhashkit/internal/filetree"
)

// refuseOutputs refuses outputs that are inputs, equal each other (by whatever path), or are
// documents of an input. copies is the folder of Remove, or "".
func (r *Run) refuseOutputs(copies string) error {
	for _, folder := range []string{r.Folder, copies} {
		if !utf8.ValidString(folder) {
			return fmt.Errorf("corpus: %q: expected the name of a folder in UTF-8, since notes hold it", folder)
		}
	}
	var at filetree.Paths
	taken := map[string]string{} // by key: what is there
	for _, path := range r.Reads {
		taken[at.Key(path)] = path + ", which is read"
	}
	for _, in := range r.Inputs {
		taken[at.Key(in.Path)] = "the input " + in.Path
	}
	take := func(path, what string) error {
		key := at.Key(path)
		if other, ok := taken[key]; ok {
			return fmt.Errorf("corpus: %s: expected another place for %s: it is that of %s", path, what, other)
		}
		taken[key] = what
		return nil
	}
	for _, in := range r.Inputs {
		if err := r.outside(&at, in, copies); err != nil {
			return err
		}
		err := take(r.stored(in), "the fingerprints of "+in.Path)
		if err == nil {
			err = take(r.Attributes(in), "the attributes of "+in.Path)
		}
		if err == nil && copies != "" {
			err = take(removed(copies, in), "what is kept of "+in.Path)
		}
		if err != nil {
			return err
		}
	}
	for path, what := range r.Also {
		if own := filepath.Join(r.Folder, kept); at.Within(own, path) {
			return fmt.Errorf("corpus: %s: expected another place for %s: the run keeps what it has done in %s", path, what, own)
		}
		if err := take(path, what); err != nil {
			return err
		}
	}
	return nil
}

// outside refuses outputs that would be documents of an input, or in its copy.
func (r *Run) outside(at *filetree.Paths, in Input, copies string) error {
	if !isFolder(in.Path) {
		return nil
	}
	folders := []string{r.Folder}
	if copies != "" {
		folders = append(folders, copies)
	}
	for path, what := range r.Also {
		folders = append(folders, path)
		if copy := removed(copies, in); copies != "" && at.Within(copy, path) {
			return fmt.Errorf("corpus: %s: expected another place for %s: it is in that of what is kept of %s", path, what, in.Path)
		}
	}
	for _, folder := range folders {
		if err := outside(at, in, folder); err != nil {
			return err
		}
	}
	return nil
}

// outside refuses to write below an input, where the output would be a document of the input.
func outside(at *filetree.Paths, in Input, path string) error {
	if isFolder(in.Path) && at.Within(in.Path, path) {
		return fmt.Errorf("corpus: %s is in %s, of which each file is a document: expected another folder to write to", path, in.Path)
	}
	return nil
}

// refuseReplaced refuses to replace files that have changed since a run wrote them, unless Force is
// set.
func (r *Run) refuseReplaced(n *notes, copies string) error {
	if r.Force {
		return nil
	}
	for _, in := range r.Inputs {
		err := n.refuse(r.Attributes(in))
		if err == nil && copies != "" {
			err = n.refuseCopy(in, copies)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refuseCopy refuses to replace or remove files in the place of a copy.
func (n *notes) refuseCopy(in Input, copies string) error {
	copied := removed(copies, in)
	if !isFolder(copied) {
		return n.refuse(copied)
	}
	return eachFile(copied, func(name, path string) error {
		if _, err := os.Lstat(filepath.Join(in.Path, filepath.FromSlash(name))); err != nil {
			return nil // is no document, and stays
		}
		return n.refuse(path)
	})
}

// makeFolderOf makes the folder that a file is in.
func makeFolderOf(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("corpus: %w: expected a folder, or room for one", err)
	}
	return nil
}
