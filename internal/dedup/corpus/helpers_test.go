package corpus

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/filetree"
)

// lineSource reads lines "ID HEX" as documents, and "ID" alone as a document without features. It
// ignores the text after HEX. Ids of digits are numbers.
type lineSource struct {
	definition string
	read       []string     // base names of files, in reading order
	before     func() error // called before each record; may be nil
	keepGoing  bool         // leave out lines that begin with !, which otherwise are errors
	left       int          // number of lines left out
}

var errBad = errors.New("a bad line")

func (s *lineSource) Definition() string { return s.definition }
func (s *lineSource) Hash() string       { return "" }
func (s *lineSource) Bits() int          { return 64 }

func (s *lineSource) Records(ctx context.Context, path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s.read = append(s.read, filepath.Base(path))
		if IsFolder(path) {
			s.folder(path, yield)
			return
		}
		file, err := os.Open(path)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer file.Close()
		for scanner := bufio.NewScanner(file); scanner.Scan(); {
			id, digits, _ := strings.Cut(scanner.Text(), " ")
			digits, _, _ = strings.Cut(digits, " ")
			if strings.HasPrefix(id, "!") && s.keepGoing {
				s.left++
				continue
			}
			record := Record{ID: []byte(id), Number: strings.Trim(id, "-.0123456789") == "", Informative: digits != ""}
			var err error
			if record.Informative {
				record.Fingerprint, err = fphash.ParseHex(digits, 64)
			}
			if strings.HasPrefix(id, "!") {
				err = errBad
			}
			if s.before != nil {
				err = errors.Join(err, s.before())
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// folder yields each file as a document, with its path as id.
func (s *lineSource) folder(root string, yield func(Record, error) bool) {
	paths, err := filetree.Files(context.Background(), root, nil)
	for _, path := range slices.DeleteFunc(paths, filetree.Marked) {
		text, readErr := os.ReadFile(filepath.Join(root, path))
		fingerprint, parseErr := fphash.ParseHex(strings.TrimSpace(string(text)), 64)
		if !yield(Record{ID: []byte(path), Fingerprint: fingerprint, Informative: true}, errors.Join(err, readErr, parseErr)) {
			return
		}
	}
}

// lineFiles has two groups across files, a document without features, and a unique one.
var lineFiles = map[string]string{
	"a.txt":     "one 00000000000000ff\ntwo 0000000000ff0000\nnothing\n",
	"b/c.txt":   "17 00000000000000fe\nthree ffff000000000000\n18446744073709551615 0000000000ff0000\n",
	"b/d.txt":   "q\"uote 00000000000000fc\n",
	"empty.txt": "",
}

// write writes files below a folder.
func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := makeFolderOf(path); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns all files below a folder except the lock and the notes, which contain times.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		if name != filepath.Join(kept, "written.log") && name != filepath.Join(kept, lockFile) {
			files[filepath.ToSlash(name)] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// runOn returns a run over all files in a folder.
func runOn(t *testing.T, in, out string) *Run {
	t.Helper()
	inputs, _, err := Inputs([]string{in}, nil, func(folder string) (paths []string, err error) {
		for name := range contents(t, folder) {
			paths = append(paths, filepath.Join(folder, name))
		}
		slices.Sort(paths)
		return paths, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return &Run{Folder: out, Inputs: inputs, Source: &lineSource{definition: "lines"}, Spec: dedup.Spec{K: 3}}
}

// finish runs all stages.
func finish(r *Run) (*Result, error) {
	if err := r.Lock(); err != nil {
		return nil, err
	}
	defer r.Unlock()
	if err := r.Sketch(context.Background()); err != nil {
		return nil, err
	}
	result, err := r.Find(context.Background(), "the test", nil)
	if err != nil {
		return nil, err
	}
	if err := result.WriteAttributes(context.Background()); err != nil {
		return nil, err
	}
	return result, result.Complete()
}

// addTo returns a Notice that adds to a list, except for what Sketch has done.
func addTo(notices *[]string) func(text string) {
	return func(text string) {
		if !strings.HasPrefix(text, "computed fingerprints of ") {
			*notices = append(*notices, text)
		}
	}
}

// removeTo calls Remove, and returns how many records it kept and dropped.
func removeTo(t *testing.T, r *Result, folder string, copy Copier) (keptRecords, dropped int, err error) {
	t.Helper()
	err = r.Remove(t.Context(), folder, copy)
	return r.Records.Len() - r.Old - r.Dropped(), r.Dropped(), err
}

func mustFinish(t *testing.T, r *Run) *Result {
	t.Helper()
	result, err := finish(r)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// attributes returns the files of attributes, without the state of the run.
func attributes(t *testing.T, folder string) map[string]string {
	files := contents(t, folder)
	maps.DeleteFunc(files, func(name, _ string) bool {
		return strings.HasPrefix(name, kept+"/") || strings.HasPrefix(name, against+"/")
	})
	return files
}
