package textsketch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets/text"
	"simhashkit/fphash"
)

// TestCodes checks that fingerprints from codes equal fingerprints from features, and that only the
// definitions that allow it use codes.
func TestCodes(t *testing.T) {
	own := fphash.FromFunc("own", 64, func(dst []uint64, key []byte) { dst[0] = ^xxhash.Sum64(key) })
	for _, c := range []struct {
		d       fphash.Definition
		options []fphash.Option
		route   route
	}{
		{fphash.Definition{}, nil, byCodes},
		{fphash.Definition{Bits: 1}, nil, byCodes},
		{fphash.Definition{Bits: 9, Tie: fphash.TieAlternate}, nil, byCodes},
		{fphash.Definition{Encoding: fphash.Dec, Bits: 100, Widen: fphash.WidenMix}, nil, byCodes},
		{fphash.Definition{Bits: 1024, Widen: fphash.WidenMix, Tie: fphash.TieOne}, nil, byCodes},
		{fphash.Definition{Bits: 128, Widen: fphash.WidenCounter}, nil, byCounts},
		{fphash.Definition{Seed: 1}, nil, byCounts},
		{fphash.Definition{Hash: "fnv1a64"}, nil, byCounts},
		{fphash.Definition{}, []fphash.Option{fphash.WithFamily(own)}, byCounts},
	} {
		hash, err := fphash.New(c.d, c.options...)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(Options{Text: text.Options{Fold: true}, Hash: hash})
		if err != nil || s.route != c.route {
			t.Fatalf("%v: route %v, %v; want %v", hash, s.route, err, c.route)
		}
		local := s.Local()
		for _, each := range append(texts, "It's 3.14 in foo_bar, naïve Größe", longDocumentOfWords()) {
			features := s.analyzer.Clone().Append(nil, []byte(each))
			want, wantStatus, err := fphash.AppendUnit(hash, nil, features)
			if err != nil {
				t.Fatal(err)
			}
			got, status, err := local.Append(nil, []byte(each))
			if err != nil || status != wantStatus || local.Features() != len(features) || !slices.Equal(got, want) {
				t.Errorf("%v: %.40q has %x, %v, %v; want %x, %v", hash, each, got, status, err, want, wantStatus)
			}
		}
	}
}

// longDocumentOfWords returns a text whose features are added in batches.
func longDocumentOfWords() string {
	var b strings.Builder
	for i := 0; b.Len() <= 2*longText; i++ {
		fmt.Fprintf(&b, "word%d of %d words, ", i, i*i%97)
	}
	return b.String()
}
