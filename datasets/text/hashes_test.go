package text

import (
	"math/rand/v2"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// TestHashes: every part of a text has the library's hash, whatever its length, what is behind it
// and how near the end of the text is.
func TestHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 120)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	var spans []span
	for from := range len(text) + 1 {
		for to := from; to <= len(text); to++ {
			spans = append(spans, span{From: from, To: to})
		}
	}
	got := appendHashes([]uint64{5}, text, spans)
	if len(got) != 1+len(spans) || got[0] != 5 {
		t.Fatalf("%d hashes after %d, want %d", len(got)-1, got[0], len(spans))
	}
	for i, s := range spans {
		if want := xxhash.Sum64(text[s.From:s.To]); got[1+i] != want {
			t.Fatalf("bytes %d to %d of %d: %x, want %x", s.From, s.To, len(text), got[1+i], want)
		}
	}
}
