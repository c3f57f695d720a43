package columnar

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"simhashkit/datasets/documents"
)

// Compressed data that claims to unpack to more than its page must not cause large allocations.
func TestClaimsOfPackedBytes(t *testing.T) {
	for _, c := range []struct {
		codec compress.Codec
		head  []byte
	}{
		{&parquet.Snappy, binary.AppendUvarint(nil, 1<<31-1)},
		{&parquet.Zstd, binary.LittleEndian.AppendUint64([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xe0}, 1<<31-1)}, // one segment of 2 GiB
	} {
		data := packedBytes(t, c.codec, 1, packedRows(300, 8))
		f, err := newFile(t.Context(), bytes.NewReader(data), int64(len(data)), "x")
		if err != nil {
			t.Fatal(err)
		}
		at := f.Metadata().RowGroups[0].Columns[1].MetaData.DataPageOffset
		_, size, err := f.pageHeader(at, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		copy(data[at+int64(size):], c.head)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = readBytes(t, data, func(error) {})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "that would unpack to 2147483647") {
			t.Errorf("%v: %v", c.codec, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%v: %d bytes of memory", c.codec, used)
		}
	}
}

// A row group that claims fewer or more rows than its columns have is an error in reading and
// copying, even after the first batch.
func TestClaimsOfRows(t *testing.T) {
	rows := packedRows(3*batchRows+7, 1)
	data := packedBytes(t, &parquet.Uncompressed, 1, rows)
	for _, fewer := range []int64{1, batchRows, -1} {
		path := write(t, "claims.parquet", withMetadata(t, data, func(m *format.FileMetaData) {
			m.NumRows -= fewer
			m.RowGroups[0].NumRows -= fewer
		}))
		options := documents.Options{Text: "text", ID: "id"}
		if got, err := read(t, path, options); err == nil || !strings.HasPrefix(err.Error(), "columnar: "+path+": ") {
			t.Errorf("%d rows fewer: read %d lines, %v", fewer, strings.Count(got, "\n"), err)
		}
		out := filepath.Join(t.TempDir(), "out.parquet")
		if err := documents.CopyKept(t.Context(), path, out, options, odd); err == nil {
			t.Errorf("%d rows fewer: copied", fewer)
		}
	}
}

// withMetadata returns a file with a changed footer.
func withMetadata(t *testing.T, data []byte, change func(*format.FileMetaData)) []byte {
	t.Helper()
	f, err := newFile(t.Context(), bytes.NewReader(data), int64(len(data)), "x")
	if err != nil {
		t.Fatal(err)
	}
	metadata := f.Metadata()
	change(metadata)
	footer, err := thrift.Marshal(&f.protocol, metadata)
	if err != nil {
		t.Fatal(err)
	}
	length := int(binary.LittleEndian.Uint32(data[len(data)-footerSize:]))
	changed := append(bytes.Clone(data[:len(data)-footerSize-length]), footer...)
	return append(binary.LittleEndian.AppendUint32(changed, uint32(len(footer))), signature...)
}

// A decimal column cannot be the text, even if it is stored as byte arrays.
func TestDecimalsAreNoTexts(t *testing.T) {
	var buf bytes.Buffer
	schema := parquet.NewSchema("x", parquet.Group{"text": parquet.Decimal(2, 12, parquet.ByteArrayType)})
	w := parquet.NewWriter(&buf, schema)
	if _, err := w.WriteRows([]parquet.Row{{parquet.ByteArrayValue([]byte("12")).Level(0, 0, 0)}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := write(t, "decimal.parquet", buf.Bytes())
	wantFailure(t, path, documents.Options{Text: "text"}, "columnar: "+path+`: expected strings in the column "text", got DECIMAL`)
}

// False lengths of strings in the schema and false sizes of dictionaries must not cause large
// allocations.
func TestClaimsOfLengths(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "pyarrow_types.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	long := withMetadata(t, data, func(m *format.FileMetaData) {
		for i := range m.Schema {
			if m.Schema[i].Name == "fixed" {
				m.Schema[i].TypeLength.V = 1<<31 - 1
			}
		}
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = copyBytes(long)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "values of 2147483647") {
		t.Errorf("%v", err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 32<<20 {
		t.Errorf("%d bytes of memory", used)
	}
	dictionary := &format.PageHeader{Type: format.DictionaryPage, UncompressedPageSize: 80}
	for _, values := range []int32{10, 11} {
		dictionary.DictionaryPageHeader.V.NumValues = values
		if err := checkSizes(parquet.Int64Type, dictionary); (err == nil) != (values == 10) {
			t.Errorf("%d values in 80 bytes: %v", values, err)
		}
	}
}
