package corpus

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzStored holds for any bytes, read as a file of fingerprints: no panic, and records that come
// back alike when they are stored again, or an error with file and line.
func FuzzStored(f *testing.F) {
	const head = `{"input":"a","bytes":3,"modified":"2026-11-01T00:00:00Z","definition":"words"}` + "\n"
	for _, text := range []string{
		head, head + "{\"records\":0,\"left_out\":0}\n", head + `{"id":"a","fingerprint":"00000000000000ff","features":3}` + "\n" + `{"records":1,"left_out":2,"content":"00ff"}` + "\n",
		head + "{\"records\":0}\n{\"records\":0}", head + `{"records":1}`, head + `{"records":`, head + `{"id":"a","fingerprint":"00000000000000ff","features":3}` + "\n" + `{"id":1,"fingerprint":null,"features":0}`,
		head + `{"id":"\u00e9","fingerprint":"00000000000000ff","features":3}`, "{}\n{}", "", "[]",
		head + `{"id":{},"fingerprint":"00000000000000ff"}`, head + `{"id":"","fingerprint":"zz"}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := newStored("x", io.NopCloser(bytes.NewReader(data)))
		if err == nil {
			for record, recordErr := range s.records(t.Context(), 64) {
				if err = recordErr; err != nil {
					break
				}
				again, againErr := parseLine(storedText(t, 64, record), 64)
				if diff := cmp.Diff(record, again); diff != "" || againErr != nil {
					t.Errorf("error %v, -first +again\n%s", againErr, diff)
				}
			}
		}
		if err != nil && !strings.HasPrefix(err.Error(), "x:") {
			t.Errorf("error %v, expected file and line", err)
		}
	})
}
