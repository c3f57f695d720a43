package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A run does not replace a file of the user, even if an earlier run has written to its
// folder or to its path.
func TestOwnFilesAmongWritten(t *testing.T) {
	in, out, keep := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	all := runOn(t, in, out)
	few := runOn(t, in, out)
	few.Inputs = slices.DeleteFunc(few.Inputs, func(in Input) bool { return in.Name == "b/d.txt" })
	again := func(r *Run) error {
		result, err := finish(r)
		if err == nil {
			err = result.Remove(t.Context(), keep, copyLines)
		}
		return err
	}
	write(t, keep, map[string]string{"notes.txt": "mine"}) // conflicts with no output
	if err := errors.Join(again(few), again(few)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(out, "b/d.txt.jsonl"), filepath.Join(keep, "b/d.txt"), filepath.Join(out, "a.txt.jsonl"), filepath.Join(keep, "a.txt")} {
		before, _ := os.ReadFile(path)
		write(t, filepath.Dir(path), map[string]string{filepath.Base(path): "mine"})
		if err := again(all); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", path, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := again(few); err != nil {
			t.Fatal(err)
		}
		if after, _ := os.ReadFile(path); string(before) != string(after) {
			t.Errorf("%s: %q, want %q", path, after, before)
		}
	}
	all.Force = true
	write(t, out, map[string]string{"a.txt.jsonl": "mine"})
	if err := again(all); err != nil {
		t.Error(err)
	}
}

// A file whose size or time has changed is not the one that a run has written.
func TestNotesKnowSizeAndTime(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, out)
	mustFinish(t, r)
	path := r.Attributes(r.Inputs[0])
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func() error{
		"size": func() error {
			return errors.Join(os.Truncate(path, info.Size()-1), os.Chtimes(path, info.ModTime(), info.ModTime()))
		},
		"time": func() error {
			later := info.ModTime().Add(time.Second)
			return errors.Join(os.Truncate(path, info.Size()), os.Chtimes(path, later, later))
		},
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if _, err := finish(runOn(t, in, out)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("another %s: error %v", what, err)
		}
	}
}

// Copies of a folder's files neither replace nor remove files of the user.
func TestOwnFilesAmongCopiesOfAFolder(t *testing.T) {
	in, out, keep := filepath.Join(t.TempDir(), "texts"), t.TempDir(), t.TempDir()
	write(t, in, map[string]string{"a": "00000000000000ff", "b": "00000000000000fe"})
	mine := map[string]string{"texts/b": "mine"}
	write(t, keep, mine)
	if err := mustFinish(t, folderRun(t, in, out)).Remove(t.Context(), keep, copyAny); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(mine, contents(t, keep)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	// A file that conflicts with no output stays. Only the copy of a missing document is reported.
	if err := os.Rename(filepath.Join(keep, "texts/b"), filepath.Join(keep, "texts/mine")); err != nil {
		t.Fatal(err)
	}
	write(t, in, map[string]string{"c": "00ff000000000000"})
	remove := func() (notices []string) {
		r := folderRun(t, in, out)
		result := mustFinish(t, r)
		r.Notice = func(text string) { notices = append(notices, text) }
		if err := result.Remove(t.Context(), keep, copyAny); err != nil {
			t.Fatal(err)
		}
		return notices
	}
	remove()
	if err := os.Remove(filepath.Join(in, "c")); err != nil {
		t.Fatal(err)
	}
	if got, want := remove(), filepath.Join(keep, "texts/c")+"; delete it"; len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("notices %q, want %s", got, want)
	}
	want := map[string]string{"texts/a": "00000000000000ff", "texts/b": "00000000000000fe", "texts/c": "00ff000000000000", "texts/mine": "mine"}
	if diff := cmp.Diff(want, contents(t, keep)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// After a kill while a file was noted, or before it got its final name, the next run can replace
// it. The notes do not grow without bound.
func TestNotesAfterKills(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, out)
	mustFinish(t, r)
	n, err := r.notesToAdd()
	if err != nil {
		t.Fatal(err)
	}
	temp := filepath.Join(out, "temp")
	write(t, out, map[string]string{"temp": "half"})
	if err := n.place(r.Inputs[0], false, r.Attributes(r.Inputs[0]), temp); err != nil {
		t.Fatal(err)
	}
	notes, err := os.ReadFile(r.notesFile())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.notesFile(), append(notes, `{"input":"a.txt","fi`...), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		mustFinish(t, runOn(t, in, out))
	}
	text, err := os.ReadFile(r.notesFile())
	if lines := strings.Count(string(text), "\n"); err != nil || lines < 2*len(lineFiles) || lines > 3*len(lineFiles) {
		t.Errorf("%d lines of notes of %d files, error %v", lines, len(lineFiles), err)
	}
}

// The folder of a run and the folder of its copies can be moved together.
func TestNotesMove(t *testing.T) {
	in, folder := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	for _, name := range []string{"before", "after"} {
		r := runOn(t, in, filepath.Join(folder, name, "out"))
		if err := mustFinish(t, r).Remove(t.Context(), filepath.Join(folder, name, "kept"), copyLines); err != nil {
			t.Fatal(err)
		}
		if name == "before" {
			if err := os.Rename(filepath.Join(folder, "before"), filepath.Join(folder, "after")); err != nil {
				t.Fatal(err)
			}
		}
	}
}
