package weights

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// written returns the file of a table.
func written(t testing.TB, table *Table) string {
	t.Helper()
	var b strings.Builder
	if err := table.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTableCounts(t *testing.T) {
	b := NewBuilder("fields")
	for _, d := range []string{"a b a", "b", "", "c a"} {
		b.Add(fields(d))
	}
	if b.documents != 4 {
		t.Errorf("%d documents", b.documents)
	}
	table := b.Table()
	if b.documents != 0 || b.Table().Len() != 0 {
		t.Error("the builder is not empty")
	}
	want := "fphash document frequencies 1\ndefinition\tfields\ndocuments\t4\nfeatures\t3\na\t2\nb\t2\nc\t1\n"
	if diff := cmp.Diff(want, written(t, table)); diff != "" {
		t.Error(diff)
	}
}

// odd is a table with unusual features.
func odd() *Table {
	b := NewBuilder("words,\tn=1\\")
	for _, d := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "x\ty", "x\ty"} {
		b.Add([][]byte{[]byte(d), []byte("all")})
	}
	for _, feature := range []string{"", "\n\r\\", "\xff\x00é", "𠮷野", "\u2028"} {
		b.Add([][]byte{[]byte(feature)})
	}
	return b.Table()
}

// A written table is read back unchanged.
func TestReadBack(t *testing.T) {
	table := odd()
	text := written(t, table)
	if !strings.Contains(text, `\xff\x00é`) {
		t.Fatalf("not a table to test with:\n%s", text)
	}
	again, err := Read(strings.NewReader(text), "t")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, written(t, again)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, feature := range []string{"x\ty", "\xff\x00é", "gone"} {
		if again.IDF([]byte(feature)) != table.IDF([]byte(feature)) {
			t.Errorf("another idf of %q", feature)
		}
	}
	if err := again.Check("words,\tn=1\\"); err != nil {
		t.Error(err)
	}
}

func TestDamagedTables(t *testing.T) {
	const head = "fphash document frequencies 1\ndefinition\td\ndocuments\t9\nfeatures\t2\n"
	for text, want := range map[string]string{
		"":                                      `t:1:1: expected "fphash document frequencies 1", got "the end": is the file truncated?`,
		"a\t1\n":                                `t:1:1: expected "fphash document frequencies 1", got "a\t1"`,
		head[:46]:                               `t:3:1: expected documents and a tab, got "doc"`,
		head[:43]:                               `t:3:1: expected documents, got "the end": is the file truncated?`,
		head + "a\t1\n":                         `t:6:1: expected 2 features, got "1 and the end": is the file truncated?`,
		head + "a\t1\nb\t":                      `t:6:3: expected a number from 1 to 9, got ""`,
		head + "a\t1\nb\t1\nc\t1\n":             `t:7:1: expected the end after 2 features, got "c\t1"`,
		head + "a\t1\na\t1\n":                   `t:6:1: expected features in ascending order of their bytes, got "a\t1"`,
		head + "b\t1\na\t1\n":                   `t:6:1: expected features in ascending order of their bytes, got "a\t1"`,
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
		if _, err := Read(strings.NewReader(text), "t"); err == nil || err.Error() != "weights: "+want {
			t.Errorf("%q: error\n%v, want\nweights: %s", text, err, want)
		}
	}
}

// FuzzTable checks that any bytes give an error or a table that survives writing and reading,
// without a panic.
func FuzzTable(f *testing.F) {
	f.Add([]byte(written(f, odd())))
	f.Add([]byte(written(f, table("a b", "b"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Read(strings.NewReader(string(data)), "t")
		if err != nil {
			return
		}
		text := written(t, table)
		again, err := Read(strings.NewReader(text), "t")
		if err != nil {
			t.Fatal(err)
		}
		if got := written(t, again); got != text {
			t.Fatalf("%q, want %q", got, text)
		}
	})
}
