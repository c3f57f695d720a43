package columnar

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"simhashkit/datasets/documents"
)

// readBytes reads a file in memory and returns the number of documents.
func readBytes(t testing.TB, data []byte, onError func(error)) (int, error) {
	t.Helper()
	f, err := newFile(context.Background(), bytes.NewReader(data), int64(len(data)), "x")
	if err != nil {
		return 0, err
	}
	r, err := newReader(context.Background(), f, documents.Options{ID: "id", MaxLine: 1 << 20, OnError: onError})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var d documents.Document
	for n := 0; ; n++ {
		if err := r.Read(&d); err != nil {
			return n, err
		}
		if !utf8.Valid(d.Text) || !utf8.Valid(d.ID) {
			t.Fatalf("text %q, id %q", d.Text, d.ID)
		}
	}
}

// copyBytes copies a file in memory.
func copyBytes(data []byte) error {
	f, err := newFile(context.Background(), bytes.NewReader(data), int64(len(data)), "x")
	if err != nil {
		return err
	}
	r, err := newReader(context.Background(), f, documents.Options{MaxLine: 1 << 20, OnError: func(error) {}})
	if err != nil {
		return err
	}
	defer r.Close()
	k := &keeper{reader: r, keep: func(int) bool { return true }, full: groupBytes}
	return k.copy(io.Discard)
}

// FuzzParquet checks that any input gives documents or an error that names the file, and a copy or
// an error, without a panic.
func FuzzParquet(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.parquet")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := readBytes(t, data, func(error) {}); err != io.EOF && !strings.HasPrefix(err.Error(), "columnar: x: ") {
			t.Fatal(err)
		}
		_ = copyBytes(data)
	})
}

// claim returns a file in which the header of the first text page has wrong sizes.
func claim(t *testing.T, change func(*format.PageHeader)) []byte {
	t.Helper()
	data := parquetOf(t, 1000, texts...)
	f, err := newFile(t.Context(), bytes.NewReader(data), int64(len(data)), "x")
	if err != nil {
		t.Fatal(err)
	}
	at := f.Metadata().RowGroups[0].Columns[1].MetaData.DataPageOffset
	header, size, err := f.pageHeader(at, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	change(header)
	changed, err := thrift.Marshal(&f.protocol, header)
	if err != nil {
		t.Fatal(err)
	}
	if len(changed) > size {
		// The changed header is longer, so it overwrites bytes after it; this does not matter here.
		return append(append(bytes.Clone(data[:at]), changed...), data[at+int64(len(changed)):]...)
	}
	return append(append(bytes.Clone(data[:at]), changed...), data[at+int64(size):]...)
}

// False sizes in metadata must not cause large allocations: for lists of structures, strings and
// bools, for strings and maps, nested in lists and in unknown fields. Structures nested without end
// must be an error.
func TestClaimsOfMetadata(t *testing.T) {
	const huge = "\xff\xff\xff\xff\x07"
	for name, metadata := range map[string]string{
		"row groups": "\x15\x02\x39\xfc" + huge + "\x00", "columns": "\x49\x1c\x19\xfc" + huge, "texts": "\x49\xf8" + huge, "bools": "\x49\xf1" + huge,
		"a text": "\x48" + huge, "a set": "\x4a\xf5" + huge, "a map": "\x4b" + huge + "\x88", "a field of a large number": "\x09\x80\x20\xfc" + huge,
		"structures in structures": strings.Repeat("\x1c", 1000), "lists in lists": strings.Repeat("\x19\x19", 1000), "no end": "\x15\x02", "an unknown type": "\x1f\x00", "nothing": "",
	} {
		data := binary.LittleEndian.AppendUint32([]byte(signature+metadata), uint32(len(metadata)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readBytes(t, append(data, signature...), func(error) {})
		runtime.ReadMemStats(&after)
		if !errors.Is(err, errMetadata) {
			t.Errorf("%s: %v, expected %v", name, err, errMetadata)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%s: %d bytes of memory", name, used)
		}
	}
}

// False sizes in page headers must not cause large allocations.
func TestClaimsOfPages(t *testing.T) {
	const huge = 1<<31 - 1
	for want, change := range map[string]func(*format.PageHeader){
		"a page of 2147483647 bytes where": func(h *format.PageHeader) { h.CompressedPageSize = huge },
		"a page of 2147483647 bytes, ":     func(h *format.PageHeader) { h.UncompressedPageSize = huge },
		"a page of 2147483647 values":      func(h *format.PageHeader) { h.DataPageHeaderV2.V.NumValues = huge },
		"a page of -1 values":              func(h *format.PageHeader) { h.DataPageHeaderV2.V.NumValues = -1 },
	} {
		data := claim(t, change)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readBytes(t, data, func(error) {})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
			t.Errorf("%s: %d bytes of memory", want, used)
		}
	}
	if n, err := readBytes(t, claim(t, func(*format.PageHeader) {}), nil); n != len(texts) || !errors.Is(err, io.EOF) {
		t.Errorf("%d documents, %v", n, err)
	}
}
