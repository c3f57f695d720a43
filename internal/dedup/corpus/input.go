package corpus

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/filetree"
)

// Input is a file of documents, or a folder in which each file is a document.
type Input struct {
	Path string

	// Name is the path of the input's files in the folder of a run, with slashes. It is the path
	// below the fixed part of a pattern, or the name of a folder.
	Name string

	Old bool // a file of old documents
}

// Inputs returns the inputs that match patterns, in the order of the patterns. expand returns the
// files of one pattern, or folders that are one input each. An input is listed once, with the first
// name found, even if links lead to it several times. Inputs fails if two inputs would have the
// same name in the folder of the run, or if a folder contains another input.
//
// written lists the folders that a run writes to. When a run is repeated, patterns often match
// files in these folders. Such files are left out and counted. If a pattern names such a folder
// itself, only the files that runs have written are left out.
func Inputs(patterns, written []string, expand func(pattern string) ([]string, error)) (inputs []Input, leftOut int, err error) {
	byName, byPath := map[string]string{}, map[string]bool{}
	var at filetree.Paths
	isWritten, err := writtenIn(&at, written)
	if err != nil {
		return nil, 0, err
	}
	for _, pattern := range patterns {
		paths, err := expand(pattern)
		if err != nil {
			return nil, 0, err
		}
		base := fixed(pattern)
		apart := slices.DeleteFunc(slices.Clone(written), func(folder string) bool { return at.Within(folder, base) })
		for _, path := range paths {
			if isWritten(path) || slices.ContainsFunc(apart, func(folder string) bool { return at.Within(folder, path) }) {
				leftOut++
				continue
			}
			name, err := nameOf(path, base)
			if err != nil {
				return nil, 0, err
			}
			key := at.Key(path)
			if byPath[key] {
				continue
			}
			byPath[key] = true
			if other, ok := byName[name]; ok {
				return nil, 0, fmt.Errorf("corpus: %s and %s would both be %s in the folder of the run: expected one pattern for both", other, path, name)
			}
			byName[name] = path
			inputs = append(inputs, Input{Path: path, Name: name})
		}
	}
	return inputs, leftOut, refuseNested(&at, inputs)
}

// writtenIn returns a function that reports whether a run in one of these folders has written a
// file.
func writtenIn(at *filetree.Paths, folders []string) (is func(path string) bool, err error) {
	var all []*notes
	for _, folder := range folders {
		n, err := (&Run{Folder: folder}).notes()
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return func(path string) bool {
		return slices.ContainsFunc(all, func(n *notes) bool {
			_, ours := n.ours(path)
			return ours || at.Within(filepath.Join(n.run.Folder, kept), path)
		})
	}, nil
}

// nameOf returns the name of an input that a pattern with the given fixed part matches.
func nameOf(path, base string) (string, error) {
	if filepath.Clean(path) == filepath.Clean(base) { // a folder that is an input
		absolute, err := filepath.Abs(path)
		if err != nil {
			return "", err
		}
		base, path = filepath.Dir(absolute), absolute
	}
	name, err := filepath.Rel(base, path)
	if err != nil || !filepath.IsLocal(name) || name == "." {
		return "", fmt.Errorf("corpus: %s: expected a file below %s", path, base)
	}
	name = filepath.ToSlash(name)
	if !utf8.ValidString(name) {
		return "", fmt.Errorf("corpus: %q: expected a file name in UTF-8, since attributes and notes hold it: rename the file", path)
	}
	return name, nil
}

// refuseNested returns an error if an input is inside another one. Its documents would belong to
// both, and be near-duplicates of themselves.
func refuseNested(at *filetree.Paths, inputs []Input) error {
	folders := map[string]Input{} // by real path
	for _, in := range inputs {
		if IsFolder(in.Path) {
			folders[at.Real(in.Path)] = in
		}
	}
	if len(folders) == 0 {
		return nil
	}
	for _, in := range inputs {
		path := at.Real(in.Path)
		for parent := filepath.Dir(path); parent != path; parent = filepath.Dir(path) {
			if folder, ok := folders[parent]; ok {
				return fmt.Errorf("corpus: %s is in %s, where each file is a document already: expected only one of the two", in.Path, folder.Path)
			}
			path = parent
		}
	}
	return nil
}

// IsFolder reports whether a path is a folder, or a link to one.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// fixed returns the fixed part of a pattern, the folder that contains all files it matches.
func fixed(pattern string) string {
	if info, err := os.Stat(pattern); err == nil {
		if info.IsDir() {
			return pattern
		}
		return filepath.Dir(pattern)
	}
	base, _ := doublestar.SplitPattern(filepath.ToSlash(pattern))
	return filepath.FromSlash(base)
}

// refuseOutputs returns an error if an input is also an old document, since all of it would be
// dropped. It also fails if an output would replace an input, an old document or another output, or
// would be a document of one of these. copies is the folder of Remove, or "".
func (r *Run) refuseOutputs(copies string) error {
	for _, folder := range []string{r.Folder, copies} {
		if !utf8.ValidString(folder) {
			return fmt.Errorf("corpus: %q: expected the name of a folder in UTF-8, since notes hold it", folder)
		}
	}
	var at filetree.Paths
	taken := map[string]string{} // by key: description of the file
	for _, old := range r.Against {
		taken[at.Key(old.Name)] = old.Name
	}
	olds := map[state]bool{}
	for _, in := range r.OldFiles {
		taken[at.Key(in.Path)] = "the old document " + in.Path
		if s, err := stateOf(in.Path); err == nil && s.Changed != 0 {
			olds[s] = true
		}
	}
	for _, in := range r.Inputs {
		_, isOld := taken[at.Key(in.Path)]
		if len(olds) > 0 && !isOld { // it may be a hard link
			s, _ := stateOf(in.Path) // Sketch returns the error
			isOld = olds[s]
		}
		if isOld {
			return fmt.Errorf("corpus: --against: %s is also one of the old documents: expected other inputs", in.Path)
		}
	}
	for _, in := range r.Inputs {
		taken[at.Key(in.Path)] = "the input " + in.Path
	}
	for _, in := range slices.Concat(r.Inputs, r.OldFiles) {
		if err := outside(&at, in, r.Folder, copies); err != nil {
			return err
		}
		outputs := [][2]string{{r.stored(in), "the fingerprints of "}}
		if !in.Old {
			outputs = append(outputs, [2]string{r.Attributes(in), "the attributes of "})
		}
		if !in.Old && copies != "" {
			outputs = append(outputs, [2]string{removed(copies, in), "the kept documents of "})
		}
		for _, output := range outputs {
			key, what := at.Key(output[0]), output[1]+in.Path
			if other, ok := taken[key]; ok {
				return fmt.Errorf("corpus: %s: %s would replace %s; choose another folder", output[0], what, other)
			}
			taken[key] = what
		}
	}
	return nil
}

// outside returns an error if an output folder is inside an input folder, where outputs would
// become documents. Folders may be "".
func outside(at *filetree.Paths, in Input, folders ...string) error {
	for _, folder := range folders {
		if folder != "" && IsFolder(in.Path) && at.Within(in.Path, folder) {
			return fmt.Errorf("corpus: %s is in %s, where each file is a document: expected another folder to write to", folder, in.Path)
		}
	}
	return nil
}

// refuseReplaced returns an error if a run would replace files that have changed since a run wrote
// them, unless Force is set.
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

// refuseCopy is refuse for the files that the copy of an input would replace or remove.
func (n *notes) refuseCopy(in Input, copies string) error {
	copied := removed(copies, in)
	if !IsFolder(copied) {
		return n.refuse(copied)
	}
	return eachFile(copied, func(name, path string) error {
		if _, err := os.Lstat(filepath.Join(in.Path, filepath.FromSlash(name))); err != nil {
			return nil // not a document; it stays
		}
		return n.refuse(path)
	})
}

// makeFolderOf creates the folder of a file.
func makeFolderOf(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("corpus: %w: expected a folder, or a path where one can be created", err)
	}
	return nil
}

// state identifies the content of an input without reading it. A new file has another inode. A
// write updates the change time, which, unlike the modification time, cannot be set back.
type state struct {
	Bytes    int64  `json:"bytes"`
	Modified int64  `json:"modified"`          // in nanoseconds since 1970
	Changed  int64  `json:"changed,omitempty"` // like the inode, only on systems that have it
	Inode    uint64 `json:"inode,omitempty"`
	Files    string `json:"files,omitempty"` // hash of names and states of the files in a folder
}

// stateOf returns the current state of an input.
func stateOf(path string) (state, error) {
	info, err := os.Stat(path)
	if err != nil {
		return state{}, err
	}
	if info.IsDir() {
		return stateOfFolder(path)
	}
	s := state{Bytes: info.Size(), Modified: info.ModTime().UnixNano()}
	s.Changed, s.Inode, err = identityOf(path)
	return s, err
}

// stateOfFolder returns the total size of the files below a folder, their latest times, and a hash.
// A name that is not UTF-8 is an error, because it cannot be an id or be noted.
func stateOfFolder(folder string) (state, error) {
	var all state
	hash := xxhash.New()
	err := eachFile(folder, func(name, path string) error {
		if !utf8.ValidString(name) {
			return fmt.Errorf("corpus: %q: expected a file name in UTF-8, since it is the id of a document: rename the file", path)
		}
		s, err := stateOf(path)
		if err != nil {
			return err
		}
		all.Bytes += s.Bytes
		all.Modified, all.Changed = max(all.Modified, s.Modified), max(all.Changed, s.Changed)
		_, err = fmt.Fprintf(hash, "%q %d %d %d %d\n", name, s.Bytes, s.Modified, s.Changed, s.Inode)
		return err
	})
	all.Files = fmt.Sprintf("%016x", hash.Sum64())
	return all, err
}

// eachFile calls do for each document file below a folder, in the order of their names.
func eachFile(folder string, do func(name, path string) error) error {
	names, err := filetree.Files(context.Background(), folder, nil)
	if err != nil {
		return err
	}
	for _, name := range names {
		if filetree.Marked(name) {
			continue
		}
		if err := do(name, filepath.Join(folder, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

// check returns the error wrong if the state of an input has changed.
func (s state) check(path, wrong string) error {
	now, err := stateOf(path)
	if err == nil && now != s {
		err = fmt.Errorf("%s: %s", path, wrong)
	}
	return err
}

// Watch returns a function that returns an error if a file, or a file in a folder, has changed or
// been replaced since the call of Watch.
func Watch(paths ...string) (unchanged func() error, err error) {
	before := make([]state, len(paths))
	for i, path := range paths {
		if before[i], err = stateOf(path); err != nil {
			return nil, err
		}
	}
	return func() error {
		for i, path := range paths {
			if err := before[i].check(path, "it has changed since it was read first: run again"); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
