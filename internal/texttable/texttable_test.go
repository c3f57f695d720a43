package texttable

import "testing"

func TestPrintable(t *testing.T) {
	if got, want := Printable("a\x1b[2J\tb\n\u0085é"), "a\ufffd[2J\ufffdb\n\ufffdé"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
