package fingerprints

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/columnar"
	"simhashkit/internal/docsketch"
)

func read(data []byte, options Options) (*dedup.Records, error) {
	options.Name = "f"
	records := &dedup.Records{Name: "f"}
	return records, readParquet(context.Background(), bytes.NewReader(data), int64(len(data)), options, adder{records: records, bits: options.Bits})
}

func defined(t testing.TB, text string) fphash.Definition {
	t.Helper()
	d, err := fphash.ParseDefinition(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Writing and reading several row groups preserves the records and the definition.
func TestWriteThenRead(t *testing.T) {
	for _, c := range []struct {
		definition  string
		bits, count int
	}{{"xxh64,le64,64", 64, 3}, {"md5,le64,100,seed=0", 100, 2}, {"xxh64,le64,20", 20, columnar.RowsOfGroup + 2}, {"xxh64,le64,64", 64, 0}} {
		definition := defined(t, c.definition)
		var buf bytes.Buffer
		w := newParquetWriter(&buf, definition)
		for i := range c.count {
			if err := w.Write(docsketch.Record{ID: fmt.Append(nil, "id\xff", i), Fingerprint: words(i, c.bits), Informative: i != 1}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.End(); err != nil {
			t.Fatal(err)
		}
		records, err := read(buf.Bytes(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if records.Len() != c.count || c.count > 0 && (records.Set.Bits != c.bits || records.WithoutFingerprint() != 1) || records.Set.Definition != definition.String() {
			t.Fatalf("%s: %d records of %d bits, %d without a fingerprint, %s", c.definition, records.Len(), records.Set.Bits, records.WithoutFingerprint(), records.Set.Definition)
		}
		stride := (c.bits + 63) / 64
		for i := range c.count {
			at := i // position in the set, which omits the second record
			if i > 0 {
				at--
			}
			if got, want := records.ID(i), fmt.Sprint("id\uFFFD", i); got != want {
				t.Fatalf("id %q, want %q", got, want)
			}
			if got := records.Set.Words[at*stride : (at+1)*stride]; i != 1 && fmt.Sprint(got) != fmt.Sprint(words(i, c.bits)) {
				t.Fatalf("record %d: %x, want %x", i, got, words(i, c.bits))
			}
		}
	}
}

// words returns a generated fingerprint.
func words(i, bits int) []uint64 {
	list := make([]uint64, (bits+63)/64)
	for j := range list {
		list[j] = uint64(i+1) * 0x9e3779b97f4a7c15
	}
	if bits%64 > 0 {
		list[len(list)-1] >>= 64 - bits%64
	}
	return list
}

// Files of other programs need an id and a fingerprint, in any of the usual types.
func TestReadOthers(t *testing.T) {
	type numbers struct {
		More   string  `parquet:"more"`
		ID     int64   `parquet:"id,optional"`
		Number uint64  `parquet:"fingerprint_u64"`
		Real   float64 `parquet:"real,optional"`
	}
	type digits struct {
		Fingerprint *string `parquet:"fingerprint,optional"`
		ID          *string `parquet:"id,optional"`
	}
	type reals struct {
		ID          float64 `parquet:"id"`
		Fingerprint string  `parquet:"fingerprint"`
	}
	a, b, short := "a", "00ff", "0f"
	for want, data := range map[string][]byte{
		"17 18|64": rows(t, numbers{ID: 17, Number: 1 << 63}, numbers{ID: 18, Number: 5}),
		"a a|16":   rows(t, digits{&b, &a}, digits{&b, &a}),
		"f: row 2: fingerprint \"0f\": expected 4 hexadecimal digits, since all have 16 bits": rows(t, digits{&b, &a}, digits{&short, &a}),
		"f: row 1: expected an id":                                            rows(t, digits{&b, nil}),
		"f: row 1: expected a fingerprint in hexadecimal":                     rows(t, digits{nil, &a}),
		"f: row 1: expected an id that is text or a whole number, got DOUBLE": rows(t, reals{1.5, "00"}),
		`f: expected a Parquet file with the columns id and fingerprint, got x`: rows(t, struct {
			X int `parquet:"x"`
		}{1}),
	} {
		got := ""
		records, err := read(data, Options{})
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprintf("%s %s|%d", records.ID(0), records.ID(1), records.Set.Bits)
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func rows[R any](t *testing.T, list ...R) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[R](&buf)
	if _, err := w.Write(list); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Reading a damaged file may succeed or fail, but never panics.
func TestDamaged(t *testing.T) {
	var buf bytes.Buffer
	w := newParquetWriter(&buf, defined(t, "xxh64,le64,64"))
	for i := range 50 {
		if err := w.Write(docsketch.Record{ID: fmt.Append(nil, i), Fingerprint: words(i, 64), Informative: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 5))
	for range 15000 {
		data := bytes.Clone(buf.Bytes())
		switch r.IntN(3) {
		case 0:
			data = data[:r.IntN(len(data))]
		case 1:
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		default:
			data[r.IntN(len(data))] = byte(r.IntN(256))
		}
		records, err := read(data, Options{})
		if err != nil {
			if !strings.HasPrefix(strings.TrimPrefix(err.Error(), "columnar: "), "f: ") {
				t.Fatalf("the error %v does not name the file", err)
			}
			continue
		}
		if records.Len() > 0 && records.Set.Bits > 0 {
			if err := records.Set.Check(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A record with an empty id has its number as the id, even if later records have ids.
func TestEmptyIDs(t *testing.T) {
	var buf bytes.Buffer
	w := newParquetWriter(&buf, defined(t, "xxh64,le64,64"))
	for i, id := range []string{"", "", "x", ""} {
		if err := w.Write(docsketch.Record{ID: []byte(id), Fingerprint: words(i, 64), Informative: true}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	records, err := read(buf.Bytes(), Options{})
	if err != nil || records.Len() != 4 {
		t.Fatal(records, err)
	}
	for i, want := range []string{"1", "2", "x", "4"} {
		if got := records.ID(i); got != want {
			t.Errorf("record %d: id %q, want %q", i, got, want)
		}
	}
}
