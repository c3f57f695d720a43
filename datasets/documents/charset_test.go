package documents

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// encoded are lines of text as their bytes in a charset.
var encoded = []struct{ charset, bytes, text string }{
	{"latin1", "caf\xe9", "café"},
	{"windows-1251", "\xef\xf0\xe8\xe2\xe5\xf2", "привет"},
	{"Shift_JIS", "\x93\xfa\x96\x7b\x95\x5c", "日本表"}, // the last byte is a backslash
	{"gbk", "\xd6\xd0\xce\xc4", "中文"},
	{"gb18030", "\x84\x31\xa4\x37", "\ufffd"},
	{"utf-8", "caf\xc3\xa9", "café"},
}

func TestCharset(t *testing.T) {
	for _, c := range encoded {
		options := Options{Charset: c.charset}
		wantDocuments(t, "x", c.bytes+"\r\nb\n", options, "1:="+c.text+"\n2:=b\n")
		wantDocuments(t, "x.tar", tarOf(t, "a", c.bytes, "b.gz", gzipped(t, c.bytes)), options, "1:a="+c.text+"\n1:b.gz="+c.text+"\n")
		root := t.TempDir()
		writeTo(t, filepath.Join(root, "a"), c.bytes)
		r, err := Open(t.Context(), root, options)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(r); err != io.EOF || got != "1:a="+c.text+"\n" {
			t.Errorf("%s in a folder: %q, %v", c.charset, got, err)
		}
		options.ID = "id"
		wantDocuments(t, "x", "{\"text\":\"a\",\"id\":\""+c.bytes+"\"}\n", Options{Charset: c.charset, ID: "id", Format: "jsonl"}, "1:"+c.text+"=a\n")
		wantDocuments(t, "x.csv", "id,text\n\"1\",\""+c.bytes+"\"\n", options, "2:1="+c.text+"\n")
		wantDocuments(t, "x.tsv", "text\tid\n"+c.bytes+"\t1\n", options, "2:1="+c.text+"\n")
		options = Options{Charset: c.charset, Format: "files"}
		wantDocuments(t, "x", gzipped(t, c.bytes), options, "1:x="+c.text+"\n")
	}
}

// The mark tells the byte order, and without a mark the low byte comes first. The format is
// detected in the decoded text.
func TestUTF16(t *testing.T) {
	little, big := []byte("\xff\xfe"), []byte("\xfe\xff")
	for _, c := range "{\"text\":\"é\"}\n" {
		little, big = append(little, byte(c), 0), append(big, 0, byte(c))
	}
	for _, text := range [][]byte{little, big, little[2:]} {
		wantDocuments(t, "x", string(text), Options{Charset: "utf-16"}, "1:=é\n")
	}
	wantDocuments(t, "x", "\ufeffé\n", Options{Charset: "latin1"}, "1:=é\n") // a mark overrides the name
	wantFailure(t, "x", string(little), Options{}, "documents: x: expected documents; it looks like UTF-16 text, which --charset utf-16 reads")
}

// Bytes that a charset does not define are an error of their record.
func TestUndefinedBytes(t *testing.T) {
	options := Options{Charset: "sjis"}
	const after = "text in shift_jis, got "
	wantFailure(t, "x", "a\nbc\xffd\n", options, `x:2:3: expected `+after+`"�d"`)
	wantFailure(t, "x", "a\nbc\x93", options, `x:2:3: expected `+after+`"�"`)
	wantFailure(t, "x.csv", "text\nb\xff\n", options, `x.csv:2:2: expected `+after+`"�"`)
	wantFailure(t, "x.jsonl", "{\"text\":\"\xff\"}\n", options, `x.jsonl:1:10: expected `+after+`"�\"}"`)
	wantFailure(t, "x.tar", tarOf(t, "a", "b\n\xff"), options, `x.tar:a:2:1: expected `+after+`"�"`)
	left := 0
	options.OnError = func(error) { left++ }
	wantDocuments(t, "x", "\x93\xfa\n\xff\nc\n", options, "1:=日\n3:=c\n")
	if left != 1 {
		t.Errorf("%d errors, expected 1", left)
	}
}

// Decoding does not depend on how the stream is cut.
func TestCharsetInPieces(t *testing.T) {
	c, err := charsetOf("shift_jis")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("a\x93\xfa\xff\x96\x7b", 5000)
	want := strings.Repeat("a日�本", 5000)
	for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
		if got, err := io.ReadAll(c.decoded(r)); err != nil || string(got) != want {
			t.Errorf("%d bytes, %v, expected %d bytes", len(got), err, len(want))
		}
	}
}

func TestCharsetsThatWillNotDo(t *testing.T) {
	const want = ": want a name such as latin1, windows-1251, shift_jis, gbk, big5, utf-16"
	for _, name := range []string{"latin-1", "iso-2022-kr", " "} {
		wantFailure(t, "x", "a", Options{Charset: name}, `documents: unknown charset "`+name+`"`+want)
		if _, err := (Options{Charset: name}).Decode(nil); err == nil {
			t.Errorf("Decode accepts %q", name)
		}
	}
	in, options := write(t, "x.txt", "a\n"), Options{Charset: "latin1"}
	out := filepath.Join(t.TempDir(), "out")
	keep := func(int) bool { return true }
	if err := CopyKept(t.Context(), in, out, options, keep); err != errCopyCharset {
		t.Errorf("CopyKept: %v", err)
	}
	if err := CopyKept(t.Context(), in, "", options, nil); err != errCopyCharset {
		t.Errorf("CopyKept without keep: %v", err)
	}
	if err := CopyKept(t.Context(), in, "", Options{Charset: "UTF8"}, nil); err != nil {
		t.Errorf("CopyKept of UTF-8: %v", err)
	}
}
