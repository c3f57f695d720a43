package weights

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// written returns the file of a builder.
func written(t testing.TB, b *Builder) string {
	t.Helper()
	var file strings.Builder
	if err := b.Write(&file); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

func TestFrequencies(t *testing.T) {
	b := NewBuilder("fields")
	for _, d := range []string{"a b a", "b", "", "c a"} {
		b.Add(fields(d))
	}
	if b.Documents() != 4 || b.Len() != 3 {
		t.Errorf("%d documents with %d features", b.Documents(), b.Len())
	}
	want := "fphash document frequencies 1\ndefinition\tfields\ndocuments\t4\nfeatures\t3\na\t2\nb\t2\nc\t1\n"
	if diff := cmp.Diff(want, written(t, b)); diff != "" {
		t.Error(diff)
	}
}

// odd has counted unusual features.
func odd() *Builder {
	b := NewBuilder("words,\tn=1\\")
	for _, d := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "x\ty", "x\ty"} {
		b.Add([][]byte{[]byte(d), []byte("all")})
	}
	for _, feature := range []string{"", "\n\r\\", "\xff\x00é", "𠮷野", "\u2028"} {
		b.Add([][]byte{[]byte(feature)})
	}
	return b
}

// Written frequencies are read back unchanged.
func TestReadBack(t *testing.T) {
	text := written(t, odd())
	if !strings.Contains(text, `\xff\x00é`) {
		t.Fatalf("no frequencies to test with:\n%s", text)
	}
	got, err := ReadList(strings.NewReader(text), "t")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(odd().List(), got, cmp.AllowUnexported(List{})); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if got.Definition() != "words,\tn=1\\" || got.Weight([]byte("gone")) <= got.Weight([]byte("x\ty")) {
		t.Errorf("definition %q, idf of an unknown feature %v", got.Definition(), got.Weight([]byte("gone")))
	}
}

func TestDamagedFrequencies(t *testing.T) {
	const head = "fphash document frequencies 1\ndefinition\td\ndocuments\t9\nfeatures\t2\n"
	for text, want := range map[string]string{
		head[:27]:                               `t:1:1: expected a word, a tab and a weight, got "fphash document frequencies"`,
		head[:46]:                               `t:3:1: expected documents and a tab, got "doc"`,
		head[:43]:                               `t:3:1: expected documents, got "the end": is the file truncated?`,
		head + "a\t1\n":                         `t:6:1: expected 2 features, got "1 and the end": is the file truncated?`,
		head + "a\t1\nb\t":                      `t:6:3: expected a number from 1 to 9, got ""`,
		head + "a\t1\nb\t1\nc\t1\n":             `t:7:1: expected the end after 2 features, got "c\t1"`,
		head + "a\t1\na\t1\n":                   `t:6:1: expected each feature once, got "a\t1"`,
		head + "a 1\n":                          `t:5:1: expected a feature, a tab and a number of documents, got "a 1"`,
		head + "a\t0\n":                         `t:5:3: expected a number from 1 to 9, got "0"`,
		head + "a\t10\n":                        `t:5:3: expected a number from 1 to 9, got "10"`,
		head + "a\\y\t1\n":                      `t:5:2: expected \\, \t, \n, \r or \x with two hexadecimal digits, got "\\y"`,
		head + "a\\x4\t1\n":                     `t:5:2: expected \\, \t, \n, \r or \x with two hexadecimal digits, got "\\x4"`,
		head + "a\xff\t1\n":                     `t:5:1: expected UTF-8, got "a\xff\t1"`,
		strings.Replace(head, "9", "-9", 1):     `t:3:11: expected a number from 0 to 9007199254740992, got "-9"`,
		strings.Replace(head, "9", "1e9", 1):    `t:3:11: expected a number from 0 to 9007199254740992, got "1e9"`,
		strings.Replace(head, "\td", "\t\\", 1): `t:2:12: expected \\, \t, \n, \r or \x with two hexadecimal digits, got "\\"`,
		strings.Replace(head, "9", "0", 1) + "a\t1\n": `t:5:3: expected nothing here, since documents is 0, got "1"`,
	} {
		if _, err := ReadList(strings.NewReader(text), "t"); err == nil || err.Error() != "weights: "+want {
			t.Errorf("%q: error\n%v, want\nweights: %s", text, err, want)
		}
	}
}

// FuzzFrequencies checks that any bytes after the line magic give an error or a list with finite
// weights, without a panic.
func FuzzFrequencies(f *testing.F) {
	f.Add(strings.TrimPrefix(written(f, odd()), magic))
	f.Add(strings.TrimPrefix(written(f, counted("a b", "b")), magic))
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ReadList(strings.NewReader(magic+text), "t")
		if err != nil {
			return
		}
		for feature, weight := range l.weights {
			if !(weight >= 1 && weight < maxWeight) {
				t.Fatalf("the idf of %q is %v", feature, weight)
			}
		}
	})
}
