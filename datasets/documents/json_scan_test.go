package documents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// fieldsOf are the options for comparing the scan with the libraries.
var fieldsOf = []Options{
	{}, {ID: "id"}, {Text: "a.b", ID: "id", Value: "a"}, {Text: "a[].b", ID: "a.b", Value: "b"}, {Text: "text[]", Value: "a[][]"}, {Text: "a.b.c", ID: "text", Value: "text.a"}, {Text: "text", ID: "text"}, {Text: "é", Value: "id"},
}

// naive finds the fields of a valid line with the standard library.
func naive(t *testing.T, line []byte, options Options) [3]jsonField {
	t.Helper()
	fields := newJSONLines(nil, "x", &options).fields
	decoder := json.NewDecoder(bytes.NewReader(line))
	var read func(path string, top bool)
	read = func(path string, top bool) {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		found := false
		for i := range fields {
			if fields[i].path != path || path == "" {
				continue
			}
			found = true
			value, kind := []byte(raw), jsontext.Value(raw).Kind()
			if kind == '"' {
				var text string
				if err := json.Unmarshal(raw, &text); err != nil {
					t.Fatal(err)
				}
				value = []byte(text)
			}
			fields[i].store(kind, value)
		}
		if found || raw[0] != '{' && raw[0] != '[' {
			return
		}
		outer := decoder
		decoder = json.NewDecoder(bytes.NewReader(raw))
		_, _ = decoder.Token()
		for decoder.More() {
			below := path + "[]"
			if raw[0] == '{' {
				name, _ := decoder.Token()
				if below = name.(string); !top {
					below = path + "." + below
				}
			}
			read(below, false)
		}
		decoder = outer
	}
	read("", true)
	return fields
}

// checkScan compares the fields of a line with those that the standard library finds, and whether
// it is accepted with what the JSON library says.
func checkScan(t *testing.T, line []byte, options Options) (taken bool) {
	t.Helper()
	c := newJSONLines(nil, "x", &options)
	before := bytes.Clone(line)
	c.scan.decoded = bytes.Repeat([]byte{7}, len(line)%100) // left from a previous line
	taken = c.scan.scan(line, &c.fields)
	if !bytes.Equal(line, before) {
		t.Fatalf("%q was changed to %q", before, line)
	}
	valid := jsontext.Value(line).IsValid(jsontext.AllowDuplicateNames(true)) && jsontext.Value(line).Kind() == '{'
	if c.scan.want == "" && taken != valid {
		t.Fatalf("%q: accepted %v, by the library %v", line, taken, valid)
	}
	if !taken {
		if err := c.parse(line); err == nil {
			t.Fatalf("%q: no error", line)
		}
		return false
	}
	for i, want := range naive(t, line, options) {
		got := &c.fields[i]
		if !bytes.Equal(got.value, want.value) || (got.value == nil) != (want.value == nil) || got.number != want.number || got.times != want.times || got.null != want.null {
			t.Fatalf("%q, %+v: field %d is %q, number %v, want %q, %v", line, options, i, got.value, got.number, want.value, want.number)
		}
	}
	return true
}

func TestScannedLines(t *testing.T) {
	for _, line := range []string{
		`{"text":"a"}`, ` { "id" : 1 , "text" : "a\n\tb \"c\" \\ \/ \b\f\r \u00e9\u0041\u4e2d" } `, `{"text":"é 中","meta":{"a":[1,-2.5e+10,0,true,false,null,{}],"b":{}}}`,
		`{"id":"x","text":""}`, `{"id":-1,"text":"` + strings.Repeat("中é", 1000) + "\"\t,\r\"a\":1}", `{"a":{"b":"c","id":[[]]},"id":3,"text":"\u0000"}`, `{"text":"` + strings.Repeat(`long \" `, 1000) + `","id":0.5}`,
		`{"te\u0078t":"a"}`, `{"text":"\ud83d\uDE00"}`,
	} {
		if !checkScan(t, []byte(line), Options{ID: "id"}) {
			t.Errorf("%.100s is refused", line)
		}
	}
	for _, line := range []string{
		``, `{`, `{"text":"a"`, `{"text":"a"}x`, `{"text":"a"}{}`, `{"text":"a",}`, `{"text" "a"}`, `{"text":"a" "b":1}`, `{text:"a"}`, `{"text":"\ud83d"}`, `{"text":"\ud83d\n"}`, `{"text":"\ud83d\u0041"}`, `{"text":"\ude00"}`,
		"{\"text\":\"a\tb\"}", "{\"text\":\"\xff\"}", "{\"text\":\"a\",\"b\":\"\xc3\"}", `{"text":"\x"}`, `{"text":"\u12"}`, `{"text":"\u12g4"}`, `{"text":"a\`,
		`{"text":1}`, `{"id":true,"text":"a"}`, `{"text":"a","b":01}`, `{"text":"a","b":1.}`, `{"text":"a","b":-}`, `{"text":"a","b":1e}`, `{"text":"a","b":tru}`, `{"text":"a","b":[1,]}`,
		`{"text":"a","b":[1 2]}`, `["text"]`, `"text"`, `{"text":"a","b":\u00e9}`,
	} {
		if checkScan(t, []byte(line), Options{ID: "id"}) {
			t.Errorf("%.100s is accepted", line)
		}
	}
}

// Values may be nested as deep as in the library.
func TestScanDepth(t *testing.T) {
	for _, nested := range [][3]string{{"[", "", "]"}, {"[", "1", "]"}, {`{"":`, "{}", "}"}, {`{"":`, "1", "}"}} {
		for n := deepestJSON - 3; n < deepestJSON+3; n++ {
			line := []byte(`{"text":"a","b":` + strings.Repeat(nested[0], n) + nested[1] + strings.Repeat(nested[2], n) + `}`)
			c := newJSONLines(nil, "x", &Options{})
			if got, want := c.scan.scan(line, &c.fields), jsontext.Value(line).IsValid(); got != want {
				t.Errorf("%d times %s: accepted %v, by the library %v", n, nested[0], got, want)
			}
		}
	}
}

// The scan agrees with the libraries on lines of random, mostly well-formed tokens.
func TestScanIsTheLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{`"text"`, `"id"`, `"a"`, `"b"`, `"a.b"`, `"c"`, `"é"`, `""`, `"text "`, `"\u0061"`}
	parts := []string{"a", "word ", `\n`, `\"`, `\\`, `\\\"`, `\u00e9`, `\u20ac`, "é", "中文", "😀", strings.Repeat("x", 31), strings.Repeat("y", 32), strings.Repeat("z", 33), strings.Repeat("w", 64)}
	odd := []string{`\ud83d\ude00`, `\udc00`, "\xff", "\x1f", `\x`, `"`, "\\"}
	var value func(depth int) string
	value = func(depth int) string {
		switch n := r.IntN(12 - min(depth, 6)); {
		case n > 10:
			list := make([]string, r.IntN(3))
			for i := range list {
				list[i] = value(depth + 1)
			}
			return "[" + strings.Join(list, []string{",", " , "}[r.IntN(2)]) + "]"
		case n > 7:
			var list []string
			for range r.IntN(5) {
				list = append(list, names[r.IntN(len(names))]+[]string{":", ": "}[r.IntN(2)]+value(depth+1))
			}
			return "{" + strings.Join(list, []string{",", ", "}[r.IntN(2)]) + "}"
		case n > 5:
			return []string{"0", "-1", "1.5", "2e9", "12345", "true", "false", "null", "nul", "-", "1.x"}[r.IntN(8+r.IntN(20)/17)]
		}
		var s strings.Builder
		for range r.IntN([]int{3, 20, 200}[r.IntN(3)]) {
			s.WriteString(parts[r.IntN(len(parts))])
		}
		if r.IntN(40) == 0 {
			s.WriteString(odd[r.IntN(len(odd))])
		}
		return `"` + s.String() + `"`
	}
	taken, rounds := 0, 20_000
	for range rounds {
		var list []string
		for i := range 1 + r.IntN(5) {
			name := names[r.IntN(len(names))]
			if i == 0 {
				name = []string{`"text"`, `"a"`, `"é"`}[r.IntN(3)]
			}
			list = append(list, name+":"+value(0))
		}
		line := []byte("{" + strings.Join(list, ",") + "}")
		if r.IntN(10) == 0 {
			line[r.IntN(len(line))] = byte(r.Uint32())
		}
		if checkScan(t, line, fieldsOf[r.IntN(len(fieldsOf))]) {
			taken++
		}
	}
	if taken < rounds/4 {
		t.Errorf("%d of %d lines are accepted, want a quarter", taken, rounds)
	}
}

// The value of a string without escapes is a part of the line, and appending to it does not change
// the line. Only strings with escapes are copied.
func TestScanCopiesOnlyEscapedStrings(t *testing.T) {
	for text, copied := range map[string]bool{"some words": false, strings.Repeat("é", 900): false, `some\nwords`: true} {
		line := []byte(`{"text":"` + text + `","id":1}`)
		var s jsonScan
		fields := [3]jsonField{{path: "text"}}
		if !s.scan(line, &fields) {
			t.Fatalf("%.20s is refused", line)
		}
		value := fields[0].value
		if within := &value[0] == &line[len(`{"text":"`)]; within == copied || len(value) != cap(value) {
			t.Errorf("%.20s: part of the line: %v; length %d, capacity %d", line, within, len(value), cap(value))
		}
	}
}

// FuzzScan checks that the scan and the library accept the same lines with the same values.
func FuzzScan(f *testing.F) {
	for i, line := range []string{
		`{"id":1,"text":"a\n\"b\" \u00e9 é"}`, `{"a":{"b":{"c":"x"}},"text":{"a":[1,{}]},"id":"\ud83d\ude00"}`, `{ "text" : "` + strings.Repeat(`\\x`, 60) + `" , "é":-0.5e-7}`, "{\"text\":\"\xff\"}",
	} {
		f.Add([]byte(line), byte(i), byte(60*i))
	}
	f.Fuzz(func(t *testing.T, line []byte, which, more byte) {
		options := fieldsOf[int(which)%len(fieldsOf)]
		checkScan(t, line, options)
		// the same line with longer strings
		checkScan(t, bytes.Replace(line, []byte(`"`), []byte(`"`+strings.Repeat("x", 4*int(more))), 2), options)
	})
}

// The strings of lists are joined, whatever else is in the lists.
func TestStringsOfLists(t *testing.T) {
	const text = "messages[].content"
	for line, want := range map[string]string{
		`{"messages":[{"role":"user","content":"a \u00e9"},{"content":"b"}]}`:                `"a é\nb"`,
		`{"messages":[{"content":""},{"content":null},{"role":"x"},{"content":"c"}]}`:        `"\nc"`,
		`{"messages":[{"content":null}]}`:                                                    "none",
		`{"messages":[]}`:                                                                    "none",
		`{"messages":null}`:                                                                  "none",
		`{"messages":{"content":"x"},"messages[]":{"content":"y"}}`:                          `"y"`,
		`{"messages":[[{"content":"x"}],"y",7,{"content":"z"}],"other":[{"content":"o"}]}`:   `"z"`,
		`{"messages":[{"content":"x"},{"content":["y"]}]}`:                                   `error x:1:41: expected a string in the field "messages[].content", got "[\"y\"]"`,
		`{"messages":[{"content":"x"`:                                                        `error x:1:28: expected the rest of the object (unexpected end of JSON), got ":[{\"content\":\"x\""`,
		`{"messages":[{"content":"x"}`:                                                       `error x:1:29: expected the rest of the object (unexpected end of JSON), got "[{\"content\":\"x\"}"`,
		`{"messages":[{"content":"` + strings.Repeat("long ", 3) + `"}, {"content":"\n"}] }`: `"long long long \n\n"`,
	} {
		if got := textOf(line, text); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", line, got, want)
		}
	}
	for path, want := range map[string]string{
		"a[]": `"x\ny"`, "b[][]": `"1\n2\n3"`, "c[].d[].e": `"e1\ne2\ne3"`, "f.g[]": `"g"`, "a": "error", "a[].x": "none", "f[].g[]": "none", "b[]": "error",
	} {
		got := textOf(`{"a":["x",null,"y"],"b":[["1","2"],[],["3"]],"c":[{"d":[{"e":"e1"},{"e":"e2"}]},{"d":[{"e":"e3"}]}],"f":{"g":["g"]}}`, path)
		if want == "error" {
			got, _, _ = strings.Cut(got, " ")
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

// textOf reads a line after another one, and returns its quoted text, "none" or the error.
func textOf(line, path string) string {
	options := Options{Text: path, MaxLine: defaultMaxLine}
	r := newJSONLines(strings.NewReader(`{"messages":[{"content":"before"},{"content":"it"}]}`+"\n"+line), "x", &options)
	var d Document
	if err := r.next(&d); err != nil && path == "messages[].content" {
		return "first line: " + err.Error()
	}
	if err := r.next(&d); err != nil {
		return "error " + strings.Replace(err.Error(), "x:2:", "x:1:", 1)
	}
	if d.NoText {
		return "none"
	}
	return fmt.Sprintf("%q", d.Text)
}

// A control character is found at every position of a string.
func TestScanFindsControlCharacters(t *testing.T) {
	for size := range 30 {
		text := strings.Repeat("é~\x7f ", size)[:size]
		for at := range size {
			for _, control := range "\x00\t\n\x1f" {
				line := `{"text":"` + text[:at] + string(control) + text[at:] + `"}`
				if checkScan(t, []byte(line), Options{}) {
					t.Errorf("%q is accepted", line)
				}
			}
		}
	}
}
