package documents

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInspectJSON(t *testing.T) {
	const object = `{"id": 7, "a": "long enough", "b": {"c": ["x", "yy"], "n": null}, "d": [{"e": "é"}, {"e": 1}], "f": []}` + "\n"
	for _, start := range []string{object, "\ufeff" + object + `{"a": "the end is mis`, strings.Repeat(object, 200)} {
		f := InspectJSON([]byte(start))
		if diff := cmp.Diff([]string{"a", "b.c[]", "d[].e", "b.n"}, f.Strings); diff != "" || !f.ID {
			t.Errorf("ID %v, -want +got\n%s", f.ID, diff)
		}
		if want := min(strings.Count(start, "\n"), inspectedObjects); f.Objects != want {
			t.Errorf("%d objects, want %d", f.Objects, want)
		}
		for path, want := range map[string]bool{
			"a": true, "b": true, "b.c": true, "d[]": true, "id": true, // fields
			"b.n.x": true, "f[].x": true, "f[]": true, // may be in later records
			"c": false, "b.cc": false, "aa": false, "a.b": false, "ff": false,
		} {
			if got := f.Has(path); got != want {
				t.Errorf("Has(%q) = %v", path, got)
			}
		}
	}
	deep := strings.Repeat(`{"a":`, 100) + `"x"` + strings.Repeat("}", 100)
	if f := InspectJSON([]byte(deep)); len(f.Strings) != 0 || f.Objects != 1 || f.ID {
		t.Errorf("%+v", f)
	}
}
