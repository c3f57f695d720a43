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
	changed := func() int64 {
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
	for first := changed(); changed() == first; {
	}
	if err := os.Remove(filepath.Join(folder, ".tick")); err != nil {
		t.Fatal(err)
	}
}

// Fingerprints are reused only for the same state. An input that was written, copied, moved or
// touched is sketched again.
func TestFingerprintsAreOfTheState(t *testing.T) {
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	const one, other = "one 00000000000000f0\n", "two 0000000000000f00\n"
	files := map[string]string{"a.txt": one, "b.txt": other, "folder/x": "00000000000000f0\n", "folder/y": "0000000000000f00\n"}
	for name, c := range map[string]struct {
		change func(in string) error
		read   []string // base names of the files sketched again
	}{
		"nothing":           {func(string) error { return nil }, nil},
		"touched":           {func(in string) error { return os.Chtimes(in+"/a.txt", at, at.Add(time.Hour)) }, []string{"a.txt"}},
		"rights":            {func(in string) error { return os.Chmod(in+"/a.txt", 0o600) }, []string{"a.txt"}},
		"touched in folder": {func(in string) error { return os.Chtimes(in+"/folder/x", at, at.Add(time.Hour)) }, []string{"folder"}},
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
		}, []string{"a.txt"}},
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
					r.Inputs = append(r.Inputs, Input{Path: filepath.Join(in, input), Name: input})
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
	first := string(appendRecord(nil, Record{ID: []byte("one"), Informative: true, Fingerprint: []uint64{0xff}}))
	start, last := strings.Index(whole, "\n")+1, strings.LastIndex(whole, "\x08")
	if !strings.HasPrefix(whole[start:], first) {
		t.Fatalf("%q", whole)
	}
	for name, text := range map[string]string{
		"no ending":         whole[:last],
		"a record less":     whole[:start] + whole[start+len(first):],
		"a record twice":    whole[:start] + first + whole[start:],
		"a record behind":   whole + first,
		"cut in a record":   whole[:start+5],
		"cut in the ending": whole[:len(whole)-3],
		"its head alone":    whole[:start],
		"nothing":           "",
		"cut while packed":  string(packed[:len(packed)-5]),
		"zeros":             string(make([]byte, len(packed))),
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := r.Find(t.Context(), "the test")
		if err == nil || !strings.Contains(err.Error(), path+":") || !strings.Contains(err.Error(), "computes these fingerprints anew") {
			t.Errorf("%s: error %v", name, err)
		}
		again := runOn(t, in, out)
		var notices []string
		again.Notice = addTo(&notices)
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
