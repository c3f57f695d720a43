package compare

import (
	"io"
	"testing"

	"golang.org/x/perf/benchproc"

	"simhashkit/internal/decompress"
	"simhashkit/internal/gobench/samples"
)

// recorded has the runs of one program, indexed by benchmark, run and sample.
type recorded struct {
	names []string
	units []string
	runs  [][][]float64
}

// readRecorded reads a file in the same way as Compare.
func readRecorded(t *testing.T, path string) recorded {
	t.Helper()
	reader, err := decompress.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	o, err := Options{}.WithDefaults()
	if err != nil {
		t.Fatal(err)
	}
	c, err := newBuilder(o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	d, err := samples.NewDocument(text, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.add(d, "old"); err != nil {
		t.Fatal(err)
	}
	var r recorded
	var rows []benchproc.Key
	series := map[benchproc.Key]*series{}
	units := map[benchproc.Key]string{}
	for p, s := range c.series {
		rows = append(rows, p.row)
		series[p.row] = s
		units[p.row] = p.table.Get(c.unit)
	}
	benchproc.SortKeys(rows)
	for _, row := range rows {
		r.names = append(r.names, row.StringValues())
		r.units = append(r.units, units[row])
		r.runs = append(r.runs, series[row].runs)
	}
	return r
}
