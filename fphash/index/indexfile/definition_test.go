package indexfile

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
)

// TestDefinitions checks that a file refuses queries and inserts with another or an unknown
// definition, with and without a log.
func TestDefinitions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	e := &Entries{Set: index.Set{Bits: 64, Words: []uint64{1, 2}, Definition: definition}}
	if err := Create(context.Background(), path, e, Options{K: 3}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for round := range 2 { // the second round has a log
		for _, asked := range []string{definition, "md5,le64,64,tie=zero,order=grouped", ""} {
			q := index.Query{Words: []uint64{1}, Definition: asked}
			_, one := r.AppendWithin(nil, q, 1)
			_, nearest := r.Nearest(q, 1)
			check := w.Check(&Entries{Set: index.Set{Bits: 64, IDs: []uint64{9}, Words: []uint64{9}, Definition: asked}})
			for how, err := range map[string]error{"one": one, "nearest": nearest, "check": check} {
				if asked == definition && err != nil || asked != definition && !errors.Is(err, fphash.ErrMismatch) {
					t.Errorf("round %d, %s asked for %q: %v", round, how, asked, err)
				}
			}
		}
		more := &Entries{Set: index.Set{Bits: 64, IDs: []uint64{uint64(round + 5)}, Words: []uint64{3}}}
		if err := w.Insert(more); !errors.Is(err, fphash.ErrMismatch) {
			t.Errorf("round %d, of an unknown definition: %v", round, err)
		}
		more.Definition = definition
		if err := w.Insert(more); err != nil {
			t.Error(err)
		}
		if changed, err := r.Refresh(); err != nil || !changed {
			t.Errorf("changed is %v, %v", changed, err)
		}
	}
}

// Create refuses definitions with which a file could not be opened. All others can be opened, and
// also match in their short form.
func TestDefinitionsOfNewFiles(t *testing.T) {
	const features = "words,n=1,lang=auto; weights=count; "
	for written, ok := range map[string]bool{
		definition: true, "xxh64,le64,64": true, features + definition: true, "its own features; " + definition: true,
		"mine": false, "xxh64,le64,128": false, definition + "\n": false, "two\nlines; " + definition: false, features: false,
		strings.Repeat("x", mostHeader) + "; " + definition: false,
	} {
		path := filepath.Join(t.TempDir(), "a.index")
		e := &Entries{Set: index.Set{Bits: 64, Words: []uint64{1, 2}, Definition: written}}
		err := Create(context.Background(), path, e, Options{K: 3})
		if (err == nil) != ok {
			t.Errorf("%.80q: error %v", written, err)
		}
		if err != nil {
			if IsFile(path) {
				t.Errorf("%.80q: the file exists", written)
			}
			continue
		}
		if _, err := Verify(context.Background(), path, ""); err != nil {
			t.Error(err)
		}
		r, err := Open(path)
		if err != nil {
			t.Error(err)
			continue
		}
		short := strings.TrimSuffix(strings.TrimSuffix(written, ",order=grouped"), ",tie=zero")
		if found, err := r.AppendWithin(nil, index.Query{Words: []uint64{1}, Definition: short}, 0); err != nil || len(found) != 1 {
			t.Errorf("%q asked for as %q: %v, %v", written, short, found, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNil checks that nil entries are an error.
func TestNil(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.index")
	if err := Create(context.Background(), path, nil, Options{}); !errors.Is(err, errNoEntries) {
		t.Errorf("created: %v", err)
	}
	if err := Create(context.Background(), path, &Entries{Set: index.Set{Bits: 64}}, Options{}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Insert(nil); !errors.Is(err, errNoEntries) {
		t.Errorf("inserted: %v", err)
	}
	if err := w.Check(nil); !errors.Is(err, errNoEntries) {
		t.Errorf("checked: %v", err)
	}
	if err := w.Close(); err != nil { // not deferred, because a panic above would wait for the lock
		t.Error(err)
	}
}

// A file keeps the description of its features when it is compacted and salvaged.
func TestFeaturesAreKept(t *testing.T) {
	const features = "words,n=3,lang=none; count"
	path := filepath.Join(t.TempDir(), "a.index")
	e := &Entries{Set: index.Set{Bits: 64, Words: []uint64{1, 2}, Definition: definition}}
	if err := Create(context.Background(), path, e, Options{K: 3, Features: features}); err != nil {
		t.Fatal(err)
	}
	w, err := OpenWriter(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Compact(context.Background()), w.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(context.Background(), path, path+"2"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, path + "2"} {
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := r.Info()
		if err := errors.Join(err, r.Close()); err != nil || info.Features != features || info.Definition != definition {
			t.Errorf("features %q and definition %q, expected %q and %q: %v", info.Features, info.Definition, features, definition, err)
		}
	}
}

var update = flag.Bool("update", false, "write the forms in testdata that are missing")

// makeForm makes a file of the given kind, and returns its content.
func makeForm(t *testing.T, name, path string) *model {
	t.Helper()
	if name == "texts-v1" {
		return small(t, path)
	}
	m := newModel()
	e := newEntries(&index.Set{Bits: 64, Definition: definition}, false, 0)
	e.add(ID{Number: 7}, []uint64{0x0123456789abcdef})
	e.add(ID{Number: 9}, []uint64{5})
	if err := Create(context.Background(), path, e, Options{K: 3}); err != nil {
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

// Every later version can read, extend and compact files of this version.
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
		if report, err := Verify(context.Background(), path, ""); err != nil || len(report.Damage) > 0 || report.Saved != len(m.entries) {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
		w, err := OpenWriter(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Compact(context.Background()); err != nil {
			t.Error(err)
		}
		w.Close()
		if same, torn, err := m.agrees(path); err != nil || !same || torn != "" {
			t.Errorf("%s, compacted: same %v, torn %q, %v", name, same, torn, err)
		}
	}
}

// The dump in FORMAT.md equals a file, byte by byte, in the format of hexdump -C.
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
		case !left: // a star for lines that equal the previous one
			dump.WriteString("*\n")
			left = true
		}
	}
	fmt.Fprintf(&dump, "%08x\n", len(data))
	if !strings.Contains(string(document), "\n```text\n"+dump.String()+"```\n") {
		t.Errorf("FORMAT.md lacks the dump of numbers-v1:\n%s", dump.String())
	}
}

// A file whose header says that entries contain more than fingerprints is refused.
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
	_, verified := Verify(context.Background(), path, "")
	for _, err := range []error{opened, written, verified} {
		if err == nil || !strings.Contains(err.Error(), "4 at byte 36 of its header, expected 0") {
			t.Errorf("error %v", err)
		}
	}
}
