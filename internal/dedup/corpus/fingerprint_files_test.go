package corpus

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Stored records are read back unchanged, for any ids.
func TestStoredLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Record{ID: []byte(strings.ToValidUTF8(rapid.String().Draw(t, "id"), "")), Features: rapid.IntMin(0).Draw(t, "features")}
		if rapid.Bool().Draw(t, "number") {
			want.ID, want.Number = []byte(rapid.StringMatching(`-?(0|[1-9][0-9]{0,30})(\.[0-9]+)?`).Draw(t, "number")), true
		}
		bits := rapid.SampledFrom([]int{3, 64, 130}).Draw(t, "bits")
		if want.Informative = rapid.Bool().Draw(t, "informative"); want.Informative {
			want.Fingerprint = make([]uint64, (bits+63)/64)
			want.Fingerprint[0] = rapid.Uint64().Draw(t, "fingerprint") >> max(0, 64-bits)
		}
		line := storedText(t, bits, want)
		got, err := parseLine(line, bits)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("%s: error %v, -want +got\n%s", line, err, diff)
		}
	})
}

// storedText returns the line of a record.
func storedText(t interface{ Fatal(...any) }, bits int, record Record) []byte {
	var out strings.Builder
	var records iter.Seq2[Record, error] = func(yield func(Record, error) bool) { yield(record, nil) }
	if err := storeTo(&out, head{}, bits, records, func() {}, func() (ending, error) { return ending{}, nil }); err != nil {
		t.Fatal(err)
	}
	return []byte(strings.Split(out.String(), "\n")[1])
}

// FuzzLine checks that for any line, parseLine returns the same record as the JSON decoder, or an
// error.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`{"id":"a","fingerprint":"00000000000000ff","features":3}`, `{"id":17,"fingerprint":null,"features":0}`,
		`{"id":017,"fingerprint":"00000000000000ff","features":3}`, `{"id":"a\u0041","fingerprint":"","features":03}`,
		`{"id":"a","id":"b,"fingerprint":null,"features":0}`, `{"id":"a","fingerprint":null,"features":99999999999999999999}`, "{\"id\":\"\xff\",\"fingerprint\":null,\"features\":0}",
		`{"id":"a","fingerprint":"00000000000000ff","more":"0f00","features":3}`, `{"id":17,"fingerprint":null,"more":null,"features":0}`,
		`{"id":,"fingerprint":null,"features":+1}`, `{"id":"a","fingerprint":"0g","features":1}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got, err := parseLine(line, 64)
		var want struct {
			ID          json.RawMessage
			Fingerprint *string
			Features    int
		}
		if err != nil {
			return
		}
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatalf("%q: %+v, but the JSON decoder fails: %v", line, got, err)
		}
		id := string(want.ID)
		if !got.Number {
			json.Unmarshal(want.ID, &id)
		}
		if string(got.ID) != id || got.Features != want.Features || got.Informative != (want.Fingerprint != nil) {
			t.Errorf("%q: %+v, expected %+v", line, got, want)
		}
	})
}

// FuzzStored checks that any bytes, read as a file of fingerprints, yield an error with file and
// line, or records that do not change when they are stored and read again.
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
