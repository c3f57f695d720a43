package corpus

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
)

// folderRun returns a run whose only input is a folder.
func folderRun(t *testing.T, in, out string) *Run {
	t.Helper()
	inputs, _, err := Inputs([]string{in}, []string{out}, func(pattern string) ([]string, error) { return []string{pattern}, nil })
	if err != nil {
		t.Fatal(err)
	}
	return &Run{Folder: out, Inputs: inputs, Source: &lineSource{definition: "files"}, Spec: dedup.Spec{K: 3}}
}

// A folder is one input with one file of attributes. Every change below the folder is detected.
func TestFolderIsOneInput(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "texts"), t.TempDir()
	files := map[string]string{"a": "00000000000000ff", "b/c": "00000000000000fe", "d": "ffffffff00000000"}
	write(t, in, files)
	mustFinish(t, folderRun(t, in, out))
	want := `{"id":"a","fingerprint":"00000000000000ff","cluster_id":1,"is_canonical":true,"duplicate_of":null}
{"id":"b/c","fingerprint":"00000000000000fe","cluster_id":1,"is_canonical":false,"duplicate_of":"a"}
{"id":"d","fingerprint":"ffffffff00000000","cluster_id":null,"is_canonical":true,"duplicate_of":null}
`
	if diff := cmp.Diff(map[string]string{"texts.jsonl": want}, attributes(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if files := slices.Sorted(maps.Keys(contents(t, out))); !slices.Equal(files, []string{"fphash-run/decision.zst", "fphash-run/texts.fingerprints.zst", "texts.jsonl"}) {
		t.Errorf("files %q", files)
	}
	for _, c := range []struct {
		what   string
		change func() error
		anew   bool
	}{
		{"nothing", func() error { return nil }, false},
		{"a marked file", func() error { return os.WriteFile(filepath.Join(in, ".DS_Store"), nil, 0o666) }, false},
		{"another file", func() error { return os.WriteFile(filepath.Join(in, "e"), []byte("0000000000000000"), 0o666) }, true},
		{"a name", func() error { return os.Rename(filepath.Join(in, "d"), filepath.Join(in, "b/d")) }, true},
		{"a file less", func() error { return os.Remove(filepath.Join(in, "e")) }, true},
	} {
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		r := folderRun(t, in, out)
		if err := r.Sketch(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := len(r.Source.(*lineSource).read) > 0; got != c.anew {
			t.Errorf("after a change of %s: read again: %t", c.what, got)
		}
	}
}

// Outputs are never documents of the next run.
func TestWrittenIsNoInput(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.txt": "", "out/a.txt": "", "out/b/c.txt": "", "kept/a.txt": "", "outer.txt": "", "texts/sub/x.txt": ""})
	t.Chdir(root)
	for _, c := range []struct {
		patterns string
		leftOut  int
		want     string
	}{
		{"*/a.txt a.txt", 2, "a.txt"},
		{"*.txt", 0, "a.txt outer.txt"},
		{"out/*.txt", 0, "a.txt"},
		{"texts", 0, "texts"},
		{"./texts/", 0, "texts"},
		{"t*", 0, "texts"},
		{"texts texts/sub", 0, "where each file is a document already"},
		{"texts texts/*/x.txt", 0, "where each file is a document already"},
	} {
		inputs, leftOut, err := Inputs(strings.Fields(c.patterns), []string{"out", "./kept", "missing/folder"}, filepath.Glob)
		var names []string
		for _, in := range inputs {
			names = append(names, in.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if leftOut != c.leftOut || got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %s, %d left out; want %s, %d", c.patterns, got, leftOut, c.want, c.leftOut)
		}
	}
	for _, out := range []string{"texts", "texts/out", "./texts/a/b"} {
		r := folderRun(t, "texts", out)
		if err := r.Sketch(t.Context()); err == nil || !strings.Contains(err.Error(), "expected another folder to write to") {
			t.Errorf("%s: error %v", out, err)
		}
	}
	out := t.TempDir()
	write(t, root, map[string]string{"texts/sub/x.txt": "0000000000000001"})
	result := mustFinish(t, folderRun(t, "texts", out))
	nothing := func(context.Context, string, string, Copying) error { return nil }
	for _, folder := range []string{".", "texts/kept"} {
		if err := result.Remove(t.Context(), folder, nothing); err == nil {
			t.Errorf("kept in %s: no error", folder)
		}
	}
}

// That also holds for outputs among the inputs.
func TestWrittenAmongInputsIsNoInput(t *testing.T) {
	in := t.TempDir()
	write(t, in, lineFiles)
	patterns := func() (names []string, leftOut int) {
		inputs, leftOut, err := Inputs([]string{in}, []string{in, filepath.Join(in, "kept")}, func(folder string) (paths []string, err error) {
			for name := range contents(t, folder) {
				paths = append(paths, filepath.Join(folder, name))
			}
			return paths, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range inputs {
			names = append(names, in.Name)
		}
		slices.Sort(names)
		return names, leftOut
	}
	want, _ := patterns()
	result := mustFinish(t, runOn(t, in, in))
	if err := result.Remove(t.Context(), filepath.Join(in, "kept"), copyLines); err != nil {
		t.Fatal(err)
	}
	if got, leftOut := patterns(); !slices.Equal(got, want) || leftOut != 4+4+4 {
		t.Errorf("%q, %d left out; want %q, 12", got, leftOut, want)
	}
}
