package indexfile

import (
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/fphash/index"
)

var update = flag.Bool("update", false, "write the forms in testdata that are missing")

// makeForm makes a file of a kind, and returns what it holds.
func makeForm(t *testing.T, name, path string) *model {
	t.Helper()
	if name == "texts-v1" {
		return small(t, path)
	}
	m := newModel()
	e := newEntries(&index.Set{Bits: 64, Definition: definition}, false, 0)
	e.add(ID{Number: 7}, []uint64{0x0123456789abcdef})
	e.add(ID{Number: 9}, []uint64{5})
	if err := Create(path, e, Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	m.insert(e)
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	more := newEntries(&e.Set, false, 0)
	more.add(ID{Number: 8}, []uint64{6})
	if err := w.Insert(more); err != nil {
		t.Fatal(err)
	}
	m.insert(more)
	if _, err := w.Delete(ID{Number: 9}); err != nil {
		t.Fatal(err)
	}
	delete(m.entries, ID{Number: 9})
	return m
}

// Files that were written once are read, written on and compacted by every later version.
func TestFormsOfEveryVersion(t *testing.T) {
	for _, name := range []string{"numbers-v1", "texts-v1"} {
		path := filepath.Join(t.TempDir(), "a.index")
		m := makeForm(t, name, path)
		filed := filepath.Join("testdata", "forms", name+".index")
		data, err := os.ReadFile(filed)
		if err != nil && *update {
			data, _ = os.ReadFile(path)
			err = os.WriteFile(filed, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if same, torn, err := m.agrees(path); err != nil || !same || torn != "" {
			t.Errorf("%s: same %v, torn %q, %v", name, same, torn, err)
		}
		if report, err := Verify(path); err != nil || len(report.Damage) > 0 || report.Saved != len(m.entries) {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
		w, err := OpenWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Compact(); err != nil {
			t.Error(err)
		}
		w.Close()
		if same, torn, err := m.agrees(path); err != nil || !same || torn != "" {
			t.Errorf("%s, compacted: same %v, torn %q, %v", name, same, torn, err)
		}
	}
}

// The dump in FORMAT.md is that of a file, byte by byte, as hexdump -C shows it.
func TestFormatDocument(t *testing.T) {
	document, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "forms", "numbers-v1.index"))
	if err != nil {
		t.Fatal(err)
	}
	var dump strings.Builder
	before, left := "", false
	for line := range strings.Lines(hex.Dump(data)) {
		switch bytes := line[8:]; {
		case bytes != before:
			dump.WriteString(line)
			before, left = bytes, false
		case !left: // a star for all lines that are like the one before
			dump.WriteString("*\n")
			left = true
		}
	}
	fmt.Fprintf(&dump, "%08x\n", len(data))
	if !strings.Contains(string(document), "\n```\n"+dump.String()+"```\n") {
		t.Errorf("FORMAT.md lacks the dump of numbers-v1:\n%s", dump.String())
	}
}

// A file whose entries are more than fingerprints is refused by what its header says.
func TestLongerEntriesAreRefused(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "forms", "numbers-v1.index"))
	if err != nil {
		t.Fatal(err)
	}
	data[36] = 4
	path := filepath.Join(t.TempDir(), "a.index")
	if err := os.WriteFile(path, mended(data), 0o666); err != nil {
		t.Fatal(err)
	}
	_, opened := Open(path)
	_, written := OpenWriter(path)
	_, verified := Verify(path)
	for _, err := range []error{opened, written, verified} {
		if err == nil || !strings.Contains(err.Error(), "4 at byte 36 of its header, expected 0") {
			t.Errorf("error %v", err)
		}
	}
}
