package documents

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"simhashkit/internal/syntax"
	"simhashkit/internal/testing/long"
)

// repeated is a stream that repeats the same bytes.
type repeated struct {
	line string
	left int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := 0
	for r.left > 0 && n+len(r.line) <= len(p) {
		n += copy(p[n:], r.line)
		r.left--
	}
	return n, nil
}

// A record of 8 MB (100 MB of JSON lines in long tests) is read, or rejected with its position
// using little memory.
func TestLongRecords(t *testing.T) {
	for format, ends := range map[string][2]string{
		"lines": {"short\n", "\nshort\n"}, "jsonl": {"{\"text\":\"short\"}\n{\"text\":\"", "\"}\n{\"text\":\"short\"}\n"},
		"csv": {"text\nshort\n\"", "\"\nshort\n"}, "files": {"", ""},
	} {
		size := 8 << 20
		if format == "jsonl" && long.Enabled() {
			size = 100 << 20
		}
		stream := func() io.Reader {
			return io.MultiReader(strings.NewReader(ends[0]), &repeated{strings.Repeat("x", 1<<12), size >> 12}, strings.NewReader(ends[1]))
		}
		r, err := NewReader(t.Context(), stream(), "x", Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		var d Document
		longest := 0
		for err == nil {
			if err = r.Read(&d); err == nil {
				longest = max(longest, len(d.Text))
			}
		}
		if err != io.EOF || longest != size {
			t.Errorf("%s: %d bytes, %v", format, longest, err)
		}

		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err = NewReader(t.Context(), stream(), "x", Options{Format: format, MaxLine: 1 << 20})
		for err == nil {
			err = r.Read(&d)
		}
		runtime.ReadMemStats(&after)
		place := map[string]int{"lines": 2, "jsonl": 2, "csv": 3, "files": 1}[format]
		var malformed *syntax.Error
		if !errors.As(err, &malformed) || !strings.HasPrefix(err.Error(), fmt.Sprintf("x:%d:1: expected ", place)) {
			t.Errorf("%s: %v", format, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 20<<20 { // of 8 MiB, in pieces of growing buffers
			t.Errorf("%s: %d bytes of memory to refuse a record", format, used)
		}
	}
}

// Memory does not grow with the number of records.
func TestMemoryIsThatOfARecord(t *testing.T) {
	for format, ends := range map[string][2]string{
		"lines": {"", "a line\n"}, "jsonl": {"", "{\"text\":\"a line\",\"id\":17}\n"}, "csv": {"text,id\n", "a line,17\n"},
	} {
		options := Options{Format: format}
		if format != "lines" {
			options.ID = "id"
		}
		r, err := NewReader(t.Context(), io.MultiReader(strings.NewReader(ends[0]), &repeated{ends[1], 200_000}), "x", options)
		if err != nil {
			t.Fatal(err)
		}
		var d Document
		if err := r.Read(&d); err != nil {
			t.Fatal(err)
		}
		allowed := 0.01 // buffers, allocated once
		if format == "csv" {
			allowed = 1.01 // encoding/csv allocates one string per record
		}
		records := 1
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for ; err == nil; records++ {
			err = r.Read(&d)
		}
		runtime.ReadMemStats(&after)
		if err != io.EOF || records != 200_001 {
			t.Errorf("%s: %d records, %v", format, records, err)
		}
		if each := float64(after.Mallocs-before.Mallocs) / float64(records); each > allowed+0.2 {
			t.Errorf("%s: %.2f allocations a record", format, each)
		}
	}
}
