package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Wherever a run is interrupted, the next run resumes it and leaves the same files as an
// uninterrupted run.
func TestResumedRunsAreAsUninterruptedOnes(t *testing.T) {
	in, whole := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
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
				t.Errorf("after %d records: %s is left behind", interrupted, name)
			}
		}
		again := runOn(t, in, out)
		mustFinish(t, again)
		if diff := cmp.Diff(want, contents(t, out)); diff != "" {
			t.Errorf("after %d records: -want +got\n%s", interrupted, diff)
		}
		first, second := r.Source.(*lineSource).read, again.Source.(*lineSource).read
		if got := len(first) - 1 + len(second); got != len(lineFiles) {
			t.Errorf("after %d records: first run completed %q, second run read %q", interrupted, first[:len(first)-1], second)
		}
	}
}

func TestNewFilesJoinOldOnes(t *testing.T) {
	in, out, whole := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
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
	write(t, in, lineFiles)
	mustFinish(t, runOn(t, in, out))
	write(t, in, map[string]string{"a.txt": "other 1234567890abcdef\n"})
	r := runOn(t, in, out)
	var notices []string
	r.Notice = addTo(&notices)
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

// A run reports the outputs of missing inputs, which are not part of its result.
func TestInputsThatHaveGone(t *testing.T) {
	in, out, keep := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	if err := mustFinish(t, runOn(t, in, out)).Remove(t.Context(), keep, copyLines); err != nil {
		t.Fatal(err)
	}
	const others = " from earlier runs whose inputs are not part of this run, such as "
	for _, c := range []struct {
		gone string
		want []string
	}{
		{"b/c.txt", []string{"1 file is" + others + filepath.Join(out, "b/c.txt.jsonl") + "; delete it unless you need it", "1 file is" + others + filepath.Join(keep, "b/c.txt") + "; delete it unless you need it"}},
		{"a.txt", []string{"2 files are" + others + filepath.Join(out, "a.txt.jsonl") + "; delete them unless you need them", "2 files are" + others + filepath.Join(keep, "a.txt") + "; delete them unless you need them"}},
	} {
		if err := os.Remove(filepath.Join(in, c.gone)); err != nil {
			t.Fatal(err)
		}
		var got []string
		r := runOn(t, in, out)
		r.Notice = func(text string) {
			if strings.Contains(text, others) {
				got = append(got, text)
			}
		}
		if err := mustFinish(t, r).Remove(t.Context(), keep, copyLines); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("without %s: notices: -want +got\n%s", c.gone, diff)
		}
	}
}

// A file of the same size counts as changed if its time has changed.
func TestFilesThatChangeInARun(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	times := 0
	touch := func() error {
		times++
		at := time.Unix(int64(1_000_000+times), 0)
		return os.Chtimes(filepath.Join(in, "b/d.txt"), at, at)
	}
	r := runOn(t, in, out)
	r.Source.(*lineSource).before = touch
	if err := r.Sketch(t.Context()); err == nil || !strings.Contains(err.Error(), "d.txt: it changed while it was read") {
		t.Errorf("changed while it was read: error %v", err)
	}
	r = runOn(t, in, out)
	var notices []string
	r.Notice = func(text string) { notices = append(notices, text) }
	if err := r.Sketch(t.Context()); err != nil || !slices.Equal(notices, []string{"computed fingerprints of 1 document in 2 inputs; 2 inputs had fingerprints before"}) {
		t.Errorf("%q, error %v; want 2 files (the changed one and the next) and 2 before", notices, err)
	}
	if err := touch(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Find(t.Context(), "the test"); err == nil || !strings.Contains(err.Error(), "d.txt: it has changed since") {
		t.Errorf("changed before the comparison: error %v", err)
	}
}
