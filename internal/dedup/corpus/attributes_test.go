package corpus

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
	"simhashkit/internal/tabular"
	"simhashkit/internal/wholefile"
)

func TestAttributes(t *testing.T) {
	in, out := t.TempDir(), filepath.Join(t.TempDir(), "new", "folder")
	write(t, in, lineFiles)
	result := mustFinish(t, runOn(t, in, out))
	want := map[string]string{
		"a.txt.jsonl": `{"id":"one","fingerprint":"00000000000000ff","cluster_id":1,"is_canonical":true,"duplicate_of":null}
{"id":"two","fingerprint":"0000000000ff0000","cluster_id":2,"is_canonical":true,"duplicate_of":null}
{"id":"nothing","fingerprint":null,"cluster_id":null,"is_canonical":true,"duplicate_of":null}
`,
		"b/c.txt.jsonl": `{"id":17,"fingerprint":"00000000000000fe","cluster_id":1,"is_canonical":false,"duplicate_of":"one"}
{"id":"three","fingerprint":"ffff000000000000","cluster_id":null,"is_canonical":true,"duplicate_of":null}
{"id":18446744073709551615,"fingerprint":"0000000000ff0000","cluster_id":2,"is_canonical":false,"duplicate_of":"two"}
`,
		"b/d.txt.jsonl":   `{"id":"q\"uote","fingerprint":"00000000000000fc","cluster_id":1,"is_canonical":false,"duplicate_of":"one"}` + "\n",
		"empty.txt.jsonl": "",
	}
	if diff := cmp.Diff(want, attributes(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var summary strings.Builder
	result.Lists = "LISTS"
	if err := result.Summary(&summary); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"7 documents of the test: 5 are near-duplicates, in 2 groups.", `one, 17, q"uote`, "two, 18446744073709551615", "LISTS"} {
		if !strings.Contains(summary.String(), part) {
			t.Errorf("the summary lacks %q:\n%s", part, &summary)
		}
	}
}

func TestAttributesOfDuplicatesAsCSV(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, out)
	r.Format, r.Duplicates = tabular.CSV, true
	mustFinish(t, r)
	const head = "id,fingerprint,cluster_id,is_canonical,duplicate_of\n"
	want := map[string]string{
		"a.txt.csv":     head + "one,00000000000000ff,1,true,\ntwo,0000000000ff0000,2,true,\n",
		"b/c.txt.csv":   head + "17,00000000000000fe,1,false,one\n18446744073709551615,0000000000ff0000,2,false,two\n",
		"b/d.txt.csv":   head + "\"q\"\"uote\",00000000000000fc,1,false,one\n",
		"empty.txt.csv": head,
	}
	if diff := cmp.Diff(want, attributes(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// The column type of ids is the same for all files of a run.
func TestColumnsOfAllFiles(t *testing.T) {
	for last, want := range map[string]bool{"17": true, "-9223372036854775808": true, "18446744073709551615": false, "1.5": false, "one": false} {
		in := t.TempDir()
		write(t, in, map[string]string{"a.txt": "1 00000000000000ff\n", "b.txt": last + " 00000000000000ff\n"})
		r := runOn(t, in, t.TempDir())
		if got, all := mustFinish(t, r).columns(), (columns{bits: 64, numbers: want, ofNumbers: want}); got != all {
			t.Errorf("with the id %s: %+v, want %+v", last, got, all)
		}
	}
}

// If the fingerprints change after the comparison, the outputs fail, for the first file, one in the
// middle and the last. Otherwise they would describe other records.
func TestStoredFilesThatChange(t *testing.T) {
	for _, name := range []string{"a.txt", "b/c.txt", "b/d.txt"} {
		for _, change := range []func(records []Record) []Record{
			func(records []Record) []Record { return append(records, records[len(records)-1]) },
			func(records []Record) []Record { return records[:len(records)-1] },
		} {
			in, out := t.TempDir(), t.TempDir()
			write(t, in, lineFiles)
			r := runOn(t, in, out)
			result := mustFinish(t, r)
			path := rewriteStored(t, r, name, change)
			err := result.WriteAttributes(t.Context())
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "another process writes here") {
				t.Errorf("%s: error %v", name, err)
			}
		}
	}
}

// rewriteStored changes the stored records of an input, and returns the path of their file.
func rewriteStored(t *testing.T, r *Run, name string, change func([]Record) []Record) (path string) {
	t.Helper()
	i := slices.IndexFunc(r.Inputs, func(in Input) bool { return in.Name == name })
	var records []Record
	var stored *storedFile
	for record, err := range r.read(t.Context(), r.Inputs[i], &stored) {
		if err != nil {
			t.Fatal(err)
		}
		record.ID, record.Fingerprint = slices.Clone(record.ID), slices.Clone(record.Fingerprint)
		records = append(records, record)
	}
	_, rest, _ := bytes.Cut(storedText(t, change(records)...), []byte("\n"))
	line, err := json.Marshal(stored.head)
	if err != nil {
		t.Fatal(err)
	}
	path = r.stored(r.Inputs[i])
	if err := wholefile.WriteBytes(path, slices.Concat(line, []byte("\n"), rest)); err != nil {
		t.Fatal(err)
	}
	return path
}

// If the fingerprints change during the search, the records have no names, and Find fails.
func TestStoredFilesThatChangeInFind(t *testing.T) {
	in := t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, t.TempDir())
	var change sync.Once
	r.Progress = func(p dedup.Progress) {
		if p.Step == "comparing fingerprints" {
			change.Do(func() { rewriteStored(t, r, "a.txt", func([]Record) []Record { return nil }) })
		}
	}
	if _, err := finish(r); err == nil || !strings.Contains(err.Error(), "a.txt: 0 records, expected 3: another process writes here") {
		t.Errorf("error %v", err)
	}
}
