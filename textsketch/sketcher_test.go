package textsketch

import (
	"fmt"
	"strings"
	"testing"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

var texts = []string{
	"The quick brown fox jumps over the lazy dog, and the dog sleeps on.",
	"Simhash of 17 words; words may come again, and words count each time.",
	"東京は日本の首都です。",
	"",
	"...",
}

// sketcher returns a Sketcher with the given features and weights.
func sketcher(t *testing.T, features string, w weights.Options) *Sketcher {
	t.Helper()
	options, err := text.ParseOptions(features)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := fphash.New(fphash.Definition{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Options{Text: options, Weights: w, Hash: hash})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fingerprint returns the fingerprint of a text.
func fingerprint(t *testing.T, l *Local, text string) (uint64, fphash.Status) {
	t.Helper()
	words, status, err := l.Append(nil, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return words[0], status
}

// Go toolchains differ in the letters they know. A text with letters added in Unicode 15.1 to 17.0
// must have the same fingerprint with each.
func TestNewerLettersAreFrozen(t *testing.T) {
	const newer = "漢\U0002ebf0\U000323b0字 \u1c89д \ua7dcx \U0001ccd6 \U000105d2\u0307 ﬁ\ua7f1 end"
	for features, want := range map[string]uint64{
		"words,nfkc,fold": 0x40324cce65d14343, "words,n=2,lang=en,stem": 0xf1718eb3cc3e82cc, "characters,n=2,nfkc,fold": 0x22b5b9950119400d,
	} {
		got, _ := fingerprint(t, sketcher(t, features, weights.Options{}).Local(), newer)
		if got != want {
			t.Errorf("%s: expected %#016x, got %#016x", features, want, got)
		}
	}
}

// Fingerprints equal those computed from features and weights with the packages they come from.
func TestFingerprintsAreThoseOfTheFeatures(t *testing.T) {
	for _, features := range []string{"words", "words,n=2,fold", "characters", "bytes", "bytes,n=5", "bytes,n=20"} {
		counts := sketcher(t, features, weights.Options{})
		ranks := sketcher(t, features, weights.Options{Scheme: weights.TextRank})
		for _, s := range []*Sketcher{counts, ranks} {
			local := s.Local()
			for _, each := range texts {
				got, status := fingerprint(t, local, each)
				list := s.analyzer.Clone().Append(nil, []byte(each))
				vector := s.weigher.Local().Weigh(list)
				want, wantStatus, err := fphash.Sketch64(vector.Features, vector.Weights)
				if features == "bytes,n=5" && s == counts {
					want, wantStatus, err = fphash.SketchUnit64(s.analyzer.Clone().AppendIndices(nil, []byte(each)))
				}
				if err != nil || got != want || status != wantStatus {
					t.Errorf("%s: %q: %016x, %v; want %016x, %v", s.Definition(), each, got, status, want, wantStatus)
				}
			}
		}
	}
}

// Fingerprints never change.
func TestFrozenFingerprints(t *testing.T) {
	for _, c := range []struct {
		features string
		weights  weights.Options
		want     string
	}{
		{"words", weights.Options{}, "1939030254a35424 6cf946ddc5e95e38 87c0f081b8340463"},
		{"words,n=2,fold", weights.Options{}, "8113ff371abab998 342070620a244ac4 0e87d402a2a0c0b4"},
		{"words,nfkc,fold,stop,stem,lang=en", weights.Options{Scheme: weights.TextRank}, "1ca45666d134e49c 44dda10162991e39 87d0f08198340463"},
		{"characters", weights.Options{}, "0752aa32891bbf8e 0e83f75eae00c891 ef0011fee24c524f"},
		{"bytes", weights.Options{}, "f19b74b7d8021882 c15deaa8dd1ac489 10069333a200e58d"},
		{"bytes,n=5", weights.Options{}, "652c57849455a3e1 30fc86b00e2e3ec5 4236a393e9b06fbd"},
	} {
		s := sketcher(t, c.features, c.weights)
		local := s.Local()
		var got []string
		for _, each := range texts[:3] {
			f, _ := fingerprint(t, local, each)
			got = append(got, fmt.Sprintf("%016x", f))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %q, want %q", s.Definition(), got, c.want)
		}
	}
}

func TestTextsWithoutFeaturesSayNothing(t *testing.T) {
	local := sketcher(t, "words", weights.Options{}).Local()
	for _, each := range texts[3:] {
		if f, status := fingerprint(t, local, each); f != 0 || status.Err() == nil {
			t.Errorf("%q: %016x, %v", each, f, status)
		}
	}
}

func TestNoAllocationPerText(t *testing.T) {
	for _, features := range []string{"words", "words,n=2", "bytes", "bytes,n=20"} {
		local := sketcher(t, features, weights.Options{}).Local()
		document := []byte(strings.Repeat(texts[0], 20))
		dst := make([]uint64, 0, 1)
		call := func() { local.Append(dst, document) }
		call()
		if n := testing.AllocsPerRun(10, call); n != 0 {
			t.Errorf("%s: %v allocations", features, n)
		}
	}
}

// TestNothingToHashWith checks that New requires a Hash or a Convention.
func TestNothingToHashWith(t *testing.T) {
	if _, err := New(Options{}); err == nil || !strings.Contains(err.Error(), "no Hash and no Convention") {
		t.Errorf("error %v", err)
	}
}
