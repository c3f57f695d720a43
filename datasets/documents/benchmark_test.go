package documents

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// BenchmarkRead reads texts of about 1 kB as documents, and compares this with the standard library
// reading the same bytes.
func BenchmarkRead(b *testing.B) {
	words := strings.Fields("the quick brown fox jumps over the lazy dog and then some more words")
	var jsonl, separated bytes.Buffer
	w := csv.NewWriter(&separated)
	check := func(err error) {
		if err != nil && err != io.EOF {
			b.Fatal(err)
		}
	}
	check(w.Write([]string{"id", "text", "url"}))
	for i := range 5000 {
		var text strings.Builder
		for j := range 200 {
			text.WriteString(words[(i*7+j*j)%len(words)])
			text.WriteString([]string{" ", " ", ", ", "\n", " \"é\" "}[(i+j)%5])
		}
		check(json.NewEncoder(&jsonl).Encode(map[string]any{
			"id": i, "text": text.String(), "url": "https://example.com/a/b", "meta": map[string]any{"language": "en", "score": 0.5},
		}))
		check(w.Write([]string{fmt.Sprint(i), text.String(), "https://example.com/a/b"}))
	}
	w.Flush()
	ours := func(name string, data []byte) {
		b.Run("documents/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := NewReader(b.Context(), bytes.NewReader(data), "x."+name, Options{ID: "id"})
				check(err)
				var d Document
				for err == nil {
					err = r.Read(&d)
				}
				check(err)
			}
		})
	}
	ours("jsonl", jsonl.Bytes())
	b.Run("library/jsonl", func(b *testing.B) {
		b.SetBytes(int64(jsonl.Len()))
		for b.Loop() {
			lines := bufio.NewScanner(bytes.NewReader(jsonl.Bytes()))
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				var record struct {
					ID   int    `json:"id"`
					Text string `json:"text"`
				}
				check(json.Unmarshal(lines.Bytes(), &record))
			}
			check(lines.Err())
		}
	})
	ours("csv", separated.Bytes())
	b.Run("library/csv", func(b *testing.B) {
		b.SetBytes(int64(separated.Len()))
		for b.Loop() {
			r := csv.NewReader(bytes.NewReader(separated.Bytes()))
			r.ReuseRecord = true
			var err error
			for err == nil {
				_, err = r.Read()
			}
			check(err)
		}
	})
}
