package fingerprints

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"simhashkit/internal/docsketch"
)

// FuzzReadParquet checks that arbitrary bytes give either a valid set with an id for each record,
// or an error that names the file.
func FuzzReadParquet(f *testing.F) {
	for _, bits := range []int{20, 64, 100} {
		var buf bytes.Buffer
		w := newParquetWriter(&buf, defined(f, fmt.Sprintf("md5,le64,%d", bits)))
		for i := range 3 {
			if err := w.Write(docsketch.Record{ID: fmt.Append(nil, "id", i), Fingerprint: words(i, bits), Informative: i != 1}); err != nil {
				f.Fatal(err)
			}
		}
		if err := w.End(); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, err := read(data, Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "f: ") {
				t.Errorf("error %v, expected the name of the file", err)
			}
			return
		}
		if records.Len() == 0 {
			return
		}
		if err := records.Set.Check(); err != nil {
			t.Error(err)
		}
		if n := records.Set.Len() + records.WithoutFingerprint(); n != records.Len() {
			t.Errorf("%d records, %d of them in the set or without a fingerprint", records.Len(), n)
		}
		for i := range records.Len() {
			records.ID(i)
		}
	})
}
