package columnar

import (
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/documents"
)

// The method sound must reject rows that do not match the schema.
func TestRowsToWrite(t *testing.T) {
	schema := parquet.SchemaOf(new(struct {
		ID   int64    `parquet:"id"`
		Text string   `parquet:"text,optional"`
		List []string `parquet:"list"`
	}))
	k := &keeper{reader: &reader{rows: rows{file: &file{leaves: leavesOf(schema)}}, options: documents.Options{MaxLine: 3}}}
	id, text := parquet.ValueOf(int64(7)), parquet.ValueOf("abc")
	first, null := id.Level(0, 0, 0), parquet.ValueOf(nil).Level(0, 0, 1)
	item, empty := text.Level(0, 1, 2), parquet.ValueOf(nil).Level(0, 0, 2)
	for name, r := range map[string]struct {
		row  parquet.Row
		good bool
	}{
		"all columns":                 {parquet.Row{first, text.Level(0, 1, 1), item, text.Level(1, 1, 2)}, true},
		"nulls":                       {parquet.Row{first, null, empty}, true},
		"no values":                   {nil, false},
		"the last column missing":     {parquet.Row{first, null}, false},
		"a column missing":            {parquet.Row{first, item}, false},
		"the first column missing":    {parquet.Row{null, empty}, false},
		"another order":               {parquet.Row{null, first, empty}, false},
		"a column too many":           {parquet.Row{first, null, empty, text.Level(0, 1, 3)}, false},
		"a list that begins twice":    {parquet.Row{first, null, item, item}, false},
		"a null with a value's level": {parquet.Row{first, parquet.ValueOf(nil).Level(0, 1, 1), empty}, false},
		"a value with a null's level": {parquet.Row{first, text.Level(0, 0, 1), empty}, false},
		"another type":                {parquet.Row{text.Level(0, 0, 0), null, empty}, false},
		"a long value":                {parquet.Row{first, parquet.ValueOf("abcd").Level(0, 1, 1), empty}, false},
	} {
		if got := k.sound(r.row); got != r.good {
			t.Errorf("%s: %v", name, got)
		}
	}
}
