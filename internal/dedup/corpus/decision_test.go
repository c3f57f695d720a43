package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
	"simhashkit/internal/tabular"
	"simhashkit/internal/wholefile"
)

// keptOf returns the ids of the records that the last run in a folder kept, as read by the run
// news.
func keptOf(t *testing.T, folder string, news *Run) (ids []string, err error) {
	t.Helper()
	old, err := news.Earlier(folder)
	if err != nil {
		return nil, err
	}
	for record, err := range old.Records(t.Context()) {
		if err != nil {
			return ids, err
		}
		ids = append(ids, string(record.ID))
	}
	return ids, nil
}

func newsRun(t *testing.T, text string) *Run {
	t.Helper()
	in := t.TempDir()
	write(t, in, map[string]string{"new.txt": text})
	return runOn(t, in, t.TempDir())
}

// Only the kept documents of an earlier run are old documents. The earlier run drops D as a
// duplicate of K. A new document is near D but not near K, so it is kept.
func TestAgainstKeptDocumentsOnly(t *testing.T) {
	in := t.TempDir()
	write(t, in, map[string]string{"a.txt": "K 0000000000000000\nD 0000000000000007\n"})
	earlier := runOn(t, in, t.TempDir())
	mustFinish(t, earlier)
	r := newsRun(t, "near-D 000000000000003f\nnear-K 0000000000000100\n")
	old, err := r.Earlier(earlier.Folder)
	if err != nil {
		t.Fatal(err)
	}
	r.Against = []Old{old}
	mustFinish(t, r)
	want := `{"id":"near-D","fingerprint":"000000000000003f","cluster_id":null,"is_canonical":true,"duplicate_of":null}
{"id":"near-K","fingerprint":"0000000000000100","cluster_id":1,"is_canonical":false,"duplicate_of":"K"}
`
	if diff := cmp.Diff(map[string]string{"new.txt.jsonl": want}, attributes(t, r.Folder)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// The kept records of an earlier run are those with is_canonical, wherever the dropped ones are,
// for comparisons in memory and on disk. Inputs that are not part of the last run do not count.
func TestKeptRecords(t *testing.T) {
	in := t.TempDir()
	write(t, in, manyDocuments())
	for _, memory := range []int64{0, 1} {
		r := runOn(t, in, t.TempDir())
		r.Memory = memory
		result := mustFinish(t, r)
		var want []string
		for i := range r.Inputs {
			for m, err := range result.members(t.Context(), i) {
				if err != nil {
					t.Fatal(err)
				}
				if m.canonical {
					want = append(want, string(m.ID))
				}
			}
		}
		if result.Dropped() == 0 {
			t.Fatal("nothing is dropped")
		}
		news := newsRun(t, "new 00000000000000ff\n")
		got, err := keptOf(t, r.Folder, news)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("memory %d: %v, -want +got\n%.1000s", memory, err, diff)
		}
		few := runOn(t, in, r.Folder)
		few.Inputs = few.Inputs[:1]
		mustFinish(t, few)
		if got, err := keptOf(t, r.Folder, news); err != nil || len(got) == 0 || len(got) >= len(want) {
			t.Errorf("the run with one input keeps %d records, %v", len(got), err)
		}
	}
}

// Runs that have not written all outputs, or whose folder has changed since, cannot serve as old
// documents.
func TestAgainstIncompleteRuns(t *testing.T) {
	news := newsRun(t, "new 00000000000000ff\n")
	const incomplete = "repeat that run first"
	for name, c := range map[string]struct {
		change func(r *Run) error
		want   string
	}{
		"nothing":                 {func(*Run) error { return nil }, ""},
		"no decision":             {func(r *Run) error { return os.Remove(r.decisionFile()) }, incomplete},
		"a damaged decision":      {func(r *Run) error { return os.WriteFile(r.decisionFile(), []byte("{"), 0o666) }, "decision.zst: expected "},
		"a decision cut":          {func(r *Run) error { return os.Truncate(r.decisionFile(), 40) }, "decision.zst: expected the dropped records"},
		"no fingerprints":         {func(r *Run) error { return os.Remove(r.stored(r.Inputs[0])) }, incomplete},
		"fingerprints of another": {func(r *Run) error { return os.Rename(r.stored(r.Inputs[1]), r.stored(r.Inputs[0])) }, incomplete},
	} {
		in := t.TempDir()
		write(t, in, lineFiles)
		r := runOn(t, in, t.TempDir())
		mustFinish(t, r)
		if err := c.change(r); err != nil {
			t.Fatal(err)
		}
		ids, err := keptOf(t, r.Folder, news)
		if c.want == "" && (err != nil || len(ids) != 4) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d ids, error %v, want %q", name, len(ids), err, c.want)
		}
	}
}

// A run is refused as old documents if its stored fingerprints are not those that it compared: of
// another state, of another definition, or another number of records.
func TestAgainstOtherFingerprints(t *testing.T) {
	news := newsRun(t, "new 00000000000000ff\n")
	for name, change := range map[string]func(in string, r *Run, result *Result) error{
		"another state": func(in string, r *Run, _ *Result) error {
			write(t, in, map[string]string{"a.txt": "one 0f000000000000ff\ntwo 0000000000ff0000\nnothing\n"})
			err := runOn(t, in, r.Folder).Sketch(t.Context())
			return err
		},
		"another definition": func(in string, r *Run, _ *Result) error {
			other := runOn(t, in, t.TempDir())
			other.Source = &lineSource{definition: "others"}
			mustFinish(t, other)
			return os.Rename(other.stored(other.Inputs[0]), r.stored(r.Inputs[0]))
		},
		"more records": func(_ string, r *Run, result *Result) error {
			result.news[0].n++
			return wholefile.Write(r.decisionFile(), result.writeDecision)
		},
	} {
		in := t.TempDir()
		write(t, in, lineFiles)
		r := runOn(t, in, t.TempDir())
		if err := change(in, r, mustFinish(t, r)); err != nil {
			t.Fatal(err)
		}
		if ids, err := keptOf(t, r.Folder, news); err == nil || !strings.Contains(err.Error(), "its fingerprints have changed since its last run compared them") {
			t.Errorf("%s: %q, error %v", name, ids, err)
		}
	}
}

// An error names an old input that changes while its texts are read, even if reading fails too.
func TestOldTextsThatChange(t *testing.T) {
	for name, taken := range map[string]error{"read": nil, "failed": errBad} {
		in := t.TempDir()
		write(t, in, lineFiles)
		r := runOn(t, in, t.TempDir())
		mustFinish(t, r)
		texts := textsOf(func() {
			write(t, in, map[string]string{"a.txt": lineFiles["a.txt"] + "more\n"})
		})
		decision, err := r.decision()
		if err != nil {
			t.Fatal(err)
		}
		err = r.rereadKept(t.Context(), decision, texts, []uint64{0}, func(uint64, []byte) error { return taken })
		if err == nil || !strings.Contains(err.Error(), "a.txt: it has changed since "+r.Folder+" was made") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A decision is complete after Complete, and incomplete again before the next output is written.
func TestDecisionIsMarked(t *testing.T) {
	in, out, keep := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, out)
	result := mustFinish(t, r)
	isComplete := func() bool { _, err := r.decision(); return err == nil }
	if !isComplete() {
		t.Error("incomplete at the end")
	}
	if err := result.WriteAttributes(t.Context()); err != nil || isComplete() {
		t.Errorf("complete once attributes are written again, error %v", err)
	}
	if err := result.Complete(); err != nil || !isComplete() {
		t.Errorf("incomplete at the end, error %v", err)
	}
	during := func(complete func() bool) Copier {
		return func(ctx context.Context, in, out string, c Copying) error {
			if complete() {
				t.Error("complete while copies are written")
			}
			return copyLines(ctx, in, out, c)
		}
	}
	if err := result.Remove(t.Context(), keep, during(isComplete)); err != nil {
		t.Fatal(err)
	}
	if err := result.Complete(); err != nil || !isComplete() {
		t.Errorf("incomplete at the end, error %v", err)
	}
}

// Only one run at a time can work in a folder.
func TestLock(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	const busy = "another run is using this folder"
	refused := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), out) || !strings.Contains(err.Error(), busy) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	r, other := runOn(t, in, out), runOn(t, in, out)
	if err := r.Lock(); err != nil {
		t.Fatal(err)
	}
	refused("a run", other.Lock())
	if err := r.Unlock(); err != nil {
		t.Fatal(err)
	}
	mustFinish(t, r)
}

// A refused run creates nothing in a folder of documents, not even its lock.
func TestLockAmongDocuments(t *testing.T) {
	in := filepath.Join(t.TempDir(), "texts")
	write(t, in, map[string]string{"a": "00000000000000ff"})
	if err := folderRun(t, in, in).Lock(); err == nil {
		t.Error("no error")
	}
	if entries, err := os.ReadDir(in); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// The next run deletes the temporary files that a killed run has left beside its outputs, and
// deletes nothing else.
func TestLeftovers(t *testing.T) {
	in, out, keep := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, map[string]string{"a": "one 00000000000000ff\n", "texts/x": "00000000000000ff", "gone/b": "two 0000ff0000000000\n"})
	run := func(names ...string) *Run {
		r := &Run{Folder: out, Source: &lineSource{definition: "lines"}, Spec: dedup.Spec{K: 3}}
		for _, name := range names {
			r.Inputs = append(r.Inputs, Input{Path: filepath.Join(in, name), Name: name})
		}
		return r
	}
	remove := func(r *Run) {
		if err := mustFinish(t, r).Remove(t.Context(), keep, copyAny); err != nil {
			t.Fatal(err)
		}
	}
	remove(run("a", "texts", "gone/b"))
	const random = ".0123abcd.tmp"
	left := map[string][]string{
		out:  {".a" + random, ".a.jsonl" + random, ".a.parquet" + random, ".texts.csv" + random, kept + "/.a.fingerprints.zst" + random, kept + "/.decision.zst" + random, kept + "/fphash-123.tmp"},
		keep: {".a" + random, "texts/.x" + random, "texts/.y" + random},
	}
	mine := map[string][]string{
		out:  {"fphash-123.tmp", ".a.tmp", ".a.txt" + random, ".b" + random, "a" + random},
		keep: {".mine" + random, "texts/.x.tmp", "other/.a" + random},
	}
	for _, files := range []map[string][]string{left, mine} {
		for folder, names := range files {
			for _, name := range names {
				write(t, folder, map[string]string{name: "half"})
			}
		}
	}
	remove(run("a", "texts"))
	for folder, names := range left {
		for _, name := range names {
			if _, err := os.Stat(filepath.Join(folder, name)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is left behind, %v", name, err)
			}
		}
	}
	for folder, names := range mine {
		for _, name := range names {
			if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
				t.Error(err)
			}
		}
	}
}

// A run deletes attributes in another format, unless the user has changed them.
func TestOtherFormats(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	mustFinish(t, runOn(t, in, out))
	write(t, out, map[string]string{"b/d.txt.jsonl": "mine"})
	r := runOn(t, in, out)
	r.Format = tabular.CSV
	mustFinish(t, r)
	got := slices.Sorted(maps.Keys(attributes(t, out)))
	if diff := cmp.Diff([]string{"a.txt.csv", "b/c.txt.csv", "b/d.txt.csv", "b/d.txt.jsonl", "empty.txt.csv"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// If an input changes between the comparison and the outputs, the outputs fail, even if its
// fingerprints are computed anew and the number of records is the same.
func TestFingerprintsComputedMeanwhile(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, out)
	result := mustFinish(t, r)
	write(t, in, map[string]string{"a.txt": "nothing\ntwo 0000000000ff0000\nthe 00000000000000ff\n"})
	if err := runOn(t, in, out).Sketch(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := attributes(t, out)
	if err := result.WriteAttributes(t.Context()); err == nil || !strings.Contains(err.Error(), "has changed since its fingerprints were computed: run again") {
		t.Errorf("attributes: error %v", err)
	}
	if diff := cmp.Diff(before, attributes(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if err := result.Remove(t.Context(), t.TempDir(), copyLines); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("copies: error %v", err)
	}
}

// Names that cannot be noted or be ids are refused before anything is written.
func TestNamesThatAreNotUTF8(t *testing.T) {
	in, bad := t.TempDir(), "a\xff.jsonl"
	if err := os.WriteFile(filepath.Join(in, bad), nil, 0o666); err != nil {
		t.Skip(err)
	}
	paths := func(pattern string) ([]string, error) { return filepath.Glob(pattern) }
	if _, _, err := Inputs([]string{filepath.Join(in, "*")}, nil, paths); err == nil || !strings.Contains(err.Error(), `a\xff.jsonl": expected a file name in UTF-8`) {
		t.Errorf("a file: error %v", err)
	}
	r := folderRun(t, in, t.TempDir())
	if err := r.Sketch(t.Context()); err == nil || !strings.Contains(err.Error(), `a\xff.jsonl": expected a file name in UTF-8`) {
		t.Errorf("a file of a folder: error %v", err)
	}
	if files := contents(t, r.Folder); len(files) > 1 {
		t.Errorf("files %q", slices.Sorted(maps.Keys(files)))
	}
	for _, folders := range [][2]string{{t.TempDir() + "/\xff", t.TempDir()}, {t.TempDir(), t.TempDir() + "/\xff"}} {
		r := &Run{Folder: folders[0]}
		if err := r.Removable(folders[1]); err == nil || !strings.Contains(err.Error(), "expected the name of a folder in UTF-8") {
			t.Errorf("%q: error %v", folders, err)
		}
	}
}

// A hard link to an old file counts as that file.
func TestHardLinkOfAnOldFile(t *testing.T) {
	in, other := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	link := filepath.Join(other, "new.txt")
	if err := os.Link(filepath.Join(in, "a.txt"), link); err != nil {
		t.Skip(err)
	}
	r := runOn(t, other, t.TempDir())
	r.OldFiles = asOld(runOn(t, in, t.TempDir()).Inputs)
	if err := r.refuseOutputs(""); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%s is also one of the old documents", link)) {
		t.Errorf("error %v", err)
	}
}
