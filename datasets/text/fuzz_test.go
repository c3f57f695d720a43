package text_test

import (
	"bytes"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets/text"
)

// fuzzed are Analyzers that process all fuzz inputs. Earlier inputs must not affect the results.
var fuzzed = map[string]*text.Analyzer{}

var fuzzedDefinitions = []string{
	"words", "words,n=2,fold", "words,lang=en,fold,stop,stem,n=2", "words,nfkc", "words,lang=en,fold,stop,stem", "words,lang=ru,stem", "words,lang=fr,stem,stop", "words,lang=es,stem",
	"words,plain,symbols,fold", "words,lang=hu,stem", "words,lang=sv,stem", "words,lang=no,stem", "characters,n=1", "characters,n=3,nfkc,fold", "bytes,n=1", "bytes,n=3", "bytes,n=9,nfkc",
}

// FuzzAnalyzer checks that nothing panics for any bytes; that features do not depend on earlier
// texts and are equal from a clone and in batches; that words contain no spaces; and that n-grams
// of characters and bytes overlap correctly.
func FuzzAnalyzer(f *testing.F) {
	for i, s := range []string{
		"The quick brown foxes don't jump. 3.14", "我来到北京清华大学", "東京タワーに行きました。ｱｲｳ", "ที่นี่ a\xffb  \u200dℹ", "İstanbul ﬃ Straße ’s ''s y'all ss", "общежитие бежавшими", "C++11 and C#.NET, .NET é.NET a+b .+#",
	} {
		f.Add([]byte(s), byte(i))
	}
	f.Fuzz(func(t *testing.T, s []byte, which byte) {
		definition := fuzzedDefinitions[int(which)%len(fuzzedDefinitions)]
		if fuzzed[definition] == nil {
			fuzzed[definition] = newAnalyzer(t, definition)
		}
		analyzer := fuzzed[definition]
		before := bytes.Clone(s)
		features := analyzer.Append(nil, s)
		if !bytes.Equal(s, before) {
			t.Fatalf("%s changed its text %q to %q", definition, before, s)
		}
		got := make([]string, len(features))
		for i, feature := range features {
			got[i] = string(feature)
		}
		if other := featuresOf(analyzer.Clone(), string(s)); !slices.Equal(got, other) {
			t.Fatalf("%s of %q: a fresh one differs\n%s", definition, s, cmp.Diff(got, other))
		}
		checkFeatures(t, analyzer, s, got)
		checkBatches(t, analyzer, s)
	})
}

func checkFeatures(t *testing.T, analyzer *text.Analyzer, s []byte, features []string) {
	t.Helper()
	options := analyzer.Options()
	indices := analyzer.AppendIndices(nil, s)
	if len(indices) != len(features) {
		t.Fatalf("%v of %q: %d features and %d indices", options, s, len(features), len(indices))
	}
	for i, feature := range features {
		short := options.Features == text.Bytes && options.N <= 8
		switch {
		case !short && indices[i] != xxhash.Sum64String(feature):
			t.Fatalf("%v of %q: index %x of %q", options, s, indices[i], feature)
		case options.Features == text.Words && (bytes.Count([]byte(feature), []byte(" ")) != options.N-1 || bytes.ContainsAny([]byte(feature), "\t\n") || !utf8.ValidString(feature)):
			t.Fatalf("%v of %q: feature %q", options, s, feature)
		case options.Features == text.Characters && utf8.RuneCountInString(feature) != options.N,
			options.Features == text.Bytes && len(feature) != options.N:
			t.Fatalf("%v of %q: feature %q", options, s, feature)
		case options.Features == text.Bytes && i > 0 && features[i-1][1:] != feature[:options.N-1]:
			t.Fatalf("%v of %q: %q after %q", options, s, feature, features[i-1])
		}
	}
}
