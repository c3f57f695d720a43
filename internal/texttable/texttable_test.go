package texttable

import (
	"strings"
	"testing"
)

func TestPrintable(t *testing.T) {
	if got, want := Printable("a\x1b[2J\tb\n\u0085é"), "a\ufffd[2J\ufffdb\n\ufffdé"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// No text is a formula, ordinary ones stay as they are, and who takes off the apostrophe has the
// text.
func TestCSVText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Hash/hash=xxh64": "Hash/hash=xxh64", "a-b": "a-b", "B/op": "B/op", " =1": " =1", "é": "é",
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1",
		"＝1": "'＝1", "＋1": "'＋1", "－1": "'－1", "＠a": "'＠a", "'=1": "''=1", "'": "''",
	} {
		got := CSVText(text)
		if got != want || strings.TrimPrefix(got, "'") != text {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
