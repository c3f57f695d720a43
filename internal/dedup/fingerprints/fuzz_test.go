package fingerprints

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/dedup"
	"simhashkit/fphash"
)

// FuzzRead checks that arbitrary bytes give either a valid set or an error that names the file and
// one of its lines. In a valid set, each record has an id, and writing and reading JSON lines does
// not change the records. FuzzReadParquet is the target for Parquet.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"00ff00ff00ff00ff\tid\n0000000000000000\t\n",
		`{"id":1,"fingerprint":"00ff","informative":false,"definition":"md5,le64,16"}`,
		`{"id":1,"fingerprint":"00ff","definition":"a b"}`, `{"id":1,"fingerprint":"00ff","definition":"md5,le64,16,convention=a,seed=1"}`,
		`{"id":"a","fingerprint":"000000ff"}` + "\n" + `{"id":"","fingerprint":"000000ff"}`,
		"PAR1",
	} {
		f.Add([]byte(text), uint8(0))
		f.Add([]byte(text), uint8(100))
	}
	f.Fuzz(func(t *testing.T, data []byte, bits uint8) {
		r := bufio.NewReader(bytes.NewReader(data))
		format := Sniff(r)
		if format == None || format == Parquet {
			return
		}
		records, err := Read(t.Context(), r, "", format, Options{Name: "fuzz", Bits: int(bits)})
		if err != nil {
			place, ok := strings.CutPrefix(err.Error(), "fuzz:")
			line, convErr := strconv.Atoi(strings.Split(place, ":")[0])
			if !ok || convErr == nil && (line < 1 || line > bytes.Count(data, []byte("\n"))+1) || convErr != nil {
				t.Errorf("%s: error %v, expected file and line", format, err)
			}
			return
		}
		if records.Len() == 0 {
			return
		}
		if err := records.Set.Check(); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if n := records.Set.Len() + records.WithoutFingerprint(); n != records.Len() {
			t.Errorf("%s: %d records, %d of them in the set or without a fingerprint", format, records.Len(), n)
		}
		if text := records.Set.Definition; text != "" {
			if d, err := fphash.ParseDefinition(text); err != nil || d.Bits != records.Set.Bits {
				t.Fatalf("%s: definition %q of %d bits: %v", format, text, records.Set.Bits, err)
			}
		}
		text := asLines(t, records)
		again, err := Read(t.Context(), bufio.NewReader(strings.NewReader(text)), "", JSONL, Options{Name: "again", Bits: records.Set.Bits})
		if err != nil {
			t.Fatalf("%s as JSON lines: %v\n%s", format, err, text)
		}
		if got := asLines(t, again); got != text || !slices.Equal(again.Set.Words, records.Set.Words) {
			t.Errorf("%s as JSON lines, and read again:\n%s\n%s", format, text, got)
		}
	})
}

// asLines writes records in the same way as fphash sketch.
func asLines(t *testing.T, records *dedup.Records) string {
	t.Helper()
	set := &records.Set
	var out strings.Builder
	w := json.NewEncoder(&out)
	at := 0 // position in the set
	for i := range records.Len() {
		words := make([]uint64, set.Stride())
		informative := at < set.Len() && set.ID(at) == uint64(i)
		if informative {
			words = set.At(at)
			at++
		}
		row := map[string]any{"id": records.ID(i), "fingerprint": fphash.Fingerprint(words).Hex(set.Bits), "informative": informative, "definition": set.Definition}
		if err := w.Encode(row); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}
