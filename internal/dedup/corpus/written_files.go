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

// note describes a file that a run has written: attributes, or a copy of a document file. A note
// with only Run is the path of the folder of the run when the notes began.
type note struct {
	Run      string    `json:"run,omitempty"`
	Input    string    `json:"input,omitempty"`  // name of the input
	Folder   string    `json:"folder,omitempty"` // relative to the run's folder, so that both can be moved
	File     string    `json:"file,omitempty"`   // path below Folder
	Bytes    int64     `json:"bytes,omitempty"`
	Modified time.Time `json:"modified,omitzero"`
}

// notes lists all files that the runs in a folder have written. Only these files are replaced and
// pruned. A file is noted before it gets its final name, so the notes include the files of killed
// runs.
type notes struct {
	run     *Run
	mutex   sync.Mutex
	files   map[string][]note // by path
	lines   int               // number of lines in the file of notes
	cut     bool              // whether the last line has no newline
	began   string            // real path of the run's folder at first, or at the last Force
	folders map[string]string // real paths, by path
}

func (r *Run) notesFile() string { return filepath.Join(r.Folder, kept, "written.log") }

// notes reads the notes and skips invalid lines. Such a line was cut off by a kill before its file
// got its name, or is damaged. Its file, and any path outside of its folder, counts as written by
// the user.
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
		var one note
		n.cut = !bytes.HasSuffix(line, []byte("\n"))
		if n.lines++; json.Unmarshal(line, &one) != nil {
			continue
		}
		if one.Run != "" {
			n.began = one.Run
		} else if filepath.IsLocal(filepath.FromSlash(one.File)) {
			path := n.key(filepath.Join(n.absolute(one.Folder), filepath.FromSlash(one.File)))
			n.files[path] = append(n.files[path], one)
		}
	}
	return nil
}

// absolute returns the absolute path for a result of relative.
func (n *notes) absolute(folder string) string {
	if filepath.IsAbs(folder) {
		return folder
	}
	return filepath.Join(n.real(n.run.Folder), filepath.FromSlash(folder))
}

// relative returns the path of a folder relative to the folder of the run, so that both can be
// moved together. If there is no relative path, it returns the absolute path.
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

// key returns the path with links in its folder resolved.
func (n *notes) key(path string) string {
	return filepath.Join(n.real(filepath.Dir(path)), filepath.Base(path))
}

// ours returns the note of a file, if the file is unchanged since a run wrote it.
func (n *notes) ours(path string) (note, bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return note{}, false
	}
	return n.of(path, info)
}

// of returns the note that matches the size and time of a file.
func (n *notes) of(path string, info os.FileInfo) (note, bool) {
	for _, one := range n.files[n.key(path)] {
		if one.Bytes == info.Size() && one.Modified.Equal(info.ModTime()) {
			return one, true
		}
	}
	return note{}, false
}

// refuse returns an error if a file to replace has changed since a run wrote it, unless Force is
// set.
func (n *notes) refuse(path string) error {
	info, err := os.Stat(path)
	if err != nil || n.run.Force || !wholefile.Replaces(path) {
		return nil // the write reports other errors
	}
	if _, ok := n.of(path, info); ok {
		return nil
	}
	return fmt.Errorf("corpus: %s: %w, but not as a run of %s wrote it", path, fs.ErrExist, n.run.Folder)
}

// place notes a temporary file that will be renamed to path, below folder. Like refuse, it fails if
// path is a file that no run has written; such a file may have appeared meanwhile. If temp is "",
// path will be removed, and place only calls refuse.
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
	one := note{Input: in.Name, Folder: n.relative(folder), File: filepath.ToSlash(file), Bytes: info.Size(), Modified: info.ModTime().UTC()}
	n.files[n.key(path)] = append(n.files[n.key(path)], one)
	return n.appendNote(one)
}

// here returns the folder of the run, in the form that the notes use.
func (n *notes) here() string { return strings.ToValidUTF8(n.real(n.run.Folder), "\uFFFD") }

// begin notes the current folder of the run.
func (n *notes) begin() error {
	n.began = n.here()
	return n.appendNote(note{Run: n.began})
}

func (n *notes) appendNote(one note) error {
	line, err := json.Marshal(one)
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

// manyNotes is the least number of lines for which notesToAdd rewrites the notes.
const manyNotes = 1 << 14

// notesToAdd opens the notes for appending. If most lines are about replaced files, it rewrites the
// notes. If the last line was cut off, it completes the line.
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
	all := []note{{Run: n.began}}
	for _, path := range slices.Sorted(maps.Keys(n.files)) {
		if one, ok := n.ours(path); ok {
			all = append(all, one)
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	for _, one := range all {
		if err := encoder.Encode(one); err != nil {
			return n, err
		}
	}
	return n, wholefile.WriteBytes(r.notesFile(), text.Bytes())
}

// others returns, by path, the notes of unchanged files whose input, or whose document in an input
// folder, no longer exists.
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

// othersIn returns the paths of others that are in a folder.
func (n *notes) othersIn(folder string) (paths []string) {
	for _, one := range n.others() {
		if n.real(n.absolute(one.Folder)) == n.real(folder) {
			paths = append(paths, filepath.Join(folder, filepath.FromSlash(one.File)))
		}
	}
	slices.Sort(paths)
	return paths
}

// formatEndings are the possible extensions of attributes after the name of an input.
var formatEndings = []string{"", ".jsonl", ".csv", ".parquet"}

// removeTemp removes the temporary files of killed runs beside the attributes and in the folders of
// copies, given relative to the folder of the run. The lock ensures that no other process writes
// there.
func (r *Run) removeTemp(n *notes, copies []string) error {
	names, err := r.storedNames()
	if err != nil {
		return err
	}
	for _, in := range r.Inputs {
		names = append(names, in.Name)
	}
	targets := map[string]map[string]bool{} // by folder: names of output files
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
