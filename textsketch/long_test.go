package textsketch

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"weak"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// The features of long texts are added in batches. This must change neither the fingerprints nor
// the number of features.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("Four score and seven years ago, été 漢字 ", longText/8)
	hash, err := fphash.New(fphash.Definition{Bits: 100, Widen: fphash.WidenMix})
	if err != nil {
		t.Fatal(err)
	}
	for _, features := range []string{"words", "words,n=3,fold", "words,lang=en,stop,stem", "characters", "bytes", "bytes,n=3", "bytes,n=9"} {
		options, err := text.ParseOptions(features)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(Options{Text: options, Hash: hash})
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{longText, longText + 1, 2*longText + 77} {
			document := []byte(long[:size])
			list := s.analyzer.Clone().Append(nil, document)
			want, wantStatus, err := fphash.AppendUnit(hash, nil, list)
			if s.route == byIndices {
				want, wantStatus, err = fphash.AppendUnit(hash, nil, s.analyzer.Clone().AppendIndices(nil, document))
			}
			if err != nil {
				t.Fatal(err)
			}
			local := s.Local()
			for range 2 {
				got, status, err := local.Append(nil, document)
				if err != nil || status != wantStatus || !slices.Equal(got, want) || local.Features() != len(list) {
					t.Errorf("%s: %d bytes: %x of %d features, %v, %v; expected %x of %d", features, size, got, local.Features(), status, err, want, len(list))
				}
			}
			if cap(local.features) > longText || cap(local.indices) > longText {
				t.Errorf("%s: %d bytes: capacity for %d features and %d indices", features, size, cap(local.features), cap(local.indices))
			}
		}
	}
}

// The weights of long texts must equal the weights of all features at once, bit by bit.
func TestLongTextsWithWeights(t *testing.T) {
	document := []byte(strings.Repeat("Four score and seven years ago, été 漢字 and word ", longText/8))
	for i := range 1000 {
		document = fmt.Appendf(document, "word%d ", i*i*i)
	}
	for _, features := range []string{"words", "words,fold", "words,n=2", "characters,n=4", "bytes,n=5"} {
		s := sketcher(t, features, weights.Options{Scheme: weights.TextRank})
		local := s.Local()
		got, status := fingerprint(t, local, string(document))
		list := s.analyzer.Clone().Append(nil, document)
		vector := s.weigher.Local().Weigh(list)
		want, wantStatus, err := fphash.Sketch64(vector.Features, vector.Weights)
		if err != nil || got != want || status != wantStatus || local.Features() != len(list) {
			t.Errorf("%s: %x of %d features, %v, expected %x of %d, %v", features, got, local.Features(), status, want, len(list), err)
		}
		if features != "words,n=2" && cap(local.features) > 0 {
			t.Errorf("%s: capacity for %d features", features, cap(local.features))
		}
	}
}

// After a long text, a Local must not hold references to it.
func TestLongDocumentsAreForgotten(t *testing.T) {
	for _, scheme := range []weights.Scheme{weights.Count, weights.TextRank} {
		for _, features := range []string{"words", "words,n=2"} {
			local := sketcher(t, features, weights.Options{Scheme: scheme}).Local()
			document := func() weak.Pointer[byte] {
				document := bytes.Repeat([]byte("some words "), longDocument/11+1)
				if _, _, err := local.Append(nil, document); err != nil {
					t.Fatal(err)
				}
				return weak.Make(&document[0])
			}()
			runtime.GC()
			if document.Value() != nil {
				t.Errorf("%s, %s: the document is still in memory", features, scheme)
			}
			runtime.KeepAlive(local)
		}
	}
}
