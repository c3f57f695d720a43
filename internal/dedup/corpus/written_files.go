package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"simhashkit/internal/disk"
	"simhashkit/internal/english"
	"simhashkit/internal/filetree"
	"simhashkit/internal/wholefile"
)

// note describes a file that a run has written: attributes, or a copy of a document file.
type note struct {
	Input    string    `json:"input"` // name of the input
	Copy     bool      `json:"copy,omitempty"`
	File     string    `json:"file"` // relative to the run's folder, so that both can be moved
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
}

// notes lists all files that the runs in a folder have written. Only these files are replaced. A file is noted before it gets its final name, so the notes include the files of killed
// runs.
type notes struct {
	run   *Run
	mutex sync.Mutex
	at    filetree.Paths
	files map[string][]note // by real path
}

func (r *Run) notesFile() string { return filepath.Join(r.Folder, kept, "written.log") }

// notes reads the notes and skips invalid lines: a kill has cut off such a line before its file got
// its name. A file without a note counts as written by the user.
func (r *Run) notes() (*notes, error) {
	n := &notes{run: r, files: map[string][]note{}}
	text, err := os.ReadFile(r.notesFile())
	for line := range bytes.Lines(text) {
		var one note
		if json.Unmarshal(line, &one) == nil {
			n.add(one)
		}
	}
	return n, ignoreMissing(err)
}

// notesToAdd rewrites the notes without those about replaced files, and then appends to them.
func (r *Run) notesToAdd() (*notes, error) {
	n, err := r.notes()
	if err != nil {
		return nil, err
	}
	var text []byte
	for _, path := range slices.Sorted(maps.Keys(n.files)) {
		if one, ok := n.ours(path); ok {
			text = append(text, one.line()...)
		}
	}
	return n, wholefile.WriteBytes(r.notesFile(), text)
}

func (n *notes) add(one note) {
	path := filepath.FromSlash(one.File)
	if !filepath.IsAbs(path) {
		path = filepath.Join(n.at.Real(n.run.Folder), path)
	}
	n.files[n.at.Real(path)] = append(n.files[n.at.Real(path)], one)
}

func (one note) line() []byte {
	line, _ := json.Marshal(one) // cannot fail
	return append(line, '\n')
}

// ours returns the note of a file, if the file is unchanged since a run wrote it.
func (n *notes) ours(path string) (note, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return note{}, false
	}
	all := n.files[n.at.Real(path)]
	i := slices.IndexFunc(all, func(one note) bool { return one.Bytes == info.Size() && one.Modified.Equal(info.ModTime()) })
	if i < 0 {
		return note{}, false
	}
	return all[i], true
}

// refuse returns an error if a file to replace has changed since a run wrote it, unless Force is
// set.
func (n *notes) refuse(path string) error {
	if n.run.Force || !wholefile.Replaces(path) {
		return nil
	}
	if _, ok := n.ours(path); ok {
		return nil
	}
	return fmt.Errorf("corpus: %s: %w, but not as a run of %s wrote it", path, fs.ErrExist, n.run.Folder)
}

// place notes a temporary file that will be renamed to path. Like refuse, it fails if path is a
// file that no run has written; such a file may have appeared meanwhile. If temp is "", path will
// be removed, and place only calls refuse.
func (n *notes) place(in Input, isCopy bool, path, temp string) error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if err := n.refuse(path); err != nil || temp == "" {
		return err
	}
	info, err := os.Stat(temp)
	if err != nil {
		return err
	}
	name := n.at.Real(path)
	if relative, err := filepath.Rel(n.at.Real(n.run.Folder), name); err == nil {
		name = relative
	}
	one := note{Input: in.Name, Copy: isCopy, File: filepath.ToSlash(name), Bytes: info.Size(), Modified: info.ModTime().UTC()}
	n.add(one)
	file, err := os.OpenFile(n.run.notesFile(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(one.line())
	return errors.Join(err, file.Close())
}

// others returns the unchanged attributes or copies in a folder whose input, or whose document in
// an input folder, no longer exists.
func (n *notes) others(folder string, copies bool) (paths []string) {
	now := map[string]Input{}
	for _, in := range n.run.Inputs {
		now[in.Name] = in
	}
	for path := range n.files {
		one, ours := n.ours(path)
		name, err := filepath.Rel(n.at.Real(folder), path)
		if !ours || one.Copy != copies || err != nil || !filepath.IsLocal(name) {
			continue
		}
		in, isInput := now[one.Input]
		document, isDocument := strings.CutPrefix(filepath.ToSlash(name), one.Input+"/")
		if isInput && isDocument && copies {
			_, err := os.Lstat(filepath.Join(in.Path, filepath.FromSlash(document)))
			isInput = !errors.Is(err, fs.ErrNotExist)
		}
		if !isInput {
			paths = append(paths, filepath.Join(folder, name))
		}
	}
	slices.Sort(paths)
	return paths
}

// noticeOthers reports the result of others.
func (r *Result) noticeOthers(paths []string) {
	if n := len(paths); n > 0 {
		r.run.notice("%d %s from earlier runs whose inputs are not part of this run, such as %s; delete %s",
			n, english.Plural(n, "file is", "files are"), paths[0], english.Plural(n, "it unless you need it", "them unless you need them"))
	}
}

// removeOtherFormats removes the attributes of the inputs in other formats.
func (n *notes) removeOtherFormats() error {
	for _, in := range n.run.Inputs {
		for _, ending := range formatEndings() {
			path := filepath.Join(n.run.Folder, filepath.FromSlash(in.Name)+ending)
			one, ours := n.ours(path)
			if ours && one.Input == in.Name && path != n.run.Attributes(in) {
				if err := os.Remove(path); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// formatEndings returns the possible extensions of attributes after the name of an input.
func formatEndings() []string {
	endings := []string{""}
	for _, format := range Formats() {
		endings = append(endings, "."+format)
	}
	return endings
}

// removeTemp removes the temporary files of killed runs beside the outputs in a folder, which have
// the names of inputs and one of these endings.
func (r *Run) removeTemp(folder string, endings []string) error {
	targets := map[string]map[string]bool{} // by folder: names of output files
	for _, in := range r.Inputs {
		path := removed(folder, in)
		if folder != r.Folder && IsFolder(path) {
			if err := removeTempBelow(path); err != nil {
				return err
			}
		}
		parent, base := filepath.Split(path)
		if targets[parent] == nil {
			targets[parent] = map[string]bool{}
		}
		for _, ending := range endings {
			targets[parent][disk.BaseInTemp(base+ending)] = true
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
