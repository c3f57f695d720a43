package corpus

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/decompress"
	"simhashkit/internal/wholefile"
)

// laterState waits for a tick of the file clock, so that later writes have other change times.
func laterState(t *testing.T, folder string) {
	t.Helper()
	changed := func() time.Time {
		path := filepath.Join(folder, ".tick")
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := stateOf(path)
		if err != nil {
			t.Fatal(err)
		}
		return s.Modified
	}
	for first := changed(); changed().Equal(first); {
	}
	if err := os.Remove(filepath.Join(folder, ".tick")); err != nil {
		t.Fatal(err)
	}
}

// Fingerprints are reused only for the same content. An input that was copied, moved or touched is
// read once for its content and not sketched again. An input with other content is sketched again.
func TestFingerprintsAreOfTheContent(t *testing.T) {
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	const one, other = "one 00000000000000f0\n", "two 0000000000000f00\n"
	files := map[string]string{"a.txt": one, "b.txt": other, "folder/x": "00000000000000f0\n", "folder/y": "0000000000000f00\n"}
	for name, c := range map[string]struct {
		change func(in string) error
		read   []string // base names of the files sketched again
	}{
		"nothing":           {func(string) error { return nil }, nil},
		"touched":           {func(in string) error { return os.Chtimes(in+"/a.txt", at, at.Add(time.Hour)) }, nil},
		"rights":            {func(in string) error { return os.Chmod(in+"/a.txt", 0o600) }, nil},
		"touched in folder": {func(in string) error { return os.Chtimes(in+"/folder/x", at, at.Add(time.Hour)) }, nil},
		"copied": {func(in string) error {
			text, err := os.ReadFile(in + "/a.txt")
			if err == nil {
				err = os.WriteFile(in+"/c", text, 0o666)
			}
			if err == nil {
				err = os.Chtimes(in+"/c", at, at)
			}
			if err == nil {
				err = os.Rename(in+"/c", in+"/a.txt")
			}
			return err
		}, nil},
		"swapped":           {func(in string) error { return swap(in+"/a.txt", in+"/b.txt") }, []string{"a.txt", "b.txt"}},
		"swapped in folder": {func(in string) error { return swap(in+"/folder/x", in+"/folder/y") }, []string{"folder"}},
		"written, with its old time": {func(in string) error {
			if err := os.WriteFile(in+"/a.txt", []byte(other), 0o666); err != nil {
				return err
			}
			return os.Chtimes(in+"/a.txt", at, at)
		}, []string{"a.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			in, out := t.TempDir(), t.TempDir()
			write(t, in, files)
			for file := range files {
				if err := os.Chtimes(filepath.Join(in, file), at, at); err != nil {
					t.Fatal(err)
				}
			}
			run := func() (map[string]string, []string) {
				r := runOn(t, in, out)
				r.Inputs, r.Force = nil, true // replace attributes whose notes were deleted
				for _, input := range []string{"a.txt", "b.txt", "folder"} {
					r.Inputs = append(r.Inputs, Input{filepath.Join(in, input), input})
				}
				mustFinish(t, r)
				return attributes(t, out), r.Source.(*lineSource).read
			}
			run()
			laterState(t, in)
			if err := c.change(in); err != nil {
				t.Fatal(err)
			}
			got, read := run()
			if slices.Sort(read); !slices.Equal(read, c.read) {
				t.Errorf("sketched again: %q, expected %q", read, c.read)
			}
			if err := os.RemoveAll(filepath.Join(out, kept)); err != nil {
				t.Fatal(err)
			}
			want, _ := run()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-recomputed +reused\n%s", diff)
			}
		})
	}
}

func swap(a, b string) error {
	for _, names := range [][2]string{{a, a + "~"}, {b, a}, {a + "~", b}} {
		if err := os.Rename(names[0], names[1]); err != nil {
			return err
		}
	}
	return nil
}

// A file of fingerprints with missing or additional lines is an error that says how to continue.
// The next run recomputes small files, which were not synced and may be damaged by a crash.
func TestFingerprintsThatAreNotWhole(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, out)
	mustFinish(t, r)
	want := contents(t, out)
	path := r.stored(r.Inputs[0])
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := decompress.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	lines := strings.SplitAfter(whole, "\n")
	last := len(lines) - 2 // the last element is empty
	for name, text := range map[string]string{
		"no ending":         strings.Join(lines[:last], ""),
		"a record less":     lines[0] + strings.Join(lines[2:], ""),
		"a record twice":    lines[0] + lines[1] + strings.Join(lines[1:], ""),
		"a record behind":   whole + lines[1],
		"cut in the ending": whole[:len(whole)-3],
		"its head alone":    lines[0],
		"nothing":           "",
		"cut while packed":  string(packed[:len(packed)-5]),
		"zeros":             string(make([]byte, len(packed))),
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := r.Find(t.Context(), "the test", nil)
		if err == nil || !strings.Contains(err.Error(), path+":") || !strings.Contains(err.Error(), "computes these fingerprints anew") {
			t.Errorf("%s: error %v", name, err)
		}
		again := runOn(t, in, out)
		var notices []string
		again.Notice = func(text string) { notices = append(notices, text) }
		mustFinish(t, again)
		if diff := cmp.Diff(want, contents(t, out)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		if read := again.Source.(*lineSource).read; len(read) != 1 || len(notices) != 1 || !strings.Contains(notices[0], "a.txt: its fingerprints are damaged") {
			t.Errorf("%s: %q were read, notices %q", name, read, notices)
		}
	}
}

// A large damaged file of fingerprints is an error: it was synced, so a crash does not explain the
// damage, and recomputing it takes long.
func TestLargeDamagedFingerprints(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	var text strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		fmt.Fprintf(&text, "%d %016x\n", i, random.Uint64())
	}
	write(t, in, map[string]string{"a.txt": text.String()})
	r := runOn(t, in, out)
	mustFinish(t, r)
	packed, err := os.ReadFile(r.stored(r.Inputs[0]))
	if err != nil || len(packed) < wholefile.Small {
		t.Fatal(len(packed), err)
	}
	if err := os.WriteFile(r.stored(r.Inputs[0]), packed[:len(packed)-5], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := finish(runOn(t, in, out)); !errors.Is(err, errDamaged) {
		t.Errorf("error %v", err)
	}
}

// States are equal only if all of their fields are.
func TestSameState(t *testing.T) {
	now := time.Now()
	before := state{Bytes: 1, Modified: now, Changed: now, Inode: 2, Files: "x"}
	if !before.same(before) {
		t.Error("a state differs from itself")
	}
	for name, change := range map[string]func(*state){
		"bytes":    func(s *state) { s.Bytes++ },
		"modified": func(s *state) { s.Modified = now.Add(1) },
		"changed":  func(s *state) { s.Changed = now.Add(1) },
		"inode":    func(s *state) { s.Inode++ },
		"files":    func(s *state) { s.Files = "y" },
	} {
		after := before
		if change(&after); before.same(after) || after.same(before) {
			t.Errorf("equal with another %s", name)
		}
	}
}

// On systems without change times, the content decides. An input that can be read only once has no
// content hash.
func TestContentDecides(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, map[string]string{"a.txt": "one 00000000000000ff\n"})
	r := runOn(t, in, out)
	h, err := r.headOf(r.Inputs[0])
	if err != nil {
		t.Fatal(err)
	}
	h.Changed, h.Inode, r.known = time.Time{}, 0, map[string]state{}
	content, err := contentOf(t.Context(), r.Inputs[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stored, path string
		want         bool
	}{{content, r.Inputs[0].Path, true}, {"other", r.Inputs[0].Path, false}, {"", r.Inputs[0].Path, false}, {"", os.DevNull, false}} {
		err := errors.Join(makeFolderOf(r.stored(r.Inputs[0])), wholefile.Write(r.stored(r.Inputs[0]), func(w io.Writer) error {
			none := func(func(Record, error) bool) {}
			return storeTo(w, h, 64, none, nil, func() (ending, error) { return ending{Content: c.stored}, nil })
		}))
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.fresh(t.Context(), Input{c.path, r.Inputs[0].Name}, h)
		if err != nil || got != c.want {
			t.Errorf("content %q of %s: %t, %v", c.stored, c.path, got, err)
		}
	}
}
