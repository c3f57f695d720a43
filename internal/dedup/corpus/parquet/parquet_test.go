package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/columnar"
	"simhashkit/internal/dedup/corpus"
)

// rowsOf returns the columns of a file and its rows as maps of names to values.
func rowsOf(t *testing.T, data []byte) (types string, rows []string) {
	t.Helper()
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range file.Schema().Fields() {
		types += fmt.Sprintf("%s %v optional=%t; ", field.Name(), field.Type(), field.Optional())
	}
	reader := parquet.NewReader(file)
	defer reader.Close()
	for {
		row := map[string]any{}
		if err := reader.Read(&row); err == io.EOF {
			return types, rows
		} else if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprint(row))
	}
}

// written returns a Parquet file with the given attributes.
func written(t *testing.T, columns corpus.Columns, list ...corpus.Attributes) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := newWriter(&buf, columns)
	for _, a := range list {
		if err := w.Write(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestWhatIsNotThereIsNull(t *testing.T) {
	one := corpus.Attributes{Record: corpus.Record{ID: []byte("17"), Number: true, Fingerprint: []uint64{255, 1}, Informative: true}, Cluster: 3, DuplicateOf: []byte("7")}
	none := corpus.Attributes{Record: corpus.Record{ID: []byte("-5"), Number: true}, Canonical: true}
	types, rows := rowsOf(t, written(t, corpus.Columns{Bits: 100, Numbers: true}, one, none))
	if want := "id INT(64,true) optional=false; fingerprint STRING optional=true; cluster_id INT(64,true) optional=true; is_canonical BOOLEAN optional=false; duplicate_of STRING optional=true; "; types != want {
		t.Errorf("columns %q, want %q", types, want)
	}
	want := []string{
		"map[cluster_id:3 duplicate_of:7 fingerprint:00000000100000000000000ff id:17 is_canonical:false]",
		"map[cluster_id:<nil> duplicate_of:<nil> fingerprint:<nil> id:-5 is_canonical:true]",
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	one.ID = []byte("not UTF-8: \xff")
	types, rows = rowsOf(t, written(t, corpus.Columns{Bits: 100}, one))
	if types[:9] != "id STRING" || len(rows) != 1 || rows[0] != "map[cluster_id:3 duplicate_of:7 fingerprint:00000000100000000000000ff id:not UTF-8: \uFFFD is_canonical:false]" {
		t.Errorf("text ids: %s %q", types, rows)
	}
}

// The kept record is named by a number if all of them have numbers as ids. The similarity has a
// column if there are similarities.
func TestDuplicates(t *testing.T) {
	number := corpus.Attributes{Record: corpus.Record{ID: []byte("17"), Number: true}, DuplicateOf: []byte("-8"), OfNumber: true, Similarity: 0.75}
	text := corpus.Attributes{Record: corpus.Record{ID: []byte("17"), Number: true}, DuplicateOf: []byte("old \xff"), Similarity: 0.75}
	none := corpus.Attributes{Record: corpus.Record{ID: []byte("-5"), Number: true}, Canonical: true}
	for _, c := range []struct {
		columns   corpus.Columns
		one       corpus.Attributes
		want, row string
	}{
		{corpus.Columns{Bits: 64, Numbers: true, OfNumbers: true, Similarity: true}, number, "duplicate_of INT(64,true) optional=true; similarity FLOAT optional=true; ", "duplicate_of:-8 fingerprint:<nil> id:17 is_canonical:false similarity:0.75]"},
		{corpus.Columns{Bits: 64, Numbers: true, Similarity: true}, text, "duplicate_of STRING optional=true; similarity FLOAT optional=true; ", "duplicate_of:old \uFFFD fingerprint:<nil> id:17 is_canonical:false similarity:0.75]"},
		{corpus.Columns{Bits: 64, OfNumbers: true}, number, "duplicate_of INT(64,true) optional=true; ", "duplicate_of:-8 fingerprint:<nil> id:17 is_canonical:false]"},
	} {
		types, rows := rowsOf(t, written(t, c.columns, c.one, none))
		if !strings.HasSuffix(types, "is_canonical BOOLEAN optional=false; "+c.want) {
			t.Errorf("columns %q", types)
		}
		second := "duplicate_of:<nil> fingerprint:<nil> id:-5 is_canonical:true]"
		if c.columns.Similarity {
			second = strings.Replace(second, "]", " similarity:<nil>]", 1)
		}
		want := []string{"map[cluster_id:<nil> " + c.row, "map[cluster_id:<nil> " + second}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
}

// Memory is limited to one row group, for any number of rows. A full disk is an error.
func TestRowsAreWrittenInGroups(t *testing.T) {
	a := corpus.Attributes{Record: corpus.Record{ID: []byte("x"), Fingerprint: []uint64{1}, Informative: true}}
	data := written(t, corpus.Columns{Bits: 64}, make([]corpus.Attributes, 2*columnar.RowsOfGroup+1)...)
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(file.RowGroups()) != 3 || file.NumRows() != 2*columnar.RowsOfGroup+1 {
		t.Errorf("%d groups, %d rows, error %v", len(file.RowGroups()), file.NumRows(), err)
	}
	full := errors.New("full")
	w := newWriter(writerFunc(func([]byte) (int, error) { return 0, full }), corpus.Columns{Bits: 64})
	if err := errors.Join(w.Write(a), w.Close()); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	w = newWriter(io.Discard, corpus.Columns{Bits: 64, Numbers: true})
	if err := w.Write(a); err == nil {
		t.Error("a text id in a column of numbers: no error")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
