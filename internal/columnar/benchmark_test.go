package columnar

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/documents"
)

// BenchmarkRead reads texts of about 1 kB from Parquet as documents, and compares this with the
// library reading the same two columns into a struct.
func BenchmarkRead(b *testing.B) {
	words := strings.Fields("the quick brown fox jumps over the lazy dog and then some more words")
	texts := make([]string, 5000)
	size := int64(0)
	for i := range texts {
		var text strings.Builder
		for j := range 200 {
			text.WriteString(words[(i*7+j*j)%len(words)])
			text.WriteByte(' ')
		}
		fmt.Fprint(&text, i)
		texts[i] = text.String()
		size += int64(text.Len())
	}
	path := write(b, "x.parquet", parquetOf(b, 2000, texts...))
	b.Run("documents", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			r, err := documents.Open(b.Context(), path, documents.Options{ID: "id"})
			if err != nil {
				b.Fatal(err)
			}
			var d documents.Document
			for err == nil {
				err = r.Read(&d)
			}
			if err != io.EOF {
				b.Fatal(err)
			}
			r.Close()
		}
	})
	b.Run("library", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			r := parquet.NewGenericReader[row](f)
			rows := make([]row, 64)
			for err == nil {
				_, err = r.Read(rows)
			}
			if err != io.EOF {
				b.Fatal(err)
			}
			r.Close()
			f.Close()
		}
	})
}
