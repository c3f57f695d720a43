package corpus

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// textsOf returns the lines of a file as texts. If before is not nil, it is called before each.
func textsOf(before func()) Values[[]byte] {
	return func(_ context.Context, path string, _ func(int) bool) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			all, err := os.ReadFile(path)
			for line := range strings.Lines(string(all)) {
				if before != nil {
					before()
				}
				if !yield([]byte(line), err) {
					return
				}
			}
		}
	}
}

func verifying(r *Run, least float64) *Run {
	r.Spec = dedup.Spec{Measure: dedup.Words, Similarity: least, Recall: 0.99}
	r.Texts = textsOf(nil)
	return r
}

// Reread finds texts by record numbers that continue across inputs.
func TestReread(t *testing.T) {
	in := t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, t.TempDir())
	r.Texts = textsOf(nil)
	result := mustFinish(t, r)
	got := map[uint64]string{}
	err := result.Reread()(t.Context(), []uint64{0, 2, 3, 6}, func(record uint64, text []byte) error {
		got[record] = string(text)
		return nil
	})
	want := map[uint64]string{0: "one 00000000000000ff\n", 2: "nothing\n", 3: "17 00000000000000fe\n", 6: "q\"uote 00000000000000fc\n"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, -want +got\n%s", err, diff)
	}
}

// A record is dropped if it is near a kept record with the same words, in memory and on disk,
// beyond one batch of texts, and across files.
func TestVerified(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	files := map[string]string{}
	seen := map[string]bool{}
	var want []bool
	for f := range 4 {
		var lines strings.Builder
		for range 3000 {
			key := fmt.Sprintf("%016x", uint64(random.IntN(1500)+1)*0x9e3779b97f4a7c15)
			if word := random.IntN(3); word > 0 { // lineSource ignores it
				key += fmt.Sprint(" ", word)
			}
			fmt.Fprintf(&lines, "id %s\n", key)
		}
		files[fmt.Sprintf("%d.txt", f)] = lines.String()
	}
	for f := range 4 {
		for line := range strings.Lines(files[fmt.Sprintf("%d.txt", f)]) {
			want = append(want, !seen[line])
			seen[line] = true
		}
	}
	for _, memory := range []int64{0, 1000} {
		in, out := t.TempDir(), t.TempDir()
		write(t, in, files)
		r := verifying(runOn(t, in, out), 1)
		r.Memory = memory
		result := mustFinish(t, r)
		var got []bool
		for i := range r.Inputs {
			for m, err := range result.members(t.Context(), i) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, m.canonical)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("memory %d: -want +got\n%s", memory, diff)
		}
		if result.Dropped() < 1000 {
			t.Errorf("memory %d: %d dropped", memory, result.Dropped())
		}
		if left, err := filepath.Glob(filepath.Join(out, kept, "*.tmp")); len(left) > 0 || err != nil {
			t.Errorf("%v is left behind, %v", left, err)
		}
	}
}

// If an input changes between the two readings, or during the second one, Find returns an error.
func TestTextsThatHaveChanged(t *testing.T) {
	for name, change := range map[string]func(r *Run, path string, change func()){
		"before": func(r *Run, _ string, change func()) {
			r.Progress = func(p dedup.Progress) {
				if p.Step == "comparing fingerprints" {
					change()
				}
			}
		},
		"meanwhile": func(r *Run, _ string, change func()) { r.Texts = textsOf(change) },
	} {
		in := t.TempDir()
		write(t, in, lineFiles)
		r := verifying(runOn(t, in, t.TempDir()), 0.5)
		path := filepath.Join(in, "a.txt")
		changed := false
		change(r, path, func() {
			if !changed {
				changed = true
				laterState(t, t.TempDir())
				if err := os.WriteFile(path, []byte(strings.Replace(lineFiles["a.txt"], "one", "two", 1)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
		if err := r.Sketch(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Find(t.Context(), "the test"); err == nil || !strings.Contains(err.Error(), "a.txt: it has changed since") || !changed {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Watch detects changes of a file, and of any file in a folder.
func TestWatch(t *testing.T) {
	in := t.TempDir()
	write(t, in, lineFiles)
	for _, path := range []string{in, filepath.Join(in, "b", "c.txt")} {
		unchanged, err := Watch(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := unchanged(); err != nil {
			t.Error(err)
		}
		laterState(t, t.TempDir())
		write(t, in, map[string]string{"b/c.txt": lineFiles["b/c.txt"]})
		if err := unchanged(); err == nil || !strings.Contains(err.Error(), "has changed since it was read first") {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if _, err := Watch(filepath.Join(in, "none")); err == nil {
		t.Error("no error for a missing file")
	}
}
