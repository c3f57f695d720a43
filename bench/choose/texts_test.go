package choose

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"simhashkit/bench"
	"simhashkit/bench/calibrate"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/internal/testing/long"
)

// On texts too: choose names what calibrate suggests for the hash of the features, in each run the
// same, and the command that it gives verifies what is dropped.
func TestAnswersAgreeOnTexts(t *testing.T) {
	long.Skip(t, "measures eight collections twice")
	family, err := fphash.Lookup(fphash.DefaultHash)
	if err != nil {
		t.Fatal(err)
	}
	for name, texts := range kindsOfTexts() {
		for _, features := range []string{"words", "characters,n=3,fold"} {
			t.Run(name+" "+features, func(t *testing.T) {
				options := optionsOf(t, name, texts, features)
				a, again := chosen(t, options), chosen(t, options)
				if a.lead() != again.lead() || a.command() != again.command() {
					t.Errorf("two runs: %s\n%s", a.lead(), again.lead())
				}
				of, err := quality.OfTexts(family, options.Data.Features)
				if err != nil {
					t.Fatal(err)
				}
				set := options.Data.All()
				own, err := calibrate.Measure(t.Context(), &set, calibrate.Options{Hash: calibrate.Hash{Family: of}, Texts: len(texts)})
				if err != nil {
					t.Fatal(err)
				}
				s, want := a.Calibration.Suggestion, own.Suggestion
				if (s == nil) != (want == nil) || a.Calibration.Note != own.Note || s != nil && *s != *want {
					t.Errorf("choose: %+v, %q; calibrate: %+v, %q", s, a.Calibration.Note, want, own.Note)
				}
				if best := a.Ranking().Best; best == nil || !best.IsDefault() || a.Hash.Family.Name != fphash.DefaultHash {
					t.Errorf("best %v, %s", best, a.Hash.Family.Name)
				}
				if !strings.HasSuffix(a.command(), fmt.Sprintf("--k %d --verify jaccard:0.8", a.taken().K)) {
					t.Errorf("command %s", a.command())
				}
				if strings.Contains(shown(t, a, "text"), "vectors") {
					t.Errorf("texts are called vectors:\n%s", shown(t, a, "text"))
				}
			})
		}
	}
}

// optionsOf returns the options of choose for texts.
func optionsOf(t *testing.T, name string, texts []string, features string) Options {
	t.Helper()
	o, err := text.ParseOptions(features)
	if err != nil {
		t.Fatal(err)
	}
	analyzer, err := text.New(o)
	if err != nil {
		t.Fatal(err)
	}
	weigher, err := weights.New(weights.Options{})
	if err != nil {
		t.Fatal(err)
	}
	byIndex := map[uint64][]byte{}
	index := func(feature []byte) (uint64, bool) {
		number := xxhash.Sum64(feature)
		byIndex[number] = bytes.Clone(feature)
		return number, true
	}
	var set datasets.CSR[float64]
	for _, document := range texts {
		var row datasets.Row[float64]
		row.Indices, row.Weights = weigher.Weigh(analyzer.Append(nil, []byte(document))).AppendIndexed(nil, nil, index)
		if err := set.Append(&row); err != nil {
			t.Fatal(err)
		}
	}
	data, err := bench.NewData("texts", name, set)
	if err != nil {
		t.Fatal(err)
	}
	data.Features = byIndex
	return Options{Data: data, Texts: len(texts), Dedup: "fphash dedup texts", Hashes: []string{"xxh64", "murmur3-128", "fnv1-64"}}
}

// kindsOfTexts are collections of made-up texts, some of them with copies of which a word in twenty
// is another one.
func kindsOfTexts() map[string][]string {
	random := rand.New(rand.NewPCG(1, 2))
	written := func(n, least, most, vocabulary, copies int, space string, letter func(int) string) (texts []string) {
		var last []string
		for i := range n {
			words := make([]string, least+random.IntN(most-least+1))
			if isCopy := i%2 == 1 && i < 2*copies; isCopy {
				words = slices.Clone(last)
			}
			for at := range words {
				if words[at] == "" || random.IntN(20) == 0 {
					words[at] = letter(int(float64(vocabulary) * random.Float64() * random.Float64()))
				}
			}
			last = words
			texts = append(texts, strings.Join(words, space))
		}
		return texts
	}
	word := func(i int) string { return fmt.Sprint("w", i) }
	ideograph := func(i int) string { return string(rune(0x4e00 + i)) }
	return map[string][]string{
		"short":           written(400, 3, 8, 500, 0, " ", word),
		"short, copies":   written(400, 6, 9, 2000, 150, " ", word),
		"long, copies":    written(300, 150, 300, 20_000, 120, " ", word),
		"few":             written(40, 20, 40, 1000, 10, " ", word),
		"one word each":   written(300, 1, 1, 30, 0, " ", word),
		"identical":       slices.Repeat([]string{"the same text again"}, 100),
		"Chinese, copies": written(300, 20, 60, 3000, 120, "", ideograph),
		"numbers":         written(300, 10, 20, 5000, 100, " ", strconv.Itoa),
	}
}
