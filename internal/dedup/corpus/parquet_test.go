package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"simhashkit/internal/columnar"
	"simhashkit/internal/tabular"
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
func written(t *testing.T, c columns, list ...member) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := c.newTable(&buf, Parquet)
	for _, a := range list {
		if err := w.Row(c.row(a)...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(nil); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestWhatIsNotThereIsNull(t *testing.T) {
	one := member{Record: Record{ID: []byte("17"), Number: true, Fingerprint: []uint64{255, 1}, Informative: true}, cluster: 3, duplicateOf: "7"}
	none := member{Record: Record{ID: []byte("-5"), Number: true}, canonical: true}
	types, rows := rowsOf(t, written(t, columns{bits: 100, numbers: true}, one, none))
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
	one.ID, one.Number = []byte("not UTF-8: \xff"), false
	types, rows = rowsOf(t, written(t, columns{bits: 100}, one))
	if types[:9] != "id STRING" || len(rows) != 1 || rows[0] != "map[cluster_id:3 duplicate_of:7 fingerprint:00000000100000000000000ff id:not UTF-8: \uFFFD is_canonical:false]" {
		t.Errorf("text ids: %s %q", types, rows)
	}
}

// The kept record is named by a number if all of them have numbers as ids. The similarity has a
// column if there are similarities.
func TestDuplicates(t *testing.T) {
	number := member{Record: Record{ID: []byte("17"), Number: true}, duplicateOf: tabular.Raw("-8"), similarity: 0.75}
	text := member{Record: Record{ID: []byte("17"), Number: true}, duplicateOf: "old \xff", similarity: 0.75}
	none := member{Record: Record{ID: []byte("-5"), Number: true}, canonical: true}
	for _, c := range []struct {
		columns   columns
		one       member
		want, row string
	}{
		{columns{bits: 64, numbers: true, ofNumbers: true, similarity: true}, number, "duplicate_of INT(64,true) optional=true; similarity FLOAT optional=true; ", "duplicate_of:-8 fingerprint:<nil> id:17 is_canonical:false similarity:0.75]"},
		{columns{bits: 64, numbers: true, similarity: true}, text, "duplicate_of STRING optional=true; similarity FLOAT optional=true; ", "duplicate_of:old \uFFFD fingerprint:<nil> id:17 is_canonical:false similarity:0.75]"},
		{columns{bits: 64, ofNumbers: true}, number, "duplicate_of INT(64,true) optional=true; ", "duplicate_of:-8 fingerprint:<nil> id:17 is_canonical:false]"},
	} {
		types, rows := rowsOf(t, written(t, c.columns, c.one, none))
		if !strings.HasSuffix(types, "is_canonical BOOLEAN optional=false; "+c.want) {
			t.Errorf("columns %q", types)
		}
		second := "duplicate_of:<nil> fingerprint:<nil> id:-5 is_canonical:true]"
		if c.columns.similarity {
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
	a := member{Record: Record{ID: []byte("x"), Fingerprint: []uint64{1}, Informative: true}}
	data := written(t, columns{bits: 64}, make([]member, 2*columnar.RowsOfGroup+1)...)
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(file.RowGroups()) != 3 || file.NumRows() != 2*columnar.RowsOfGroup+1 {
		t.Errorf("%d groups, %d rows, error %v", len(file.RowGroups()), file.NumRows(), err)
	}
	full := errors.New("full")
	c := columns{bits: 64}
	w := c.newTable(writerFunc(func([]byte) (int, error) { return 0, full }), Parquet)
	if err := errors.Join(w.Row(c.row(a)...), w.End(nil)); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	w = columns{bits: 64, numbers: true}.newTable(io.Discard, Parquet)
	a.Number = true
	if err := w.Row(c.row(a)...); err == nil {
		t.Error("a text id in a column of numbers: no error")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
