package fingerprints

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// Files that are larger than the buffers are read correctly in every text format. They have many
// ids of various lengths, and one id that is longer than the buffer.
func TestReadBeyondBuffers(t *testing.T) {
	const buffer, n = 64 << 10, 12000
	word := func(i int) uint64 { return uint64(i+1) * 0x9e3779b97f4a7c15 }
	id := func(i int) string {
		if i == n/2 {
			return strings.Repeat("i", 3*buffer)
		}
		return fmt.Sprint(i, strings.Repeat("-", i%50))
	}
	var text, jsonl strings.Builder
	words := make([]uint64, n)
	for i := range n {
		words[i] = word(i)
		digits := fphash.Fingerprint(words[i:i+1]).AppendHex(nil, 64)
		fmt.Fprintf(&text, "%s\t%s\n", digits, id(i))
		fmt.Fprintf(&jsonl, "{\"id\":%q,\"fingerprint\":%q}\n", id(i), digits)
	}
	for format, content := range map[Format]string{Text: text.String(), JSONL: jsonl.String()} {
		records, err := Read(t.Context(), bufio.NewReaderSize(strings.NewReader(content), buffer), "", format, Options{Name: "f"})
		if err != nil || records.Len() != n {
			t.Fatalf("%s: %v; %d records, expected %d", format, err, records.Len(), n)
		}
		wrong := 0
		for i := range n {
			want := id(i)
			if records.Set.At(i)[0] != word(i) || records.ID(i) != want {
				wrong++
			}
		}
		if wrong > 0 || len(content) <= buffer {
			t.Errorf("%s: %d of %d records in %d bytes differ", format, wrong, n, len(content))
		}
	}
}
