package documents

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"unicode/utf8"

	"simhashkit/internal/syntax"
)

// fuzzed are the formats in which the records and the bytes between them form the whole file.
var fuzzed = []string{"lines", "jsonl", "csv", "tsv"}

// FuzzRecords reads any bytes as lines, JSON lines, CSV and TSV. It checks that nothing panics,
// that texts and ids are UTF-8, that errors have a position, and that the records and the bytes
// between them, concatenated, are the input, except for records with errors.
func FuzzRecords(f *testing.F) {
	for format := range fuzzed {
		for _, text := range []string{
			"a\n\nb", "{\"text\":\"a\\ud83d\\ude00\",\"id\":1}\r\n\n{\"id\":\"\",\"text\":\"\"}", "\ufeffid,text\r\n1,\"a\"\"\nb\"\n\n2,\n",
			"text\tid\na\tb\n\"", "{\"text\":{\"text\":[1,2.5e3,true,null]}}", "\xff\n", "text,id\na\"b,c\n\"d\"e\n\r\nf,g",
		} {
			f.Add([]byte(text), uint8(format))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		// Compressed streams are fuzzed in package decompress.
		fuzzFormat(t, data, fuzzed[int(format)%len(fuzzed)])
	})
}

func fuzzFormat(t *testing.T, data []byte, format string) {
	bad := 0
	options := Options{Format: format, MaxLine: 1 << 16, OnError: func(err error) {
		bad++
		checkPlace(t, err, data)
	}}
	if format != "lines" {
		options.Text, options.ID = "text", "id"
	}
	var all []byte
	r, err := streamReader(t.Context(), io.NopCloser(bytes.NewReader(data)), "x", withLimit(options), func(between []byte) error {
		all = append(all, between...)
		return nil
	})
	var d Document
	for err == nil {
		if err = r.Read(&d); err == nil {
			all = append(all, d.Record...)
			if !utf8.Valid(d.Text) || !utf8.Valid(d.ID) {
				t.Fatalf("%s: text %q, id %q", format, d.Text, d.ID)
			}
		}
	}
	if err == io.EOF && bad == 0 && !bytes.Equal(all, data) {
		t.Fatalf("%s: records are\n%q, expected\n%q", format, all, data)
	}
	if err != io.EOF && r != nil {
		checkPlace(t, err, data)
	}
}

func withLimit(options Options) Options {
	options, _ = options.complete()
	return options
}

// checkPlace checks that an error of a record has a position within the input.
func checkPlace(t *testing.T, err error, data []byte) {
	var malformed *syntax.Error
	if !errors.As(err, &malformed) {
		t.Fatalf("no syntax error: %v", err)
	}
	if malformed.Line < 1 || malformed.Line > bytes.Count(data, []byte("\n"))+1 || malformed.Column < 1 || malformed.Column > len(data)+1 || malformed.Want == "" {
		t.Fatalf("a place outside of the input, or no word: %v", err)
	}
}
