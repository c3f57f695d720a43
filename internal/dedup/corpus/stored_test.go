package corpus

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// storedText returns a file of fingerprints with these records.
func storedText(t interface{ Fatal(...any) }, records ...Record) []byte {
	var out bytes.Buffer
	var all iter.Seq2[Record, error] = func(yield func(Record, error) bool) {
		for _, record := range records {
			if !yield(record, nil) {
				return
			}
		}
	}
	if err := storeTo(&out, head{}, all, func() {}, func() (ending, error) { return ending{}, nil }); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readStored returns the records of a file of fingerprints until the first error.
func readStored(t *testing.T, data []byte, bits int) (records []Record, err error) {
	s, err := newStored("x", io.NopCloser(bytes.NewReader(data)))
	if err != nil {
		return nil, err
	}
	for record, err := range s.records(t.Context(), bits) {
		if err != nil {
			return records, err
		}
		record.ID, record.Fingerprint = slices.Clone(record.ID), slices.Clone(record.Fingerprint)
		records = append(records, record)
	}
	return records, nil
}

// Stored records are read back unchanged, for any ids.
func TestStoredRecords(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		bits := rapid.SampledFrom([]int{3, 64, 130}).Draw(rt, "bits")
		var want []Record
		for range rapid.IntRange(0, 3).Draw(rt, "records") {
			r := Record{ID: []byte(rapid.String().Draw(rt, "id")), Number: rapid.Bool().Draw(rt, "number"), MadeUp: rapid.Bool().Draw(rt, "made up"), Features: rapid.IntMin(0).Draw(rt, "features")}
			if r.Informative = rapid.Bool().Draw(rt, "informative"); r.Informative {
				r.Fingerprint = make([]uint64, (bits+63)/64)
				r.Fingerprint[0] = rapid.Uint64().Draw(rt, "fingerprint")
			}
			want = append(want, r)
		}
		got, err := readStored(t, storedText(rt, want...), bits)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			rt.Fatalf("error %v, -want +got\n%s", err, diff)
		}
	})
}

// FuzzStored checks that any bytes, read as a file of fingerprints, yield an error with the file,
// or records that do not change when they are stored and read again.
func FuzzStored(f *testing.F) {
	whole := storedText(f, Record{ID: []byte("a"), Features: 3, Informative: true, Fingerprint: []uint64{5}}, Record{ID: []byte("17"), Number: true})
	for _, data := range [][]byte{whole, whole[:len(whole)-3], append(whole[:len(whole):len(whole)], whole...), []byte("{}\n"), []byte("{}\n\x08{}"), []byte("{}\n\x00\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), nil, []byte("[]")} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		records, err := readStored(t, data, 64)
		if err != nil && !strings.HasPrefix(err.Error(), "x: ") {
			t.Errorf("error %v, expected the file", err)
		}
		again, err := readStored(t, storedText(t, records...), 64)
		if diff := cmp.Diff(records, again, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("error %v, -first +again\n%s", err, diff)
		}
	})
}
