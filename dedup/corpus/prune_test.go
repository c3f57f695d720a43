package corpus

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// copyAny is copyLines that copies all files of a folder, too.
func copyAny(ctx context.Context, in, out string, c Copying) error {
	if !isFolder(in) {
		return copyLines(ctx, in, out, c)
	}
	record := 0
	return errors.Join(eachFile(in, func(name, path string) error {
		c.Keep(record)
		record++
		text, err := os.ReadFile(path)
		to := filepath.Join(out, name)
		return errors.Join(err, makeFolderOf(to), writeReady(to, string(text), c))
	}), c.Whole(0))
}

// Pruned is what runs have written for an input that is none of this one, in all formats and
// folders, and nothing else.
func TestPrune(t *testing.T) {
	in, out, keep, elsewhere := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, map[string]string{"a": "one 00000000000000ff\n", "b/c": "two 0000ff0000000000\n", "texts/x": "00000000000000ff", "texts/y/z": "ffffffff00000000"})
	run := func(names ...string) *Run {
		r := &Run{Folder: out, Source: &lineSource{definition: "lines"}, Spec: dedup.Spec{K: 3}}
		for _, name := range names {
			r.Inputs = append(r.Inputs, Input{filepath.Join(in, name), name})
		}
		return r
	}
	all := run("a", "b/c", "texts")
	for _, folder := range []string{keep, elsewhere} {
		if _, _, err := mustFinish(t, all).Remove(t.Context(), folder, copyAny); err != nil {
			t.Fatal(err)
		}
	}
	csv := run("b/c")
	csv.Format = CSV
	mustFinish(t, csv)
	write(t, out, map[string]string{"notes.txt": "mine"})
	write(t, keep, map[string]string{"notes.txt": "mine", "texts/y/notes.txt": "mine"})
	for _, c := range []struct {
		inputs    []string
		files     int
		out, kept []string
	}{
		{
			[]string{"a", "b/c", "texts"}, 0,
			[]string{"a.jsonl", "b/c.csv", "fphash-run/a.jsonl.zst", "fphash-run/b/c.jsonl.zst", "fphash-run/decision.json", "fphash-run/dropped.zst", "fphash-run/manifest.json", "fphash-run/texts.jsonl.zst", "notes.txt", "texts.jsonl"},
			[]string{"a", "b/c", "notes.txt", "texts/x", "texts/y/notes.txt", "texts/y/z"},
		},
		{
			[]string{"a"}, 7, // attributes and fingerprints of two, three copies
			[]string{"a.jsonl", "fphash-run/a.jsonl.zst", "fphash-run/decision.json", "fphash-run/dropped.zst", "fphash-run/manifest.json", "notes.txt"},
			[]string{"a", "notes.txt", "texts/y/notes.txt"},
		},
	} {
		n, err := run(c.inputs...).Prune(t.Context(), keep)
		if err != nil || n != c.files {
			t.Errorf("%q: %d files pruned, error %v; want %d, none", c.inputs, n, err, c.files)
		}
		for folder, want := range map[string][]string{out: c.out, keep: c.kept} {
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(contents(t, folder)))); diff != "" {
				t.Errorf("%q: -want +got\n%s", c.inputs, diff)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(keep, "b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is empty stays: %v", err)
	}
	// What is elsewhere is pruned once it is named.
	if _, err := os.Stat(filepath.Join(elsewhere, "b/c")); err != nil {
		t.Error(err)
	}
	if n, err := run("a").Prune(t.Context(), elsewhere); n != 3 || err != nil {
		t.Errorf("elsewhere: %d files pruned, error %v", n, err)
	}
}

// A copy of a run's folder prunes no copies that the run itself has made, unless it is forced.
func TestPruneOfACopiedRun(t *testing.T) {
	in, folder := t.TempDir(), t.TempDir()
	out, copied, keep := filepath.Join(folder, "out"), filepath.Join(folder, "copied"), filepath.Join(folder, "kept")
	write(t, in, documents)
	if _, _, err := mustFinish(t, runOn(t, in, out)).Remove(t.Context(), keep, copyLines); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(copied, os.DirFS(out)); err != nil {
		t.Fatal(err)
	}
	before := contents(t, keep)
	r := &Run{Folder: copied}
	if n, err := r.Prune(t.Context(), keep); n != 0 || err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("%d files pruned, error %v", n, err)
	}
	if diff := cmp.Diff(before, contents(t, keep)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	r.Force = true
	if n, err := r.Prune(t.Context(), keep); n == 0 || err != nil || len(contents(t, keep)) > 0 {
		t.Errorf("forced: %d files pruned, error %v", n, err)
	}
	r.Force = false // it has its own place now
	if _, err := r.Prune(t.Context(), keep); err != nil {
		t.Error(err)
	}
}

// Notes that are damaged or made up lead to no file outside of the folders of the command.
func TestPruneOfBadNotes(t *testing.T) {
	in, folder := t.TempDir(), t.TempDir()
	out, keep := filepath.Join(folder, "out"), filepath.Join(folder, "kept")
	write(t, in, documents)
	r := runOn(t, in, out)
	mustFinish(t, r)
	write(t, folder, map[string]string{"kept/own": "own"})
	n, err := r.notesToAdd()
	if err != nil {
		t.Fatal(err)
	}
	mine := []string{"mine0", "mine1", "mine2", "mine3"} // each with one note, since the first of a file counts
	for i, place := range [][2]string{{"..", mine[0]}, {".", "../" + mine[1]}, {"../kept", "../" + mine[2]}, {folder, mine[3]}} {
		write(t, folder, map[string]string{mine[i]: "mine"})
		info, err := os.Stat(filepath.Join(folder, mine[i]))
		if err != nil {
			t.Fatal(err)
		}
		if err := n.appendJSON(note{"gone", place[0], place[1], info.Size(), info.ModTime()}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := r.Prune(t.Context(), keep); n != 0 || err != nil {
		t.Errorf("%d files pruned, error %v", n, err)
	}
	for _, name := range mine {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
}

// Files that no run of the folder has written are not replaced, unless Force is set.
func TestForeignFilesAreNotReplaced(t *testing.T) {
	in, out, keep := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, documents)
	foreign := map[string]string{"a.txt": "mine", "b/c.txt.jsonl": "mine", "empty.txt.jsonl": ""}
	write(t, out, foreign)
	write(t, keep, foreign)
	if _, err := finish(runOn(t, in, out)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("attributes: error %v", err)
	}
	if diff := cmp.Diff(foreign, contents(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	r := runOn(t, in, out)
	r.Force = true
	result := mustFinish(t, r)
	r.Force = false
	if _, _, err := result.Remove(t.Context(), keep, copyLines); !errors.Is(err, fs.ErrExist) {
		t.Errorf("copies: error %v", err)
	}
	if diff := cmp.Diff(foreign, contents(t, keep)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	r.Force = true
	if _, _, err := result.Remove(t.Context(), keep, copyLines); err != nil {
		t.Error(err)
	}
	if got := contents(t, keep)["a.txt"]; got != documents["a.txt"] {
		t.Errorf("the copy holds %q", got)
	}
	r.Force = false // what was forced is ours
	if _, _, err := mustFinish(t, r).Remove(t.Context(), keep, copyLines); err != nil {
		t.Errorf("copies again: error %v", err)
	}
}

// An input that has gone from the inputs, but lies where a later run removes to, is no copy:
// neither Remove nor Prune touches it.
func TestPruneLeavesInputs(t *testing.T) {
	old, in, out := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, old, documents)
	write(t, in, map[string]string{"new": "1\n"})
	mustFinish(t, runOn(t, old, out))
	r := runOn(t, in, out)
	result := mustFinish(t, r)
	if _, _, err := result.Remove(t.Context(), old, copyLines); err != nil || len(result.Others) > 0 {
		t.Errorf("error %v, to prune: %v", err, result.Others)
	}
	if _, err := r.Prune(t.Context(), old); err != nil {
		t.Error(err)
	}
	got := contents(t, old)
	delete(got, "new")
	if diff := cmp.Diff(documents, got); diff != "" {
		t.Errorf("old inputs: -want +got\n%s", diff)
	}
}
