package columnar

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/documents"
)

// The value column is formatted as in CSV, with all digits. It does not affect which rows are read.
func TestValues(t *testing.T) {
	type row struct {
		Text     string    `parquet:"text"`
		Signed   int64     `parquet:"signed"`
		Unsigned uint64    `parquet:"unsigned"`
		Small    int8      `parquet:"small"`
		Float    float32   `parquet:"float"`
		Double   float64   `parquet:"double"`
		Price    int64     `parquet:"price,decimal(2:18)"`
		Fixed    [16]byte  `parquet:"fixed,decimal(3:38)"`
		Date     int32     `parquet:"date,date"`
		Milli    time.Time `parquet:"milli,timestamp(millisecond)"`
		Nano     time.Time `parquet:"nano,timestamp(nanosecond)"`
		Maybe    *string   `parquet:"maybe,optional"`
		Flag     bool      `parquet:"flag"`
	}
	written := "not UTF-8: \xff"
	minus := [16]byte(bytes.Repeat([]byte{0xff}, 16))
	at := time.Date(2026, 1, 31, 23, 59, 58, 123456789, time.UTC)
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file)
	if _, err := w.Write([]row{
		{"a", -1 << 63, 1<<64 - 1, -128, 0.1, 0.1, -12345, minus, -1, at, at, nil, true},
		{"b", 1, 2, 3, 4, 1e300, 5, [16]byte{0: 1}, 20484, at, at, &written, true},
	}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := write(t, "values.parquet", file.Bytes())
	for column, want := range map[string][]string{
		"signed":   {"-9223372036854775808", "1"},
		"unsigned": {"18446744073709551615", "2"},
		"small":    {"-128", "3"},
		"float":    {"0.1", "4"},
		"double":   {"0.1", "1e+300"},
		"price":    {"-12345e-2", "5e-2"},
		"fixed":    {"-1e-3", "1329227995784915872903807060280344576e-3"},
		"date":     {"1969-12-31", "2026-01-31"},
		"milli":    {"2026-01-31T23:59:58.123Z", "2026-01-31T23:59:58.123Z"},
		"nano":     {"2026-01-31T23:59:58.123456789Z", "2026-01-31T23:59:58.123456789Z"},
		"maybe":    {"", written},
		"text":     {"a", "b"},
	} {
		r, err := documents.Open(t.Context(), path, documents.Options{Value: column})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		var d documents.Document
		for err = r.Read(&d); err == nil; err = r.Read(&d) {
			got = append(got, string(d.Value))
		}
		if diff := cmp.Diff(want, got); diff != "" || err != io.EOF {
			t.Errorf("%s: error %v, -want +got\n%s", column, err, diff)
		}
		r.Close()
	}
	for column, want := range map[string]string{
		"flag": `expected strings, numbers, dates or times in the column "flag", got BOOLEAN`,
		"none": `expected a column "none"`,
	} {
		if _, err := documents.Open(t.Context(), path, documents.Options{Value: column}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", column, err, want)
		}
	}
}
