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
	"simhashkit/internal/filetree"
	"simhashkit/internal/wholefile"
)

// note describes a file that a run has written: attributes or a copy.
type note struct {
	Input    string    `json:"input"`  // its name
	Folder   string    `json:"folder"` // relative to that of the run: both may be moved together
	File     string    `json:"file"`   // below Folder
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
}

// place is the folder of the run when the notes began.
type place struct {
	Run string `json:"run"`
}

// notes list all files that the runs of a folder have written. Only these are replaced and pruned.
// A file is noted before it gets its name, so that files of killed runs are known.
type notes struct {
	run     *Run
	mutex   sync.Mutex
	files   map[string][]note // by path
	lines   int               // of the file of notes
	cut     bool              // the last line has no end
	began   string            // real path of the run's folder when the notes began, or were forced
	folders map[string]string // real paths, by path
}

func (r *Run) notesFile() string { return filepath.Join(r.Folder, kept, "written.log") }

// notes reads the notes. An invalid line was cut off by a kill before its file got its name, or is
// damaged: that file counts as the user's, as does a path outside of its folder.
func (r *Run) notes() (*notes, error) {
	n := &notes{run: r, folders: map[string]string{}}
	return n, n.read()
}

func (n *notes) read() error {
	n.files, n.lines, n.began = map[string][]note{}, 0, ""
	text, err := os.ReadFile(n.run.notesFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for line := range bytes.Lines(text) {
		var one struct {
			place
			note
		}
		n.cut = !bytes.HasSuffix(line, []byte("\n"))
		if n.lines++; json.Unmarshal(line, &one) != nil {
			continue
		}
		if one.Run != "" {
			n.began = one.Run
		} else if filepath.IsLocal(filepath.FromSlash(one.File)) {
			path := n.key(filepath.Join(n.absolute(one.Folder), filepath.FromSlash(one.File)))
			n.files[path] = append(n.files[path], one.note)
		}
	}
	return nil
}

// absolute returns the path of a folder that relative has returned.
func (n *notes) absolute(folder string) string {
	if filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join(n.real(n.run.Folder), filepath.FromSlash(folder))
}

// relative returns the path of a folder relative to that of the run, so that both may be moved
// together. If there is no relative path, it returns the absolute one.
func (n *notes) relative(folder string) string {
	root := n.real(folder)
	if relative, err := filepath.Rel(n.real(n.run.Folder), root); err == nil {
		return filepath.ToSlash(relative)
	}
	return root
}

func (n *notes) real(folder string) string {
	if _, ok := n.folders[folder]; !ok {
		n.folders[folder] = filetree.Real(folder)
	}
	return n.folders[folder]
}

// key returns a path without links.
func (n *notes) key(path string) string {
	return filepath.Join(n.real(filepath.Dir(path)), filepath.Base(path))
}

// ours returns the note of a file that is unchanged since a run wrote it.
func (n *notes) ours(path string) (note, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return note{}, false
	}
	return n.of(path, info)
}

// of returns the note of a file.
func (n *notes) of(path string, info os.FileInfo) (note, bool) {
	for _, one := range n.files[n.key(path)] {
		if one.Bytes == info.Size() && one.Modified.Equal(info.ModTime()) {
			return one, true
		}
	}
	return note{}, false
}

// refuse refuses to replace a file that has changed since a run wrote it, unless Force is set.
func (n *notes) refuse(path string) error {
	info, err := os.Stat(path)
	if err != nil || n.run.Force || !wholefile.Replaces(path) {
		return nil // if something is wrong, writing will fail
	}
	if _, ok := n.of(path, info); ok {
		return nil
	}
	return fmt.Errorf("corpus: %s: %w, and no run of %s has written it as it is", path, fs.ErrExist, n.run.Folder)
}

// place notes a temporary file before it gets a name below a folder, and refuses to replace a file
// that no run has written, which may have appeared meanwhile. Without a temporary file it refuses
// to remove such a file.
func (n *notes) place(in Input, folder, path, temp string) error {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if err := n.refuse(path); err != nil || temp == "" {
		return err
	}
	info, err := os.Stat(temp)
	if err != nil {
		return err
	}
	file, err := filepath.Rel(n.real(folder), n.key(path))
	if err != nil {
		return err
	}
	one := note{in.Name, n.relative(folder), filepath.ToSlash(file), info.Size(), info.ModTime().UTC()}
	n.files[n.key(path)] = append(n.files[n.key(path)], one)
	return n.appendJSON(one)
}

// here returns the folder of the run as the notes write it.
func (n *notes) here() string { return strings.ToValidUTF8(n.real(n.run.Folder), "\uFFFD") }

// begin notes the folder of the run.
func (n *notes) begin() error {
	n.began = n.here()
	return n.appendJSON(place{n.began})
}

func (n *notes) appendJSON(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return n.append(append(line, '\n'))
}

func (n *notes) append(line []byte) error {
	file, err := os.OpenFile(n.run.notesFile(), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

// manyNotes is the number of lines below which notes are not rewritten.
const manyNotes = 1 << 14

// notesToAdd opens the notes for appending. It rewrites them if most lines are about replaced
// files, and completes a line that was cut off.
func (r *Run) notesToAdd() (*notes, error) {
	n, err := r.notes()
	if err != nil || n.lines <= 10*len(n.files)+manyNotes {
		if err == nil && n.cut {
			err = n.append([]byte("\n"))
		}
		if err == nil && n.lines == 0 {
			err = n.begin()
		}
		return n, err
	}
	text, err := json.Marshal(place{n.began})
	if err != nil {
		return n, err
	}
	text = append(text, '\n')
	for _, path := range slices.Sorted(maps.Keys(n.files)) {
		if one, ok := n.ours(path); ok {
			line, err := json.Marshal(one)
			if err != nil {
				return n, err
			}
			text = append(append(text, line...), '\n')
		}
	}
	return n, wholefile.WriteBytes(r.notesFile(), text)
}

// others returns the notes of unchanged files that earlier runs wrote for inputs that are gone, or
// for documents that are gone from a folder, by path.
func (n *notes) others() map[string]note {
	now := n.run.byName()
	others := map[string]note{}
	for path := range n.files {
		one, ours := n.ours(path)
		in, isInput := now[one.Input]
		if document, isCopy := strings.CutPrefix(one.File, one.Input+"/"); isInput && isCopy && isFolder(in.Path) {
			_, err := os.Lstat(filepath.Join(in.Path, filepath.FromSlash(document)))
			isInput = !errors.Is(err, fs.ErrNotExist)
		}
		if ours && !isInput {
			others[path] = one
		}
	}
	return others
}

// othersIn returns the files of others in a folder.
func (n *notes) othersIn(folder string) (paths []string) {
	for _, one := range n.others() {
		if n.real(n.absolute(one.Folder)) == n.real(folder) {
			paths = append(paths, filepath.Join(folder, filepath.FromSlash(one.File)))
		}
	}
	slices.Sort(paths)
	return paths
}

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
