package corpus

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/wholefile"
)

func TestRefusals(t *testing.T) {
	in := t.TempDir()
	write(t, in, lineFiles)
	for name, c := range map[string]struct {
		change func(t *testing.T, r *Run)
		want   string
	}{
		"another definition": {func(t *testing.T, r *Run) { r.Source = &lineSource{definition: "others"} }, "expected the same of this run, which has the definition\n  others"},
		"another version": {func(t *testing.T, r *Run) {
			if err := wholefile.WriteBytes(r.stored(r.Inputs[0]), []byte(`{"version":1}`+"\n")); err != nil {
				t.Fatal(err)
			}
		}, "version 1, expected 4"},
		"no inputs":    {func(t *testing.T, r *Run) { r.Inputs = nil }, "no inputs"},
		"no file":      {func(t *testing.T, r *Run) { r.Inputs = append(r.Inputs, Input{Path: "/no/such", Name: "such"}) }, "/no/such"},
		"a name twice": {func(t *testing.T, r *Run) { r.Inputs = append(r.Inputs, r.Inputs[0]) }, "would replace the fingerprints of"},
		"an output that is an input": {func(t *testing.T, r *Run) {
			r.Inputs = append(r.Inputs, Input{Path: r.Attributes(r.Inputs[0]), Name: "x"})
		}, "the attributes of"},
		"an output among documents": {func(t *testing.T, r *Run) {
			r.Inputs = append(r.Inputs, Input{Path: filepath.Dir(r.Folder), Name: "above"})
		}, "expected another folder to write to"},
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

func TestFindBeforeSketch(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	if _, err := runOn(t, in, out).Find(t.Context(), "the test"); err == nil || !strings.Contains(err.Error(), "its fingerprints are not computed yet") {
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

// A run that ended before it stored any fingerprints does not determine the definition.
func TestAnotherDefinitionBeforeAnyFingerprint(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	wrong := runOn(t, in, out)
	wrong.Source = &lineSource{definition: "wrong", before: func() error { return errBad }}
	if _, err := finish(wrong); !errors.Is(err, errBad) {
		t.Fatal(err)
	}
	mustFinish(t, runOn(t, in, out))
	if err := (&Run{Folder: out, Source: &lineSource{definition: "wrong"}}).agree(t.Context()); err == nil || !strings.Contains(err.Error(), "made by\n  lines\n") {
		t.Errorf("after a complete run: error %v", err)
	}
}
