package weights

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fields returns the words of a text.
func fields(text string) [][]byte {
	var features [][]byte
	for word := range strings.FieldsSeq(text) {
		features = append(features, []byte(word))
	}
	return features
}

// weigher returns a Weigher, or fails the test.
func weigher(t testing.TB, o Options) *Weigher {
	t.Helper()
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// shown formats a vector, with weights of four digits.
func shown(v Vector) string {
	var parts []string
	for i, feature := range v.Features {
		parts = append(parts, fmt.Sprintf("%s:%.4g", feature, v.Weights[i]))
	}
	return strings.Join(parts, " ")
}

// counted returns a builder that has counted the documents.
func counted(documents ...string) *Builder {
	b := NewBuilder("fields")
	for _, d := range documents {
		b.Add(fields(d))
	}
	return b
}

func table(documents ...string) *List { return counted(documents...).List() }

func list(t testing.TB, other float64, text string) *List {
	t.Helper()
	l, err := ReadList(strings.NewReader(text), "list.tsv")
	if err == nil {
		l, err = NewList(l.weights, other)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestSchemes(t *testing.T) {
	corpus := table("a b", "a b a", "a", "a c")
	hand := list(t, 0, "b\t-2\nc\t2\nz\t0\n")
	for _, c := range []struct {
		options Options
		text    string
		want    string
	}{
		{Options{}, "b a b c b", "a:1 b:3 c:1"},
		{Options{}, "", ""},
		{Options{Scheme: TFIDF, List: corpus}, "b a b c d", "a:1 b:3.022 c:1.916 d:2.609"},
		{Options{Scheme: TFIDF, List: hand}, "b a b c z", "b:-4 c:2"},
		{Options{Scheme: ByHand, List: hand}, "b a b c z", "b:-2 c:2"},
		{Options{Scheme: ByHand, List: list(t, 1, "b\t0\n")}, "b a b c", "a:1 c:1"},
		{Options{Top: 2}, "b a b c b d d", "b:3 d:2"},
		{Options{Top: 2}, "a b b c", "a:1 b:2"},
		{Options{Top: 2}, "c b a", "a:1 b:1"}, // equal weights: byte order decides
		{Options{Scheme: ByHand, List: hand, Top: 1}, "c b", "b:-2"},
		// features that are prefixes of each other, or equal in their first eight bytes
		{Options{}, "abcdefghi abcdefgh a\x00 a abcdefgha", "a:1 a\x00:1 abcdefgh:1 abcdefgha:1 abcdefghi:1"},
	} {
		w := weigher(t, c.options)
		for range 2 { // the second time with used buffers
			if got := shown(w.Weigh(fields(c.text))); got != c.want {
				t.Errorf("%s of %q: %s, want %s", w, c.text, got, c.want)
			}
			w.Weigh(fields("some other words b b and a few more of them x y z"))
		}
	}
	if v := weigher(t, Options{}).Weigh([][]byte{{}, nil, []byte("a")}); v.Len() != 2 || v.Weights[0] != 2 {
		t.Errorf("the empty feature: %q %v", v.Features, v.Weights)
	}
}

// The example of TfidfTransformer in scikit-learn's user guide, whose rows are normalized to length
// 1.
func TestTFIDFOfScikitLearn(t *testing.T) {
	documents := []string{"a a a c", "a a", "a a a", "a a a a", "a a a b b", "a a a c c"}
	want := [][]float64{{0.85151335, 0.52433293}, {1}, {1}, {1}, {0.55422893, 0.83236428}, {0.63035731, 0.77630514}}
	w := weigher(t, Options{Scheme: TFIDF, List: table(documents...)})
	for i, d := range documents {
		v := w.Weigh(fields(d))
		length := 0.0
		for _, weight := range v.Weights {
			length += weight * weight
		}
		for j, weight := range v.Weights {
			if got := weight / math.Sqrt(length); math.Abs(got-want[i][j]) > 1e-8 {
				t.Errorf("%q: %v, want %v", d, got, want[i][j])
			}
		}
	}
}

// A vector depends only on the features and their counts, not on their order, earlier documents, or
// the Weigher.
func TestVectorsDependOnCountsAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	corpus := table("a b c d e f g h", "a b c", "a")
	one := weigher(t, Options{Scheme: TFIDF, List: corpus})
	for range 200 {
		var features [][]byte
		counts := map[string]int{}
		for range r.IntN(400) {
			word := strings.Repeat(string(rune('a'+r.IntN(8))), 1+r.IntN(12))
			features = append(features, []byte(word))
			counts[word]++
		}
		first := one.Weigh(features).Clone()
		r.Shuffle(len(features), func(i, j int) { features[i], features[j] = features[j], features[i] })
		if diff := cmp.Diff(first, one.Local().Weigh(features)); diff != "" {
			t.Fatal(diff)
		}
		if !slices.IsSortedFunc(first.Features, func(a, b []byte) int { return strings.Compare(string(a), string(b)) }) || first.Len() != len(counts) {
			t.Fatalf("%d features, want %d: %q", first.Len(), len(counts), first.Features)
		}
	}
}

func TestWeighAllocatesNothing(t *testing.T) {
	features := fields(strings.Repeat("to be or not to be that is the question ", 50))
	for _, o := range []Options{{}, {Scheme: TFIDF, List: table("to be", "or not")}, {Scheme: TextRank}} {
		w := weigher(t, o)
		w.Weigh(features)
		if n := testing.AllocsPerRun(100, func() { w.Weigh(features) }); n > 0 {
			t.Errorf("%s: %v allocations", w, n)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for want, o := range map[string]Options{
		`weights: unknown scheme "idf"; expected count, tfidf, textrank or hand`: {Scheme: "idf"},
		"weights: scheme tfidf: expected document frequencies or a list":         {Scheme: TFIDF},
		"weights: scheme hand: expected a list of weights":                       {Scheme: ByHand},
		"weights: top -1: expected 0 or more":                                    {Top: -1},
	} {
		if _, err := New(o); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// String distinguishes different tables and lists.
func TestNames(t *testing.T) {
	a, b, l := table("a"), table("b"), list(t, 0, "a\t1\n")
	if a.Name() == b.Name() || l.Name() == list(t, 1, "a\t1\n").Name() || l.Name() == list(t, 0, "a\t2\n").Name() {
		t.Error("different tables or lists of one name")
	}
	for want, o := range map[string]Options{
		"count":                    {},
		"tfidf," + a.Name():        {Scheme: TFIDF, List: a},
		"hand," + l.Name():         {Scheme: ByHand, List: l},
		"textrank,window=5,top=22": {Scheme: TextRank, Top: 22},
	} {
		if got := weigher(t, o).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Features in batches with reused memory give the same vector as all features at once.
func TestWeighBatches(t *testing.T) {
	var features [][]byte
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		features = append(features, fmt.Appendf(nil, "word%d", int(math.Exp(8*r.Float64()))))
	}
	var few []string
	for _, feature := range features[:500] {
		few = append(few, string(feature))
	}
	idf := table(strings.Join(few, " "), "word1 word2")
	for _, o := range []Options{{Scheme: Count}, {Scheme: TFIDF, List: idf}, {Scheme: TFIDF, List: idf, Top: 50}, {Scheme: TextRank}} {
		for _, most := range []int{1, 7, 4096, 20_000} {
			w := weigher(t, o)
			for _, n := range []int{0, 1, 20_000, 100} { // in sequence, to test reuse
				want := weigher(t, o).Weigh(features[:n])
				batch := make([][]byte, most)
				got := w.WeighBatches(func(yield func([][]byte) bool) {
					for rest := features[:n]; len(rest) > 0; {
						size := copy(batch, rest)
						if rest = rest[size:]; !yield(batch[:size]) {
							return
						}
					}
				})
				if diff := cmp.Diff(want.Clone(), got.Clone()); diff != "" {
					t.Fatalf("%v, %d features, %d at a time: -want +got\n%.1000s", w, n, most, diff)
				}
			}
		}
	}
}

// A clone does not change if the memory of the features is reused.
func TestClone(t *testing.T) {
	features := fields("a b")
	w, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := w.Weigh(features).Clone()
	features[0][0], features[1][0] = 'x', 'y'
	w.Weigh(features)
	if got := shown(v); got != "a:1 b:1" {
		t.Error(got)
	}
}
