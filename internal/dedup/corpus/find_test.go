package corpus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Losses agree with the dropped records in the attributes of each input.
func TestLosses(t *testing.T) {
	for name, files := range map[string]map[string]string{"few": lineFiles, "many": manyDocuments()} {
		in, out := t.TempDir(), t.TempDir()
		write(t, in, files)
		r := runOn(t, in, out)
		result := mustFinish(t, r)
		want := map[string]string{}
		for i, input := range r.Inputs {
			records, dropped := 0, 0
			for m, err := range result.members(t.Context(), i) {
				if err != nil {
					t.Fatal(err)
				}
				records++
				if !m.canonical {
					dropped++
				}
			}
			if dropped > 0 {
				want[input.Name] = fmt.Sprintf("%d of %d", dropped, records)
			}
		}
		got, before := map[string]string{}, result.Records.Len()
		for _, l := range result.losses() {
			if l.dropped > before {
				t.Errorf("%s: %+v follows a loss of %d", name, l, before)
			}
			got[l.input.Name], before = fmt.Sprintf("%d of %d", l.dropped, l.n), l.dropped
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

// SharedID counts the shared ids with a record that has near-duplicates. The other records may be
// in any file, and ids may be numbers or text.
func TestSharedIDs(t *testing.T) {
	for name, c := range map[string]struct {
		files  map[string]string
		memory int64
		id     string
		n      int
	}{
		"none":                      {lineFiles, 0, "", 0},
		"in two files":              {map[string]string{"a": "x 00\ny 01\n", "b": "q ffff\ny abcdef\n"}, 0, "y", 1},
		"one without a fingerprint": {map[string]string{"a": "x 00\ny 01\n", "b": "x\n"}, 0, "x", 1},
		"thrice, and another":       {map[string]string{"a": "1 00\n1 00\n1 00\n2 01\n2 ffffff\n"}, 0, "1", 2},
		"of strangers":              {map[string]string{"a": "x 00\ny 01\nz fff\nz fff000\n"}, 0, "", 0},
		"without memory":            {map[string]string{"a": "x 00\nx 01\n"}, 2*48 + 15, "", 0},
		"with just enough":          {map[string]string{"a": "x 00\nx 01\n"}, 2*48 + 16, "x", 1},
	} {
		in := t.TempDir()
		for file, text := range c.files {
			write(t, in, map[string]string{file: wide(text)})
		}
		r := runOn(t, in, t.TempDir())
		r.Memory = c.memory
		result := mustFinish(t, r)
		if id, n := result.SharedID(); id != c.id || n != c.n {
			t.Errorf("%s: %q, %d ids; want %q, %d", name, id, n, c.id, c.n)
		}
	}
}

// wide pads the fingerprints of lines to 16 digits.
func wide(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(text) {
		id, digits, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		lines.WriteString(id)
		if found {
			lines.WriteString(" " + strings.Repeat("0", 16-len(digits)) + digits)
		}
		lines.WriteByte('\n')
	}
	return lines.String()
}
