package textsketch

import (
	"slices"
	"strings"
	"testing"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// With MinHash, the fingerprint of a text is that of its set of features, by every route, also for
// long texts and accumulated parts.
func TestMinHash(t *testing.T) {
	for _, d := range []fphash.Definition{{Bits: 100, Kind: fphash.MinHash}, {Hash: "fnv1a64", Kind: fphash.MinHash}} {
		hash, err := fphash.New(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, features := range []string{"words", "words,n=2,fold", "characters", "bytes,n=5", "bytes,n=20"} {
			options, err := text.ParseOptions(features)
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(Options{Text: options, Hash: hash})
			if err != nil {
				t.Fatal(err)
			}
			local := s.Local()
			for _, each := range append(texts, longDocumentOfWords(), strings.Repeat("0123 4567 ", longText/5)) {
				list := s.analyzer.Clone().Append(nil, []byte(each))
				slices.SortFunc(list, slices.Compare)
				set := slices.CompactFunc(list, func(a, b []byte) bool { return slices.Equal(a, b) })
				want, wantStatus, err := fphash.AppendUnit(hash, nil, set)
				if s.route == byIndices {
					want, wantStatus, err = fphash.AppendUnit(hash, nil, s.analyzer.Clone().AppendIndices(nil, []byte(each)))
				}
				if err != nil {
					t.Fatal(err)
				}
				if got, status, err := local.Append(nil, []byte(each)); err != nil || status != wantStatus || !slices.Equal(got, want) {
					t.Errorf("%s: %.30q: %x, %v, %v, want %x, %v", s.Definition(), each, got, status, err, want, wantStatus)
				}
			}
		}
		for _, o := range []Options{{Hash: hash, Weights: weights.Options{Scheme: weights.TextRank}}, {Hash: hash, Weights: weights.Options{Top: 5}}} {
			if _, err := New(o); err == nil || !strings.Contains(err.Error(), "MinHash") {
				t.Errorf("weights %+v: %v", o.Weights, err)
			}
		}
	}
}
