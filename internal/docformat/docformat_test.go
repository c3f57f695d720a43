package docformat

import "testing"

func TestMostlySource(t *testing.T) {
	for _, test := range []struct {
		files []string
		want  bool
	}{
		{nil, false},
		{[]string{"a/main.go"}, true},
		{[]string{"a.py/notes.txt"}, false},
		{[]string{"main.C.gz", "x/y.h.zst", "README.md"}, true},
		{[]string{"main.go", "README.md"}, false},
		{[]string{"go", ".txt", "a.jsonl"}, false},
	} {
		if got := MostlySource(test.files); got != test.want {
			t.Errorf("%q: %v, expected %v", test.files, got, test.want)
		}
	}
}

// The format follows from the first bytes and the name, in the documented order.
func TestOfStream(t *testing.T) {
	for name, want := range map[string]string{
		"x.csv": CSV, "x.CSV.GZ": CSV, "x.tab": TSV, "x.jsonl.zst": JSONL, "x.json": JSONL, "x.txt": Lines, "x": Lines, "csv": Lines,
	} {
		if got := OfStream(name, []byte("a,b\n")); got != want {
			t.Errorf("%s is detected as %s, expected %s", name, got, want)
		}
	}
	if got := OfStream("x.txt", append(make([]byte, 257), "ustar"...)); got != Tar {
		t.Errorf("an archive is detected as %s", got)
	}
	if got := OfStream("x", []byte("\ufeff\n {")); got != JSONL {
		t.Errorf("JSON is detected as %s", got)
	}
}

func TestHasRecords(t *testing.T) {
	for name, want := range map[string]bool{"a.txt": false, "a": false, "a.md": false, "a.html.gz": false, "a.jsonl": true, "x/a.CSV.gz": true, "a.tar.zst": true, "a.tgz": true} {
		if got := HasRecords(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
