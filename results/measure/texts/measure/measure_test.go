package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/texts/collections"
	"simhashkit/textsketch"
)

// made is a collection of sentences of so many of 5,000 made-up words, of which each second one is
// its predecessor with another last word.
func made(sentences, words int) *collections.Collection { return madeOf(5000, sentences, words) }

func madeOf(vocabulary, sentences, words int) *collections.Collection {
	r := rand.New(rand.NewPCG(1, 2))
	c := &collections.Collection{Name: "made", Language: collections.English, Length: collections.Short, Truth: collections.ByLabels, Same: map[collections.Pair]bool{}}
	for i := range sentences {
		var list []string
		for range words {
			list = append(list, fmt.Sprintf("w%d", r.IntN(vocabulary)))
		}
		c.Texts = append(c.Texts, strings.Join(list, " "), strings.Join(list[:words-1], " ")+" end")
		c.Same[collections.Pair{int32(2 * i), int32(2*i + 1)}] = true
	}
	return c
}

func judged(t *testing.T, c *collections.Collection) []collections.Judged {
	t.Helper()
	pairs, err := c.Judge(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

func vectors(t *testing.T, c *collections.Collection, d Definition) []document {
	t.Helper()
	list, err := cut(c, d.Features)
	if err != nil {
		t.Fatal(err)
	}
	if err := weigh(list, d.Weights); err != nil {
		t.Fatal(err)
	}
	return list
}

// What is measured are the fingerprints of package textsketch.
func TestFingerprintsAreThoseOfTheCommands(t *testing.T) {
	c := madeOf(3, 5, 20) // with repeats
	for _, d := range []Definition{{"words", weights.Count}, {"bytes,n=8", weights.Count}, {"bytes,n=4", weights.Count}, {"bytes,n=4", weights.LogCount}, {"characters,fold,n=5", weights.LogCount}} {
		for _, way := range Ways {
			hash, err := way.sketcher(d.Weights)
			if err != nil {
				t.Fatal(err)
			}
			options, err := text.ParseOptions(d.Features)
			if err != nil {
				t.Fatal(err)
			}
			s, err := textsketch.New(textsketch.Options{Text: options, Weights: weights.Options{Scheme: d.Weights}, Hash: hash})
			if err != nil {
				t.Fatal(err)
			}
			var want []uint64
			local := s.Local()
			for _, text := range c.Texts {
				if want, _, err = local.Append(want, []byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			got, err := sketch(vectors(t, c, d), d.Weights, way)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got.prints); diff != "" {
				t.Errorf("%v, %v (-textsketch +measured):\n%s", d, way, diff)
			}
		}
	}
}

// Cosines of all pairs are those of package weights, whether few are asked for or all.
func TestCosines(t *testing.T) {
	c := made(20, 12)
	pairs := judged(t, c)
	for _, scheme := range []weights.Scheme{weights.Count, weights.LogTFIDF} {
		list := vectors(t, c, Definition{"words", scheme})
		all, few := cosines(list, pairs), cosines(list, pairs[:10])
		for n, p := range pairs {
			want := weights.Cosine(list[p.Pair[0]].vector, list[p.Pair[1]].vector)
			if math.Abs(cosineOf(int(all[n]))-want) > 0.51/steps || n < len(few) && few[n] != all[n] {
				t.Errorf("%s: pair %v: %v, expected %v", scheme, p.Pair, cosineOf(int(all[n])), want)
			}
		}
	}
}

func TestDistances(t *testing.T) {
	f := fingerprints{words: 2, prints: []uint64{0b1011, 1, 0b0001, 0, 7, 0}}
	pairs := []collections.Judged{{Pair: collections.Pair{0, 1}}, {Pair: collections.Pair{1, 2}}}
	if diff := cmp.Diff([]uint16{3, 2}, f.distances(pairs)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Of 4 near-duplicates at distances 0, 1, 2 and 5 and 8 other pairs at 2, 3 and beyond, and one
// that counts for nothing.
func TestCurve(t *testing.T) {
	distances := []uint16{0, 1, 2, 5, 2, 3, 6, 6, 6, 6, 6, 6, 0}
	c := curveOf(distances, func(n int) collections.Judgement {
		switch {
		case n < 4:
			return collections.Same
		case n == 12:
			return collections.Unjudged
		}
		return collections.Different
	}, 6)
	list := c.all()
	for k, want := range []found{
		{0, 0.25, 1, 0, 0.4}, {1, 0.5, 1, 0, 2.0 / 3}, {2, 0.75, 0.75, 125000, 0.75}, {3, 0.75, 0.6, 250000, 6.0 / 9}, {4, 0.75, 0.6, 250000, 6.0 / 9},
		{5, 1, 4.0 / 6, 250000, 0.8}, {6, 1, 4.0 / 12, 1e6, 0.5},
	} {
		if list[k] != want {
			t.Errorf("k = %d: %+v, expected %+v", k, list[k], want)
		}
	}
	if best := balanced(list); best.threshold != 5 {
		t.Errorf("the highest F1 is at %d, expected 5", best.threshold)
	}
	if best, ok := most(list, func(f found) bool { return f.precision >= 0.9 }); !ok || best.threshold != 1 {
		t.Errorf("%+v, %v, expected k = 1", best, ok)
	}
	if best, ok := most(list, func(f found) bool { return f.precision > 1 }); ok {
		t.Errorf("%+v, expected none", best)
	}
}

func TestRanks(t *testing.T) {
	if diff := cmp.Diff([]float64{3, 0.5, 2, 0.5}, ranks([]float64{9, 1, 5, 1})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// figure returns that of a row.
func figure(t *testing.T, rows []resultfile.Row, name, unit string) float64 {
	t.Helper()
	for _, r := range rows {
		if r.Name == name && r.Unit == unit {
			return r.Samples[0].Value
		}
	}
	t.Fatalf("there is no row %s of %s", name, unit)
	return 0
}

// Of made-up words in random order, vectors with 29 of 30 words in common are found by their
// cosine, and by fingerprints that are wide enough; others are not found. Names are of their own
// and can be taken apart.
func TestRows(t *testing.T) {
	c := made(60, 30)
	rows, err := Rows(t.Context(), c, Shown[c.Language])
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if _, err := benchname.Parse(r.Name); err != nil || math.IsNaN(r.Samples[0].Value) || seen[r.Name+" "+r.Unit] {
			t.Errorf("row %+v, error %v", r, err)
		}
		seen[r.Name+" "+r.Unit] = true
	}
	const of = "Texts/collection=made/lang=en/length=short/truth=labels"
	const words = of + "/features=words/weights=count"
	for _, tc := range []struct {
		name, unit  string
		least, most float64
	}{
		{of, evidence.Documents, 120, 120},
		{of, evidence.SamePairs, 60, 60},
		{of, terms.Pairs, 7140, 7140},
		{words + "/by=cosine", evidence.Recall + evidence.AtPrecision90, 1, 1},
		{words + "/f=256", evidence.Recall + evidence.AtPrecision90, 1, 1},
		{words + "/f=64", evidence.Recall + evidence.AtDefaultK, 0.02, 0.4},
		{words + "/f=64", evidence.Precision + evidence.AtDefaultK, 1, 1},
		{strings.Replace(words, "labels", "cosine0.9", 1) + "/f=256", evidence.Recall + evidence.AtPrecision90, 1, 1},
		{strings.Replace(words, "Texts/", "TextsByK/", 1) + "/f=64/k=16", evidence.Recall, 0.95, 1},
		{strings.Replace(words, "Texts/", "TextsByK/", 1) + "/f=64/k=0", evidence.FalsePerMillion, 0, 0},
	} {
		if got := figure(t, rows, tc.name, tc.unit); got < tc.least || got > tc.most {
			t.Errorf("%s: %v %s, expected %v to %v", tc.name, got, tc.unit, tc.least, tc.most)
		}
	}
}

// Scores are compared by rank, and only pairs that have one are judged.
func TestScores(t *testing.T) {
	c := made(50, 20)
	c.Truth, c.Scores = collections.ByScores, map[collections.Pair]float64{}
	for i := range int32(50) {
		c.Scores[collections.Pair{2 * i, 2*i + 1}] = 5
		c.Scores[collections.Pair{i, i + 50}] = 0 // these have hardly a word in common
	}
	delete(c.Scores, collections.Pair{0, 1})
	rows, err := Rows(t.Context(), c, []Definition{{"words", weights.Count}})
	if err != nil {
		t.Fatal(err)
	}
	const of = "Texts/collection=made/lang=en/length=short/truth=scores"
	if got := figure(t, rows, of, evidence.SamePairs); got != 49 {
		t.Errorf("%v pairs, expected 49", got)
	}
	if got := figure(t, rows, of+"/features=words/weights=count/by=cosine", evidence.RankCorrelation); got < 0.85 {
		t.Errorf("rank correlation %v", got)
	}
}

// All pairs of a larger collection are judged as those of a smaller one, as far as they are found.
func TestGrown(t *testing.T) {
	c := madeOf(25, 60, 8) // so that not all that is found is right
	d := Definition{"words", weights.Count}
	rows, err := Grown(t.Context(), c, d, []int{40})
	if err != nil {
		t.Fatal(err)
	}
	exact, err := Rows(t.Context(), c, []Definition{d})
	if err != nil {
		t.Fatal(err)
	}
	const of = "/collection=made/lang=en/length=short/truth=labels/features=words/weights=count/f="
	for _, f := range []string{"64", "128", "256"} {
		for _, unit := range []string{evidence.Recall + evidence.AtPrecision90, evidence.Threshold + evidence.AtPrecision90} {
			got, want := figure(t, rows, evidence.TextsGrown+of+f+"/documents=120", unit), figure(t, exact, evidence.Texts+of+f, unit)
			if got != want || f == "64" && got == 1 {
				t.Errorf("f = %s: %v %s, expected %v, and less than all", f, got, unit, want)
			}
		}
	}
	figure(t, rows, evidence.TextsGrown+of+"64/documents=40", evidence.Recall+evidence.AtPrecision90)
}
