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
		options []fphash.Option
		route   route
	}{
		{nil, byCodes},
		{[]fphash.Option{fphash.WithBits(1)}, byCodes},
		{[]fphash.Option{fphash.WithBits(9), fphash.WithTie(fphash.TieAlternate)}, byCodes},
		{[]fphash.Option{fphash.WithBits(100), fphash.WithWiden(fphash.WidenMix), fphash.WithEncoding(fphash.Dec)}, byCodes},
		{[]fphash.Option{fphash.WithBits(1024), fphash.WithWiden(fphash.WidenMix), fphash.WithTie(fphash.TieOne)}, byCodes},
		{[]fphash.Option{fphash.WithBits(128), fphash.WithWiden(fphash.WidenCounter)}, byCounts},
		{[]fphash.Option{fphash.WithSeed(1)}, byCounts},
		{[]fphash.Option{fphash.WithHash("fnv1a64")}, byCounts},
		{[]fphash.Option{fphash.WithFamily(own)}, byCounts},
	} {
		hash, err := fphash.New(c.options...)
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
