package corpus

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/dedup"
	"simhashkit/fphash"

	"github.com/google/go-cmp/cmp"
)

// lineSource takes lines "ID HEX" for documents, "ID" alone for those without information. Ids of
// digits are numbers.
type lineSource struct {
	definition string
	read       []string     // base names of files, as they were read
	before     func() error // called before each record; may be nil
}

func (s *lineSource) Definition() string { return s.definition }
func (s *lineSource) Bits() int          { return 64 }

func (s *lineSource) Records(ctx context.Context, path string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s.read = append(s.read, filepath.Base(path))
		file, err := os.Open(path)
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer file.Close()
		for scanner := bufio.NewScanner(file); scanner.Scan(); {
			id, digits, _ := strings.Cut(scanner.Text(), " ")
			record := Record{ID: []byte(id), Number: strings.Trim(id, "0123456789") == "", Informative: digits != ""}
			var err error
			if record.Informative {
				record.Fingerprint, err = fphash.ParseHex(digits, 64)
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

// Two groups across files, a record without information, and one alone.
var documents = map[string]string{
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

// contents returns all files below a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// runOn returns a run over all files below a folder.
func runOn(t *testing.T, in, out string) *Run {
	t.Helper()
	inputs, err := Inputs([]string{in}, func(folder string) (paths []string, err error) {
		for name := range contents(t, folder) {
			paths = append(paths, filepath.Join(folder, name))
		}
		slices.Sort(paths)
		return paths, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return &Run{Folder: out, Inputs: inputs, Source: &lineSource{definition: "lines"}, K: 3}
}

// finish does all stages.
func finish(r *Run) (*Result, error) {
	if _, err := r.Sketch(context.Background(), 0, 1); err != nil {
		return nil, err
	}
	result, err := r.Find(context.Background(), "the test", nil)
	if err != nil {
		return nil, err
	}
	return result, result.WriteAttributes(context.Background())
}

func mustFinish(t *testing.T, r *Run) *Result {
	t.Helper()
	result, err := finish(r)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// attributes returns the files of attributes, without what the run keeps for itself.
func attributes(t *testing.T, folder string) map[string]string {
	files := contents(t, folder)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasPrefix(name, kept+"/") })
	return files
}

func TestAttributes(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "new", "folder")
	write(t, in, documents)
	result := mustFinish(t, runOn(t, in, out))
	want := map[string]string{
		"a.txt.jsonl": `{"id":"one","fingerprint":"00000000000000ff","cluster_id":1,"is_canonical":true}
{"id":"two","fingerprint":"0000000000ff0000","cluster_id":2,"is_canonical":true}
{"id":"nothing","fingerprint":null,"cluster_id":null,"is_canonical":true}
`,
		"b/c.txt.jsonl": `{"id":17,"fingerprint":"00000000000000fe","cluster_id":1,"is_canonical":false}
{"id":"three","fingerprint":"ffff000000000000","cluster_id":null,"is_canonical":true}
{"id":18446744073709551615,"fingerprint":"0000000000ff0000","cluster_id":2,"is_canonical":false}
`,
		"b/d.txt.jsonl":   `{"id":"q\"uote","fingerprint":"00000000000000fc","cluster_id":1,"is_canonical":false}` + "\n",
		"empty.txt.jsonl": "",
	}
	if diff := cmp.Diff(want, attributes(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if err := result.NameRecords(t.Context()); err != nil {
		t.Fatal(err)
	}
	var summary strings.Builder
	if err := result.Summary(&summary, dedup.Notes{WhyK: "a test", Lists: "LISTS"}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"7 records of the test: 5 are near-duplicates, in 2 groups.", `one, 17, q"uote`, "two, 18446744073709551615", "LISTS"} {
		if !strings.Contains(summary.String(), part) {
			t.Errorf("the summary lacks %q:\n%s", part, &summary)
		}
	}
}

func TestAttributesOfDuplicatesAsCSV(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, documents)
	r := runOn(t, in, out)
	r.Format, r.Duplicates = "csv", true
	mustFinish(t, r)
	const head = "id,fingerprint,cluster_id,is_canonical\n"
	want := map[string]string{
		"a.txt.csv":     head + "one,00000000000000ff,1,true\ntwo,0000000000ff0000,2,true\n",
		"b/c.txt.csv":   head + "17,00000000000000fe,1,false\n18446744073709551615,0000000000ff0000,2,false\n",
		"b/d.txt.csv":   head + "\"q\"\"uote\",00000000000000fc,1,false\n",
		"empty.txt.csv": head,
	}
	if diff := cmp.Diff(want, attributes(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Wherever a run ends before its end, another goes on from there, and leaves what one run leaves.
func TestResumedRunsAreAsUninterruptedOnes(t *testing.T) {
	in, whole := t.TempDir(), t.TempDir()
	write(t, in, documents)
	mustFinish(t, runOn(t, in, whole))
	want := contents(t, whole)
	ended := errors.New("ended")
	for interrupted := range 7 {
		out := t.TempDir()
		r := runOn(t, in, out)
		n := 0
		r.Source.(*lineSource).before = func() error {
			if n++; n > interrupted {
				return ended
			}
			return nil
		}
		if _, err := finish(r); !errors.Is(err, ended) {
			t.Fatalf("after %d records: error %v", interrupted, err)
		}
		for name := range contents(t, out) {
			if strings.HasSuffix(name, ".tmp") {
				t.Errorf("after %d records: %s is left", interrupted, name)
			}
		}
		again := runOn(t, in, out)
		mustFinish(t, again)
		if diff := cmp.Diff(want, contents(t, out)); diff != "" {
			t.Errorf("after %d records: -want +got\n%s", interrupted, diff)
		}
		first, second := r.Source.(*lineSource).read, again.Source.(*lineSource).read
		if got := len(first) - 1 + len(second); got != len(documents) {
			t.Errorf("after %d records: %q were read whole, then %q", interrupted, first[:len(first)-1], second)
		}
	}
}

func TestNewFilesJoinOldOnes(t *testing.T) {
	in, out, whole := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, documents)
	mustFinish(t, runOn(t, in, out))
	write(t, in, map[string]string{"b/new.txt": "new 00000000000000fd\n"})
	r := runOn(t, in, out)
	mustFinish(t, r)
	if diff := cmp.Diff([]string{"new.txt"}, r.Source.(*lineSource).read); diff != "" {
		t.Errorf("files that were read: -want +got\n%s", diff)
	}
	mustFinish(t, runOn(t, in, whole))
	if diff := cmp.Diff(contents(t, whole), contents(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestChangedFilesAreReadAgain(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, documents)
	mustFinish(t, runOn(t, in, out))
	write(t, in, map[string]string{"a.txt": "other 1234567890abcdef\n"})
	r := runOn(t, in, out)
	var notices []string
	r.Notice = func(text string) { notices = append(notices, text) }
	mustFinish(t, r)
	if diff := cmp.Diff([]string{"a.txt"}, r.Source.(*lineSource).read); diff != "" {
		t.Errorf("files that were read: -want +got\n%s", diff)
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "a.txt has changed") {
		t.Errorf("notices: %q", notices)
	}
	if got := attributes(t, out)["a.txt.jsonl"]; !strings.Contains(got, `"other"`) {
		t.Errorf("attributes of the changed file: %s", got)
	}
}

func TestShards(t *testing.T) {
	in, whole := t.TempDir(), t.TempDir()
	write(t, in, documents)
	mustFinish(t, runOn(t, in, whole))
	for _, shards := range []int{2, 3, 9} {
		out := t.TempDir()
		files := 0
		for shard := range shards {
			done, err := runOn(t, in, out).Sketch(t.Context(), shards-1-shard, shards)
			if err != nil {
				t.Fatal(err)
			}
			files += done.Files
		}
		r := runOn(t, in, out)
		mustFinish(t, r)
		if read := r.Source.(*lineSource).read; files != len(documents) || len(read) > 0 {
			t.Errorf("%d shards: %d files by shards, then %q", shards, files, read)
		}
		if diff := cmp.Diff(contents(t, whole), contents(t, out)); diff != "" {
			t.Errorf("%d shards: -want +got\n%s", shards, diff)
		}
	}
}

func TestRemove(t *testing.T) {
	in, out, keep := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, documents)
	result := mustFinish(t, runOn(t, in, out))
	copyLines := func(_ context.Context, in, out string, keep func(int) bool) error {
		text, err := os.ReadFile(in)
		if err != nil {
			return err
		}
		var lines []string
		for i, line := range strings.SplitAfter(string(text), "\n") {
			if keep(i) {
				lines = append(lines, line)
			}
		}
		return os.WriteFile(out, []byte(strings.Join(lines, "")), 0o666)
	}
	kept, dropped, err := result.Remove(t.Context(), keep, copyLines)
	if err != nil || kept != 4 || dropped != 3 {
		t.Errorf("%d kept, %d dropped, error %v; want 4, 3, none", kept, dropped, err)
	}
	want := map[string]string{"a.txt": documents["a.txt"], "b/c.txt": "three ffff000000000000\n", "b/d.txt": "", "empty.txt": ""}
	if diff := cmp.Diff(want, contents(t, keep)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if _, _, err := result.Remove(t.Context(), in, copyLines); err == nil || !strings.Contains(err.Error(), "its own input") {
		t.Errorf("into the folder of the inputs: error %v", err)
	}
	if diff := cmp.Diff(documents, contents(t, in)); diff != "" {
		t.Errorf("the inputs: -want +got\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	in := t.TempDir()
	write(t, in, documents)
	for name, c := range map[string]struct {
		change func(t *testing.T, r *Run)
		want   string
	}{
		"another definition": {func(t *testing.T, r *Run) { r.Source = &lineSource{definition: "others"} }, "expected the same of this run, which asks for\n  others"},
		"another version": {func(t *testing.T, r *Run) {
			write(t, r.Folder, map[string]string{kept + "/manifest.json": `{"version":2}`})
		}, "version 2, expected 1"},
		"no manifest": {func(t *testing.T, r *Run) {
			write(t, r.Folder, map[string]string{kept + "/manifest.json": `{"version`})
		}, "manifest.json: expected the manifest of a run"},
		"no inputs":      {func(t *testing.T, r *Run) { r.Inputs = nil }, "no inputs"},
		"no file":        {func(t *testing.T, r *Run) { r.Inputs = append(r.Inputs, Input{"/no/such", "such"}) }, "/no/such"},
		"unknown format": {func(t *testing.T, r *Run) { r.Format = "xml" }, `format "xml"`},
		"a name twice":   {func(t *testing.T, r *Run) { r.Inputs = append(r.Inputs, r.Inputs[0]) }, "would both be"},
		"damaged": {func(t *testing.T, r *Run) {
			path := r.stored(r.Inputs[0])
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text[:len(text)-5], 0o666); err != nil {
				t.Fatal(err)
			}
		}, "a.txt.jsonl.zst:"},
		"a file in the way": {func(t *testing.T, r *Run) { r.Folder = filepath.Join(in, "a.txt") }, "a.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			out := t.TempDir()
			mustFinish(t, runOn(t, in, out))
			r := runOn(t, in, out)
			c.change(t, r)
			if _, err := finish(r); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func TestFindBeforeAllShardsHaveEnded(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, documents)
	r := runOn(t, in, out)
	if _, err := r.Sketch(t.Context(), 0, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Find(t.Context(), "the test", nil); err == nil || !strings.Contains(err.Error(), "expected all shards to have ended") {
		t.Errorf("error %v", err)
	}
}

func TestAnEmptyCorpusIsAnError(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, map[string]string{"empty.txt": ""})
	if _, err := finish(runOn(t, in, out)); err == nil || err.Error() != "no documents in the test" {
		t.Errorf("error %v", err)
	}
}

func TestNamesOfInputs(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"a/x.txt": "", "a/b/y.txt": "", "c/x.txt": ""})
	t.Chdir(folder)
	for _, c := range []struct {
		patterns, want string
	}{
		{"a", "x.txt b/y.txt"},
		{"a/x.txt", "x.txt"},
		{"a/*.txt", "x.txt"},
		{"*/x.txt", "a/x.txt c/x.txt"},
		{"./a/*/y.txt", "b/y.txt"},
		{folder + "/*/x.txt", "a/x.txt c/x.txt"},
		{"a/x.txt a/x.txt", "x.txt"},
		{"a/x.txt c/x.txt", "would both be x.txt"},
	} {
		inputs, err := Inputs(strings.Fields(c.patterns), func(pattern string) ([]string, error) {
			if pattern == "a" {
				return []string{"a/x.txt", "a/b/y.txt"}, nil
			}
			return filepath.Glob(pattern)
		})
		got := fmt.Sprint(err)
		if err == nil {
			var names []string
			for _, in := range inputs {
				names = append(names, in.Name)
			}
			got = strings.Join(names, " ")
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%s: %s, want %s", c.patterns, got, c.want)
		}
	}
}

// A file of the same size is another one if its time is.
func TestFilesThatChangeInARun(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, documents)
	times := 0
	touch := func() error {
		times++
		at := time.Unix(int64(1_000_000+times), 0)
		return os.Chtimes(filepath.Join(in, "b/d.txt"), at, at)
	}
	r := runOn(t, in, out)
	r.Source.(*lineSource).before = touch
	if _, err := r.Sketch(t.Context(), 0, 1); err == nil || !strings.Contains(err.Error(), "d.txt: it changed while it was read") {
		t.Errorf("changed while it was read: error %v", err)
	}
	r = runOn(t, in, out)
	if done, err := r.Sketch(t.Context(), 0, 1); err != nil || done.Files != 2 || done.Before != 2 {
		t.Errorf("%+v, error %v; want 2 files, the changed one and that after it, 2 before", done, err)
	}
	if err := touch(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Find(t.Context(), "the test", nil); err == nil || !strings.Contains(err.Error(), "d.txt: it has changed since") {
		t.Errorf("changed before the comparison: error %v", err)
	}
}
