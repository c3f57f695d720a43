package documents

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
