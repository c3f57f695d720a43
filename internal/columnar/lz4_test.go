package columnar

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"simhashkit/datasets/documents"
)

// packedRows returns rows whose texts compress well if repeated is large. Each row has another
// column, too.
func packedRows(n, repeated int) []packedRow {
	r := rand.New(rand.NewPCG(uint64(n), uint64(repeated)))
	rows := make([]packedRow, n)
	for i := range rows {
		rows[i] = packedRow{ID: int64(i), Text: strings.Repeat(fmt.Sprintf("%x ", r.Uint64()), repeated), Other: r.Float64()}
	}
	return rows
}

type packedRow struct {
	ID    int64   `parquet:"id"`
	Text  string  `parquet:"text"`
	Other float64 `parquet:"other"`
}

func packedWith(t *testing.T, codec compress.Codec, version int, rows []packedRow) string {
	t.Helper()
	return write(t, "packed.parquet", packedBytes(t, codec, version, rows))
}

// packedBytes returns a file with two row groups.
func packedBytes(t *testing.T, codec compress.Codec, version int, rows []packedRow) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := parquet.NewGenericWriter[packedRow](&buf, parquet.Compression(codec), parquet.DataPageVersion(version),
		parquet.MaxRowsPerRowGroup(int64(len(rows)/2+1)), parquet.PageBufferSize(4<<10))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// With every codec, pages are read back as written, at compression ratios from nearly 1 to 100, or
// rejected with the codec's name. No value may be read wrongly.
func TestEveryCodecIsReadOrRefused(t *testing.T) {
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd, &parquet.Brotli, &parquet.Lz4Raw}
	refused := 0
	for _, codec := range codecs {
		for version := 1; version <= 2; version++ {
			for _, repeated := range []int{1, 2, 5, 12, 120} {
				for _, n := range []int{20, 800, 2500} {
					rows := packedRows(n, repeated)
					path := packedWith(t, codec, version, rows)
					var want strings.Builder
					for i, r := range rows {
						fmt.Fprintf(&want, "%d:%d=%s\n", i+1, r.ID, r.Text)
					}
					name := fmt.Sprintf("%v, version %d, %d times, %d rows", codec, version, repeated, n)
					got, err := read(t, path, documents.Options{Text: "text", ID: "id"})
					if !errors.Is(err, errLZ4) && (err != io.EOF || got != want.String()) {
						t.Errorf("%s: %v, %d bytes read of %d", name, err, len(got), want.Len())
					}
					out := filepath.Join(t.TempDir(), "out.parquet")
					copyErr := documents.CopyKept(t.Context(), path, out, documents.Options{Text: "text", ID: "id"}, odd)
					if errors.Is(copyErr, errLZ4) && codec.String() == "LZ4_RAW" {
						refused++
						continue // even if only the other column is unreadable
					}
					if copyErr != nil {
						t.Errorf("%s: copied: %v", name, copyErr)
						continue
					}
					copied, err := parquet.ReadFile[packedRow](out)
					if err != nil || len(copied) != n/2 {
						t.Errorf("%s: %d rows copied, %v", name, len(copied), err)
						continue
					}
					for i, r := range copied {
						if r != rows[2*i+1] {
							t.Errorf("%s: row %d is copied as %+v", name, 2*i+1, r)
							break
						}
					}
				}
			}
		}
	}
	if refused == 0 {
		t.Error("no file packed with LZ4 is refused: the library seems to read them now")
	}
	path := filepath.Join("testdata", "lz4", "pyarrow.parquet")
	wantFailure(t, path, documents.Options{Text: "text"}, "columnar: "+path+": pages packed with LZ4 would be read wrongly: write the file with zstd, snappy")
}
