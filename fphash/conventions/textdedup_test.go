package conventions

import (
	"testing"

	"simhashkit/fphash"
)

// The fingerprints of text-dedup 0.4.0 (text_dedup.simhash.compute of xxh3_64 digests) are those of
// package fphash with xxh3, as README.md says.
func TestTextDedupNeedsNoConvention(t *testing.T) {
	s, err := fphash.New(fphash.Definition{Hash: "xxh3"})
	if err != nil {
		t.Fatal(err)
	}
	for want, features := range map[string][]string{
		"7726de4f59e1ecfb": {"to"}, "6020900949c18838": {"to", "be"}, "7042d20d496d8029": {"to", "be", "or", "not"},
		"dec2f48702428959": {"hel", "ell", "llo", "lo ", " wo", "wor", "orl", "rld"},
	} {
		words, _, err := fphash.AppendUnit(s, nil, features)
		if got := fphash.Fingerprint(words).Hex(64); err != nil || got != want {
			t.Errorf("%q: %s, %v, expected %s", features, got, err, want)
		}
	}
}
