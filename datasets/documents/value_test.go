package documents

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// The value may be missing or of any type. It does not affect which records are read.
func TestValue(t *testing.T) {
	for _, c := range []struct {
		name, text string
		options    Options
		want       string
	}{
		{"a.jsonl", `{"text":"x","v":1.50}
{"v":"\u0061 b","text":"x"}
{"text":"x","v":null}
{"text":"x"}
{"text":"x","v":[1,2]}
{"text":"x","v":1,"v":2}
{"text":7,"v":3}
{"v":4}
{"text":"x","v":true}`, Options{Value: "v"}, `"1.50" "a b" "" "" "[1,2]" "2" "4" "true"`},
		{"b.jsonl", `{"text":"x","m":{"v":1}}
{"text":"x","m.v":2,"m":3}`, Options{Value: "m.v"}, `"1" "2"`},
		{"c.jsonl", `{"text":"9"}`, Options{Value: "text", ID: "text"}, `"9"`},
		{"a.csv", "text,v\nx,1\nx,\n\"x\",\"a,b\"\n", Options{Value: "v"}, `"1" "" "a,b"`},
		{"b.csv", "x,1\nx,2\n", Options{Text: "#1", Value: "#2"}, `"1" "2"`},
		{"c.csv", "x\nx\n", Options{Text: "#1", Value: "#2"}, `"" ""`},
	} {
		c.options.OnError = func(error) {}
		r, err := Open(t.Context(), write(t, c.name, c.text), c.options)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var d Document
		for err = r.Read(&d); err == nil; err = r.Read(&d) {
			got = append(got, fmt.Sprintf("%q", d.Value))
		}
		if all := strings.Join(got, " "); err != io.EOF || all != c.want {
			t.Errorf("%s: %s, want %s; error %v", c.name, all, c.want, err)
		}
		r.Close()
	}
	for name, want := range map[string]string{
		"d.csv": `a column "w" in the header`, "numbered.csv": "the number of a column", "f.txt": `expected the field "w"`,
	} {
		options := Options{Value: "w"}
		if name == "numbered.csv" {
			options.Text = "#1"
		}
		if _, err := Open(t.Context(), write(t, name, "text,v\nx,1\n"), options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}
