package textsketch

import (
	"slices"
	"testing"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/fphash/conventions"
)

func conventionNamed(t *testing.T, name string) *conventions.Sketcher {
	t.Helper()
	c, err := conventions.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := conventions.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// With a convention, the Sketcher makes features and weights and the convention does the rest. With
// OwnFeatures, the convention does everything.
func TestConvention(t *testing.T) {
	system := conventionNamed(t, "1e0ng-128")
	for _, features := range []string{"words", "bytes", "characters"} {
		for _, scheme := range []weights.Scheme{weights.Count, weights.TextRank} {
			options, err := text.ParseOptions(features)
			if err != nil {
				t.Fatal(err)
			}
			for _, own := range []bool{false, true} {
				s, err := New(Options{Text: options, Weights: weights.Options{Scheme: scheme}, Convention: system, OwnFeatures: own})
				if err != nil {
					t.Fatal(err)
				}
				if s.Words() != 2 || s.Bits() != 128 || s.Definition() == "" {
					t.Errorf("%s: %d words, %d bits", s.Definition(), s.Words(), s.Bits())
				}
				for _, each := range texts {
					got, status, err := s.Local().Append(nil, []byte(each))
					var want []uint64
					var wantStatus fphash.Status
					list := s.analyzer.Clone().Append(nil, []byte(each))
					switch v := s.weigher.Local().Weigh(list); {
					case own:
						want, wantStatus, _ = system.AppendText(nil, []byte(each))
					case scheme == weights.Count:
						want, wantStatus, _ = conventions.AppendUnit(system, nil, list)
					default:
						want, wantStatus, _ = conventions.Append(system, nil, v.Features, v.Weights)
					}
					if err != nil || !slices.Equal(got, want) || status != wantStatus {
						t.Errorf("%s, own %v, of %q: %x, %v, %v; expected %x, %v", features, own, each, got, status, err, want, wantStatus)
					}
				}
			}
		}
	}
}

// The errors of a convention are returned.
func TestConventionRefuses(t *testing.T) {
	system := conventionNamed(t, "mfonda")
	s, err := New(Options{Text: text.Options{Features: text.Words, N: 1}, Weights: weights.Options{Scheme: weights.TextRank}, Convention: system})
	if err != nil {
		t.Fatal(err)
	}
	if words, _, err := s.Local().Append(nil, []byte("many words of many texts")); err == nil {
		t.Errorf("mfonda accepted ranks, which are not integers: %x", words)
	}
}
