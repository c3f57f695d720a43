package documents

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"simhashkit/internal/syntax"
)

func TestLines(t *testing.T) {
	wantDocuments(t, "x", "", Options{}, "")
	wantDocuments(t, "x", "", Options{Text: "body", ID: "id"}, "") // such as empty grep output
	wantDocuments(t, "x", "a b\n\nc", Options{}, "1:=a b\n2:=\n3:=c\n")
	wantDocuments(t, "x", "\ufeffa\r\nb\r\n", Options{}, "1:=a\n2:=b\n")
	wantDocuments(t, "x", "a\x00b\n\ufeffc\n", Options{}, "1:=a\x00b\n2:=\ufeffc\n")
	wantDocuments(t, "x", "a\rb\n", Options{}, "1:=a\rb\n")
	wantFailure(t, "x", "a\nbc\xffd\n", Options{}, `x:2:3: expected UTF-8 text (--charset latin1 reads other encodings), got "\xffd"`)
	wantFailure(t, "x", "\ufeffbc\xff\n", Options{}, `x:1:6: expected UTF-8 text (--charset latin1 reads other encodings), got "\xff"`)
	wantFailure(t, "x", "a\nbcdef\n", Options{MaxLine: 4}, `x:2:1: expected a line of at most 4 bytes, got "bcdef"`)
	wantFailure(t, "x", "a\n", Options{Text: "body"}, `documents: x: expected the field "body", got lines of text; name no field, or give files of one kind`)
	wantFailure(t, "x", "\xff\xfea\x00", Options{}, `documents: x: expected documents; it looks like UTF-16 text, which --charset utf-16 reads`)
}

func TestJSONLines(t *testing.T) {
	id := Options{ID: "id"}
	for text, want := range map[string]string{
		`{"text": "a"}`: "1:=a\n",
		"\ufeff{\"text\":\"a\"}\r\n\n \t\r\n{\"text\":\"\"}\n": "1:=a\n4:=\n",
		`{"text":"\u00e9\n\ud83d\ude00\u0000\/ é"}`:            "1:=é\n😀\x00/ é\n",
		`{"a":{"text":"no"},"text":"yes","b":["text"]}`:        "1:=yes\n",
		`{"te\u0078t":"a"}`:        "1:=a\n",
		`{"a":1,"a":2,"text":"x"}`: "1:=x\n",
	} {
		wantDocuments(t, "x.jsonl", text, Options{}, want)
	}
	wantDocuments(t, "x", `{"id":18446744073709551615,"text":"a"}`+"\n"+`{"text":"b","id":"x\ty"}`+"\n"+`{"text":"c","id":-1.50e3}`, id,
		"1:18446744073709551615=a\n2:x\ty=b\n3:-1.50e3=c\n")
	nested := Options{Text: "content.body", ID: "meta.id"}
	wantDocuments(t, "x", `{"meta":{"a":[{"id":0}],"id":7},"content":{"body":"t"}}`, nested, "1:7=t\n")
	wantDocuments(t, "x", `{"meta.id":"flat","content":{"body":"t"}}`, nested, "1:flat=t\n")
	wantDocuments(t, "x", `{"a":{"b.c":{"d":"deep"}}}`, Options{Text: "a.b.c.d"}, "1:=deep\n")
	wantDocuments(t, "x", `{"text":"both"}`, Options{ID: "text"}, "1:both=both\n")
}

// A record without a text has an empty one, and a record without an id is named by its number.
func TestMissingTextsAndIDs(t *testing.T) {
	const records = `{"text":"a","id":"x"}
{"id":-1}
{"text":null,"id":1.5e3}
{"text":"b","id":null}
{"text":"c"}

{"text":"","id":""}
`
	for name, text := range map[string]string{"scanned": records, "decoded": strings.ReplaceAll(records, `"id"`, `"i\u0064"`)} {
		r, err := NewReader(t.Context(), strings.NewReader(text), "x.jsonl", Options{ID: "id"})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var d Document
		for err = r.Read(&d); err == nil; err = r.Read(&d) {
			got = append(got, fmt.Sprintf("%s %t %t %q %t", d.ID, d.NumericID, d.MadeUp, d.Text, d.NoText))
		}
		want := []string{`x false false "a" false`, `-1 true false "" true`, `1.5e3 true false "" true`, `#4 false true "b" false`, `#5 false true "c" false`, `#6 false true "" false`}
		if err != io.EOF || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	first, second := write(t, "1.jsonl", records), write(t, "2.csv", "text,id\na,\n")
	r, err := OpenAll(t.Context(), []string{first, second}, Options{ID: "id"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var d Document
	for err = r.Read(&d); err == nil; err = r.Read(&d) {
	}
	if err != io.EOF || string(d.ID) != "#7" || !d.MadeUp {
		t.Errorf("the last id is %q, %v, want #7", d.ID, err)
	}
}

// An id that is not requested is noticed, and does not change what is read.
func TestOtherIDs(t *testing.T) {
	const records = `{"text":"a"}
{"id":"x","text":"b"}
{"text":"c","id":7}
{"text":"d","id":null}
{"text":"e","id":""}
{"text":"f","id":{"id":{}},"id":["g"]}
`
	for _, text := range []string{records, strings.ReplaceAll(records, `"id"`, `"i\u0064"`)} {
		for options, want := range map[string][]bool{
			"":      {false, true, true, false, false, false},
			"id":    {false, false, false, false, false},
			"other": {false, false, false, false, false, false},
		} {
			r, err := NewReader(t.Context(), strings.NewReader(text), "x.jsonl", Options{ID: options})
			if err != nil {
				t.Fatal(err)
			}
			var got []bool
			var d Document
			for err = r.Read(&d); err == nil; err = r.Read(&d) {
				if got = append(got, d.OtherID); options == "" && (len(d.ID) > 0 || d.NumericID || len(d.Text) != 1) {
					t.Errorf("%+v", d)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("ID %q: %v, %v, want %v", options, got, err, want)
			}
		}
	}
	wantDocuments(t, "x.jsonl", `{"id":"own"}`, Options{Text: "id"}, "1:=own\n")
	wantDocuments(t, "x.jsonl", `{"id":{"a":"deep"}}`, Options{Text: "id.a"}, "1:=deep\n")
}

func TestJSONLinesErrors(t *testing.T) {
	id := Options{ID: "id"}
	for _, c := range []struct {
		text    string
		options Options
		want    string
	}{
		{`{"text":3}`, Options{}, `1:9: expected a string in the field "text", got "3"`},
		{`{"text":{"text":"a"}}`, Options{}, `1:9: expected a string in the field "text", got "{\"text\":\"a\"}"`},
		{`{"text":null,"text":"b"}`, Options{}, `1:1: expected the field "text" once, got "{\"text\":null,\"text\":\"b\"}"`},
		{`{"text":"a","text":"b"}`, Options{}, `1:1: expected the field "text" once, got "{\"text\":\"a\",\"text\":\"b\"}"`},
		{`{"text":"a","id":true}`, id, `1:18: expected a string or a number in the field "id", got "true"`},
		{`{"text":"a"`, Options{}, `1:12: expected the rest of the object (unexpected end of JSON), got "{\"text\":\"a\""`},
		{`{"text":"a"} x`, Options{}, `1:14: expected JSON, got "x"`},
		{`{"text":"a"}{"text":"b"}`, Options{}, `1:13: expected one JSON object per line, got "{\"text\":\"b\"}"`},
		{`{"text":"a","b":` + strings.Repeat("[", 10000) + strings.Repeat("]", 10000) + "}", Options{}, `1:10016: expected JSON nested no deeper than 10,000 objects and arrays, got "[]]]]]]]]]]]]]]]"`},
		{`{"b":` + strings.Repeat(`{"c":`, 10000) + "1" + strings.Repeat("}", 10000) + `,"text":"a"}`, Options{}, `1:50001: expected JSON nested no deeper than 10,000 objects and arrays, got "{\"c\":1}}}}}}}}}}"`},
		{`{"text":"a","b":01}`, Options{}, `1:18: expected JSON, got "1}"`},
		{"{\"text\":\"a\nb\"}", Options{}, `1:11: expected the rest of the object (unexpected end of JSON), got "{\"text\":\"a"`},
		{"{\"text\":\"a\tb\"}", Options{}, `1:11: expected JSON, got "\tb\"}"`},
		{"{\"text\":\"a\x00b\"}", Options{}, `1:11: expected JSON, got "\x00b\"}"`},
		{"{\"text\":\"a\",\"b\":\"\xff\"}", Options{}, `1:18: expected UTF-8 text (--charset latin1 reads other encodings), got "\xff\"}"`},
		{`{"text":"a\ud800b"}`, Options{}, `1:11: expected a complete character, got "\\ud800b\"}"`},
		{`{"text":"\udc00"}`, Options{}, `1:10: expected a complete character, got "\\udc00\"}"`},
		{`{"text":"a","b":"\ud800\u0041"}`, Options{}, `1:18: expected a complete character, got "\\ud800\\u0041\"}"`},
		{`["a"]`, Options{}, `1:1: expected one JSON object per line, got "[\"a\"]"; it looks like a JSON array, which jq -c '.[]' converts`},
		{"a,b", Options{}, `1:1: expected one JSON object per line, got "a,b"; it looks like comma-separated values`},
		{strings.Repeat("[", 200_000), Options{}, `1:1: expected one JSON object per line, got "` + strings.Repeat("[", 37) + `..."; it looks like a JSON array, which jq -c '.[]' converts`},
	} {
		wantFailure(t, "x", c.text, Options{Format: "jsonl", Text: c.options.Text, ID: c.options.ID}, "x:"+c.want)
	}
}

func TestCSV(t *testing.T) {
	id := Options{ID: "id"}
	wantDocuments(t, "x.csv", "", id, "")
	wantDocuments(t, "x.csv", "id,text\n", id, "")
	wantDocuments(t, "x.csv", "\ufeffid,text\r\n7,\"a \"\"b\"\",\nc\"\r\n\r\n8,\n", id, "2:7=a \"b\",\nc\n5:8=\n")
	wantDocuments(t, "x.tsv", "text\tid\na, b\t1\n", id, "2:1=a, b\n")
	wantDocuments(t, "x.tsv.gz", "a\tb\nc\td\n", Options{Text: "#2", ID: "#1"}, "1:a=b\n2:c=d\n")
	wantDocuments(t, "x.csv", "text\na\x00b\n\"\"\n", Options{}, "2:=a\x00b\n3:=\n")
	wantDocuments(t, "x.csv", "a.b,text\n1,2\n", Options{ID: "a.b"}, "2:1=2\n")
	for text, want := range map[string]string{
		"a,b\n":                     `x.csv:1:1: expected a column "text" in the header, or --text with one of a, b (#1 is the first column of a file without a header), got "a,b"`,
		"\na\tb\n":                  `x.csv:2:1: expected a column "text" in the header (#1 is the first column of a file without a header), got "a\tb"; it looks like tab-separated values`,
		"{\"text\":1}\n":            `x.csv:1:2: expected quotes only around a whole field, and doubled within it, got "{\"text\":1}\n"`,
		"text,text,id\n":            `x.csv:1:1: expected one column "text" in the header, got "text,text,id"`,
		"id,text\n1,a\n2\n":         `x.csv:3:1: expected as many values as there are columns, 2, got "2"`,
		"id,text\n1,a\n2,b\xff\n":   `x.csv:3:4: expected UTF-8 text (--charset latin1 reads other encodings), got "\xff"`,
		"id,text\n\xff,a\n":         `x.csv:2:1: expected UTF-8 text (--charset latin1 reads other encodings), got "\xff"`,
		"id,text\n1,\"a\nb\xff\"\n": `x.csv:3:2: expected UTF-8 text (--charset latin1 reads other encodings), got "\xff"`,
		"id,text\n1,a\"b\n":         `x.csv:2:4: expected quotes only around a whole field, and doubled within it, got "1,a\"b\n"`,
		"id,text\n1,\"a\n2,b\n":     `x.csv:2:3: expected a closing quote (unterminated quoted field, which takes in 2 lines to the end of the file), got "\"a\n2,b\n"`,
	} {
		wantFailure(t, "x.csv", text, id, want)
	}
	wantFailure(t, "x.csv", "text,b\n", id, `x.csv:1:1: expected a column "id" in the header, or --id with one of text, b (#1 is the first column of a file without a header), got "text,b"`)
	wantFailure(t, "x.csv", "text,b\n", Options{Value: "c"}, `x.csv:1:1: expected a column "c" in the header, which has text, b (#1 is the first column of a file without a header), got "text,b"`)
	wantFailure(t, "x.csv", "a"+strings.Repeat(",", 30)+"\n", Options{}, `x.csv:1:1: expected a column "text" in the header, or --text with one of a`+strings.Repeat(", ", 19)+`, and 11 more (#1 is the first column of a file without a header), got "a,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,"`)
	wantFailure(t, "x.csv", "a\n", Options{Text: "#2"}, `x.csv:1:1: expected a column 2, got "a"`)
	wantFailure(t, "x.csv", "a\n", Options{Text: "#1", ID: "id"}, `documents: x.csv: expected numbers or names for the columns of text and id, got "#1" and "id"`)
}

// With OnError, bad records are skipped, each with its error, and all others are read.
func TestBadRecordsAreLeftOut(t *testing.T) {
	for name, c := range map[string]struct {
		text, want, errors string
		max                int
	}{
		"x.txt":   {"a\n\xff\nlonger than ten\nb\n", "1:=a\n4:=b\n", "x.txt:2:1|x.txt:3:1", 10},
		"x.jsonl": {"{}\n{\"text\":\"a\"}\n{\"text\":\"\\ud800\"}\nnull\n{\"text\":\"b\"}\n{", "1:=\n2:=a\n5:=b\n", "x.jsonl:3:10|x.jsonl:4:1|x.jsonl:6:2", 0},
		"x.csv":   {"text,b\na,1\nb\nc\"d,1\n\"e\nf\"g,\nh,2\n\"i\n", "2:=a\n7:=h\n", "x.csv:3:1|x.csv:4:2|x.csv:6:2|x.csv:8:4", 0},
	} {
		var places []string
		options := Options{MaxLine: c.max, OnError: func(err error) {
			var malformed *syntax.Error
			if !errors.As(err, &malformed) {
				t.Fatalf("%v is no syntax error", err)
			}
			places = append(places, strings.Split(malformed.Error(), ": ")[0])
		}}
		wantDocuments(t, name, c.text, options, c.want)
		if got := strings.Join(places, "|"); got != c.errors {
			t.Errorf("%s: errors at %s, expected %s", name, got, c.errors)
		}
	}
}

// A CSV record without an end is rejected before it takes the memory of the rest of the file.
// OnError does not change this, since the start of the next record is unknown.
func TestOpenQuoteIsBounded(t *testing.T) {
	read := 0
	r := io.MultiReader(strings.NewReader("text\na\n\"b\n"), &endless{line: "c\n", read: &read})
	left := 0
	documents, err := NewReader(t.Context(), r, "x.csv", Options{MaxLine: 1 << 20, OnError: func(error) { left++ }})
	if err != nil {
		t.Fatal(err)
	}
	var d Document
	for err == nil {
		err = documents.Read(&d)
	}
	if want := `x.csv:3:1: expected a record of at most 1048576 bytes: is this quote left open?, got "\"b\nc`; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error    %v\nexpected %s", err, want)
	}
	if left != 0 || read > 2<<20 {
		t.Errorf("%d errors passed over, %d bytes read", left, read)
	}
}

// An unclosed quote ends the reading, even with OnError, so that the rest of the file is not
// skipped as one record. If another quote follows, the error names the lines of the record.
func TestOpenQuoteLosesNothingSilently(t *testing.T) {
	good := strings.Repeat("good,1\n", 1000)
	for _, c := range []struct{ text, errors, end string }{
		{
			"text,b\na,1\n\"two\nlines\",\"open\n" + good, "",
			`x.csv:4:8: expected a closing quote (unterminated quoted field, which takes in 1001 lines to the end of the file), got "\"open\n`,
		},
		{
			"text,b\n\"a \"\"b\"\"\n" + good, "",
			`x.csv:2:1: expected a closing quote (unterminated quoted field, which takes in 1001 lines to the end of the file), got "\"a \"\"b`,
		},
		{
			"text,b\na,\"open\n" + good + "b,\"2\"\nc,3\n",
			`x.csv:1003:3: expected a separator after the closing quote of the field that begins in line 2 (lines 2 to 1003 are one record), got "a,`, "EOF",
		},
	} {
		errors := ""
		documents, err := NewReader(t.Context(), strings.NewReader(c.text), "x.csv", Options{OnError: func(err error) { errors += err.Error() }})
		var d Document
		for err == nil {
			err = documents.Read(&d)
		}
		if !strings.HasPrefix(errors, c.errors) || (errors == "") != (c.errors == "") || !strings.HasPrefix(err.Error(), c.end) {
			t.Errorf("error    %v and %v\nexpected %s and %s", errors, err, c.errors, c.end)
		}
	}
}

// By default, a reader rejects a CSV record of more than 32 MiB.
func TestLongestRecordOfCSV(t *testing.T) {
	read := 0
	documents, err := NewReader(t.Context(), io.MultiReader(strings.NewReader("text\n\"b\n"), &endless{line: "c\n", read: &read}), "x.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var d Document
	if err := documents.Read(&d); err == nil || read > defaultMaxQuoted+1<<20 {
		t.Errorf("%d bytes read, error %v", read, err)
	}
}

type endless struct {
	line string
	read *int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n+len(e.line) <= len(p) {
		n += copy(p[n:], e.line)
	}
	*e.read += n
	return n, nil
}

// A truncated or broken stream gives an error with the last line read, not an end, plain or
// compressed.
func TestDamagedStreams(t *testing.T) {
	text := strings.Repeat("{\"text\":\"some text\"}\n", 1000)
	for name, packed := range map[string]string{"gzip": gzipped(t, text), "zstd": zstded(t, text)} {
		for _, cut := range []int{3, 10, len(packed) / 2, len(packed) - 1} {
			_, err := readText(t, "x.jsonl", packed[:cut], Options{OnError: func(err error) { t.Error(err) }})
			if err == io.EOF || !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "documents: x.jsonl: ") {
				t.Errorf("%s cut to %d bytes: %v", name, cut, err)
			}
		}
	}
	broken := errors.New("broken")
	for name, text := range map[string]string{"x.txt": "a\nb", "x.jsonl": "{\"text\":\"a\"}\n{", "x.csv": "text\na\nb"} {
		r, err := NewReader(t.Context(), io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := read(r); !errors.Is(err, broken) || !strings.Contains(err.Error(), "documents: "+name+": after line ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Records are numbered by their position in the file. Numeric ids are marked as such.
func TestNumbersOfRecords(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a.jsonl": {`{"text": "a", "id": 5}` + "\n\n" + `{"text": 7, "id": 6}` + "\n" + `{"text": "c", "id": "7"}` + "\n", "1 5 true\n3 7 false\n"},
		"a.csv":   {"id,text\n5,a\n\xff,b\n\"6\n\",c\n", "1 5 false\n3 6\n false\n"},
	} {
		r, err := NewReader(t.Context(), strings.NewReader(c.text), name, Options{ID: "id", OnError: func(error) {}})
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		var d Document
		for err = r.Read(&d); err == nil; err = r.Read(&d) {
			fmt.Fprintf(&got, "%d %s %v\n", d.Number, d.ID, d.NumericID)
		}
		if err != io.EOF || got.String() != c.want {
			t.Errorf("%s: %q, error %v; want %q", name, got.String(), err, c.want)
		}
	}
}
