package docformat

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

// TextColumn returns the only column with long strings, if the first line is a header.
func TestTextColumn(t *testing.T) {
	long := strings.Repeat("many words of a text ", 5)
	for _, c := range []struct{ start, format, want string }{
		{"", CSV, ""},
		{"id,text,body\n1,a," + long + "\n", CSV, "text"},
		{"id,words\n1," + long + "\n2," + long + "\n", CSV, "words"},
		{"\ufeffbody\tid\n\"" + long + "\n\"\t" + long + "\n", TSV, "body"},
		{"id,title,body\n1,short," + long + "\n2,\"cut here", CSV, "body"},
		{"id,first,second\n1," + long + "," + long + "\n", CSV, ""},
		{"id,words\n1,a\n", CSV, ""},
		{"id\n1\n", CSV, ""},
		{"id,words\n", CSV, ""},
		{"a,,b\n1,2," + long + "\n", CSV, ""},
		{"1,a\n2," + long + "\n", CSV, ""},
		{long + ",a\n" + long + ",b\n", CSV, ""},
		{"nr;body\n1;" + long + "\n", CSV, ""}, // the reader reports semicolons as an error
		{"nr\tbody\n1\t" + long + "\n", CSV, ""},
		{"#2,words\n1," + long + "\n", CSV, "words"},
		{"id,#1\n1," + long + "\n", CSV, ""}, // #1 would select the first column
	} {
		got, id := TextColumn([]byte(c.start), c.format)
		if hasID := strings.Contains(strings.SplitN(c.start, "\n", 2)[0], "id"); got != c.want || id != hasID {
			t.Errorf("%q: column %q, id %t, want %q, %t", c.start, got, id, c.want, hasID)
		}
	}
}
