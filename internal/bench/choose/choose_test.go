package choose

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/binomial"
)

// vectors returns generated vectors with planted pairs of cosine 0.95 and 0.8.
func vectors(t *testing.T, n, nnz, planted int) *bench.Data {
	t.Helper()
	options := datasets.GenerateOptions{Seed: 3, Vectors: n, NNZ: nnz, Dimensions: 5000, Weights: "tfidf"}
	if planted > 0 {
		options.Duplicates = []datasets.PlantedPairs{{Cosine: 0.95, Pairs: planted}, {Cosine: 0.8, Pairs: planted}}
	}
	if nnz < 10 {
		options.Weights = datasets.Unit
	}
	set, _, err := datasets.Generate[float64](t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	data, err := bench.NewData("vectors.svm", "generated vectors", set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func chosen(t *testing.T, o Options) *Answer {
	t.Helper()
	a, err := Choose(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func shown(t *testing.T, a *Answer, format string) string {
	t.Helper()
	var out bytes.Buffer
	if err := a.Write(&out, format); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// contains reports an error for each part that is missing from the text, ignoring line breaks.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	flat := strings.Join(strings.Fields(text), " ")
	for _, part := range parts {
		if !strings.Contains(flat, part) {
			t.Errorf("%q is missing from\n%s", part, text)
		}
	}
}

// The text begins with the answer and the pairs that it is based on, and is short.
func TestChooseOnVectors(t *testing.T) {
	a := chosen(t, Options{Data: vectors(t, 600, 40, 60), Hashes: []string{"fnv1-64", "xxh64"}, Dedup: "fphash dedup vectors.svm", Precision: 0.5})
	if best := a.Hashes.Best; best == nil || best.Hash != "xxh64" || a.Hash.Name != "xxh64" || a.Hashes.Verdict() != terms.Good || !a.Met {
		t.Fatalf("best %+v, met %v", best, a.Met)
	}
	text := shown(t, a, "text")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if !strings.HasPrefix(text, "Use xxh64 with le64 keys, ") || len(lines) > 15 {
		t.Errorf("%d lines:\n%s", len(lines), text)
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 85 { // a table may be a little wider
			t.Errorf("too long: %s", line)
		}
	}
	contains(t, text, "of the 60 pairs of cosine 0.9 and above in the file; ", "of 100 found are real.", "This is not certain: other vectors of this kind may need k of ",
		"To drop them, no k needed: fphash dedup vectors.svm --similarity 0.9 By fingerprints alone: fphash dedup vectors.svm --k ", " bits k finds 95% at 0.9 real of 100 ", "It is the default, and no other good hash is clearly cheaper", "Good on these vectors but weak on other indices: fnv1-64 le64.")
	if taken := strings.Count(text, "← this"); taken != 1 {
		t.Errorf("%d thresholds are suggested", taken)
	}
	var object struct {
		Hash, Verdict string
		K             int
		TargetMet     bool
		Pairs         struct{ NearDuplicates int }
		Thresholds    []struct{ Precision *float64 }
		Hashes        []struct{ Name, Verdict string }
	}
	if err := json.Unmarshal([]byte(shown(t, a, "json")), &object); err != nil {
		t.Fatal(err)
	}
	if object.Hash != "xxh64" || object.Verdict != "good" || object.K != a.Taken().K || !object.TargetMet || object.Pairs.NearDuplicates != 60 ||
		len(object.Hashes) != 2 || object.Hashes[0].Verdict != "good" || object.Thresholds[0].Precision == nil {
		t.Errorf("%+v", object)
	}
}

// If even the best threshold finds too many other pairs, the answer says so, and the command
// compares cosines.
func TestChooseWhereFewAreReal(t *testing.T) {
	a := chosen(t, Options{Data: vectors(t, 600, 40, 60), Hashes: []string{"crc32c"}, Dedup: "fphash dedup vectors.svm", Precision: 1})
	if a.Met || a.Hashes.Verdict() != terms.Good {
		t.Errorf("met %v", a.Met)
	}
	contains(t, shown(t, a, "text"), "of 100 found are real: compare the cosines, too.", "no k needed: fphash dedup vectors.svm --similarity 0.9")
}

// Without near-duplicates, k comes from the model, and precision is unknown.
func TestChooseWithoutNearDuplicates(t *testing.T) {
	for _, n := range []int{2, 3, 150} {
		a := chosen(t, Options{Data: vectors(t, n, 40, 0), Hashes: []string{"splitmix64"}, Dedup: "fphash dedup vectors.svm"})
		if taken := a.Taken(); a.By != ByTheory || taken.Bits != 64 || taken.Real != nil || taken.Low < 0.95 {
			t.Fatalf("%d vectors: %+v", n, taken)
		}
		contains(t, shown(t, a, "text"), ", 64 bits and k = 14: in theory that finds 96% of the pairs of cosine 0.9, and more of those above.",
			"The file has too few of them to measure it: 0 pairs.", "--similarity 0.9")
	}
}

// If all vectors are copies, the answer says so.
func TestChooseOnCopies(t *testing.T) {
	var set datasets.CSR[float64]
	for i := range 500 {
		scale := float64(1 + i%3)
		if err := set.Append(&datasets.Row[float64]{Indices: []uint64{1, 2, 3}, Weights: []float64{scale, 2 * scale, 3 * scale}}); err != nil {
			t.Fatal(err)
		}
	}
	data, err := bench.NewData("same.svm", "copies", set)
	if err != nil {
		t.Fatal(err)
	}
	text := shown(t, chosen(t, Options{Data: data, Hashes: []string{"xxh64"}}), "text")
	contains(t, text, "The file has too few of them to measure it: 0 pairs.", "499 of 500 vectors are copies of another one, which every k finds.")
}

// The width is mentioned once.
func TestWidthOfNarrowHash(t *testing.T) {
	contains(t, shown(t, chosen(t, Options{Data: vectors(t, 100, 40, 0), Hashes: []string{"crc32c"}}), "text"), "crc32c with le64 keys, 32 bits and k = ")
}

// A burst of load in one of the two rounds, or noise in both, does not replace the default. A hash
// that saves 30% in both rounds does, whatever load both share.
func TestTimesOfTwoRounds(t *testing.T) {
	for name, tc := range map[string]struct {
		saves [2]float64 // by fmix64, in each round
		noise float64
		want  string
	}{
		"the same":          {[2]float64{0, 0}, 0.05, "xxh64"},
		"both rounds":       {[2]float64{0.4, 0.4}, 0.05, "fmix64"},
		"the first round":   {[2]float64{0.5, 0}, 0.05, "xxh64"},
		"the second round":  {[2]float64{0, 0.5}, 0.05, "xxh64"},
		"too little":        {[2]float64{0.25, 0.25}, 0.05, "xxh64"},
		"noisy, but halved": {[2]float64{0.5, 0.5}, 0.3, "fmix64"},
		"noisy":             {[2]float64{0.1, 0.1}, 1, "xxh64"},
	} {
		for seed := range uint64(20) {
			r, round := rand.New(rand.NewPCG(seed, 1)), 0
			o := Options{Patterns: []string{terms.Consecutive}, Hashes: []string{"fmix64", "xxh64"}}
			o.run = func(ctx context.Context, suite bench.Options) ([]resultfile.Row, error) {
				var rows []resultfile.Row
				for _, hash := range suite.Hashes {
					if name := "Quality/hash=" + hash + "/encoding=le64/pattern=consecutive/weights=unit/f=64"; suite.Matches(name) {
						for unit, value := range map[string]float64{"effective-bits": 64, "verdict": 1} {
							rows = append(rows, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
						}
					}
				}
				for i, hash := range suite.Hashes {
					row := resultfile.Row{Name: "Sketch/hash=" + hash + "/encoding=le64/weights=f32/f=64/kernel=avx2/nnz=100", Unit: "ns/nnz"}
					for range 31 {
						ns := []float64{2 * (1 - tc.saves[round]), 2}[i] * (1 + tc.noise*r.Float64())
						row.Samples = append(row.Samples, resultfile.Sample{Iterations: 1, Value: ns})
					}
					rows = append(rows, row)
				}
				round++
				return rows, nil
			}
			if a := chosen(t, o); a.Hash.Name != tc.want || round != 2 {
				t.Errorf("%s, seed %d: %s after %d rounds, want %s", name, seed, a.Hash.Name, round, tc.want)
			}
		}
	}
}

// Without vectors, hashes are judged on the requested patterns.
func TestChooseWithoutVectors(t *testing.T) {
	a := chosen(t, Options{Patterns: []string{terms.Consecutive}, Hashes: []string{"fnv1a64", "xxh64"}, Encoding: fphash.Dec, Recall: 0.9})
	if a.Pairs != nil || len(a.Hashes.Weak) != 1 || a.Hashes.Weak[0].String() != "fnv1a64 with dec keys" {
		t.Fatalf("%+v, weak %v", a.Pairs, a.Hashes.Weak)
	}
	near := binomial.OfCosine(64, 0.9)
	if k := a.Taken().K; a.Taken().Low != near[k] || a.Taken().Finds != 0 || near[k] < 0.9 || near[k-1] >= 0.9 {
		t.Errorf("%+v", a.Taken())
	}
	contains(t, shown(t, a, "text"), "Use xxh64 with dec keys, 64 bits and k = 13: in theory that finds 93% of the pairs of cosine 0.9, and more of those above. bits k finds 95% at 0.9 real of 100", "13 ≥ 93% 93% ", "Weak, do not use: fnv1a64 dec.")
}

// If all hashes are weak, the answer says so and describes the default.
func TestChooseAmongWeakHashes(t *testing.T) {
	a := chosen(t, Options{Patterns: []string{terms.Consecutive}, Hashes: []string{"fnv1a64", "fnv1-64"}})
	if a.Hashes.Best != nil || a.Hash.Name != fphash.DefaultHash || a.Hashes.Verdict() != terms.Weak {
		t.Errorf("%+v", a.Hashes)
	}
	contains(t, shown(t, a, "text"), "All 2 combinations of hash and encoding are weak on the indices and weights measured (1 kind). With the default, xxh64, 64 bits and k = 14")
}

func TestChooseFails(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stop")
	cancel(stop)
	if _, err := Choose(ctx, Options{Hashes: []string{"xxh64"}}); !errors.Is(err, stop) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Choose(context.Background(), Options{Hashes: []string{"xxh46"}}); err == nil {
		t.Error("an unknown hash: no error")
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[float64]string{0.2: "less than 1", 1: "1", 994: "990", 1234: "1200", 123_456: "120 thousand", 1.26e6: "1.3 million", 12.6e6: "13 million", 1.5e9: "1.5 billion"} {
		if got := count(n); got != want {
			t.Errorf("count(%v) = %q, want %q", n, got, want)
		}
	}
}

// counted returns a comparison of two widths. All near pairs are within 2 bits, and all other pairs
// within 4.
func counted(near uint64, others [2]uint64) *comparison {
	c := &comparison{pairs: &Pairs{All: 100_000, Near: near, related: int(near)}, cosine: 0.9}
	for i, bits := range []int{32, 64} {
		w := &width{bits: bits, keyings: 1}
		for _, t := range w.tallies() {
			*t = newTally(1, bits)
		}
		fill := func(t tally, d int, n uint64) {
			for i := range n {
				t.count(0, d, int(i%parts), int(i%parts))
			}
		}
		fill(w.near, 2, near)
		fill(w.other, 2, others[i])
		fill(w.other, 4, 100_000-near-others[i])
		c.widths = append(c.widths, w)
	}
	return c
}

// The smallest width with the wanted precision is suggested, or else the widest.
func TestMeasuredThresholds(t *testing.T) {
	for name, tc := range map[string]struct {
		c    *comparison
		bits int
		real float64
		met  bool
	}{
		"the first is surely precise": {counted(1000, [2]uint64{5, 1}), 32, 1000.0 / 1005, true},
		"the first may be precise":    {counted(100, [2]uint64{2, 1}), 64, 100.0 / 101, true},
		"the second is precise":       {counted(100, [2]uint64{50, 1}), 64, 100.0 / 101, true},
		"none is precise":             {counted(100, [2]uint64{40, 50}), 64, 100.0 / 150, false},
	} {
		a := &Answer{Options: Options{Cosine: 0.9, Recall: 0.95, Precision: 0.95}}
		a.measuredThresholds(tc.c)
		got := a.Taken()
		if got.Bits != tc.bits || got.K != 2 || a.Met != tc.met || got.Finds != 1 || math.Abs(*got.Real-tc.real) > 1e-12 {
			t.Errorf("%s: %+v, met %v", name, got, a.Met)
		}
		if got.Low <= 0.9 || got.High != 1 || a.By != ByPairs {
			t.Errorf("%s: %v to %v by %s", name, got.Low, got.High, a.By)
		}
	}
}

// An interval that spans the wanted precision leaves the width open, and one that spans the wanted
// recall leaves k open.
func TestCertain(t *testing.T) {
	for name, tc := range map[string]struct {
		c       *comparison
		certain bool
		widths  int
	}{
		"clearly precise":   {counted(1000, [2]uint64{0, 0}), true, 1},
		"perhaps precise":   {counted(1000, [2]uint64{50, 0}), false, 2},
		"clearly imprecise": {counted(1000, [2]uint64{500, 0}), true, 1},
		"few pairs":         {counted(40, [2]uint64{0, 0}), false, 2},
	} {
		a := &Answer{Options: Options{Cosine: 0.9, Recall: 0.95, Precision: 0.95}}
		if a.measuredThresholds(tc.c); a.Certain() != tc.certain || tc.certain && len(a.Widths) != tc.widths {
			t.Errorf("%s: certain %v, k from %d to %d, widths %v", name, a.Certain(), a.KFrom, a.KTo, a.Widths)
		}
	}
}

// If no pair is found in a sample, Found is computed from the upper 95% limit, which is three
// pairs. Copies are found.
func TestFoundAmongMillion(t *testing.T) {
	for found, want := range map[uint64]float64{0: 3, 1: 1, 3: 3, 7: 7} {
		c := counted(0, [2]uint64{found, 0})
		at := c.threshold(c.widths[0], 2)
		if want *= million / 100_000.0 * (million - 1) / 2; at.Found != want || at.AtMost != (found == 0) {
			t.Errorf("%v of 100,000 pairs: %v, at most: %v, expected %v", found, at.Found, at.AtMost, want)
		}
		c.pairs.Copies = 1000
		if at, want := c.threshold(c.widths[0], 2), float64(1000+found)*million/100_000*(million-1)/2; at.Found != want || at.AtMost {
			t.Errorf("1,000 copies and %v pairs: %v, expected %v", found, at.Found, want)
		}
	}
}

// Without vectors, the list has the smallest k of each recall, without duplicates. The k of the
// wanted recall is suggested, even if another recall has the same k.
func TestModelledThresholds(t *testing.T) {
	family, err := fphash.Lookup(fphash.DefaultHash)
	if err != nil {
		t.Fatal(err)
	}
	for _, cosine := range []float64{0.6, 0.9, 0.99, 0.99999} {
		near := binomial.OfCosine(64, cosine)
		for _, recall := range []float64{0.3, 0.5, 0.51, 0.8, 0.9, 0.93, 0.95, 0.951, 0.989, 0.99, 0.9999} {
			a := &Answer{Options: Options{Cosine: cosine, Recall: recall}, Hash: family}
			last, taken := -1, -1
			for _, at := range a.modelled() {
				if at.K <= last || at.Low != near[at.K] {
					t.Errorf("cosine %v, recall %v: k = %d after %d finds %v", cosine, recall, at.K, last, at.Low)
				}
				if last = at.K; at.Take {
					if taken >= 0 {
						t.Errorf("cosine %v, recall %v: both %d and %d are suggested", cosine, recall, taken, at.K)
					}
					taken = at.K
				}
			}
			if taken < 0 || near[taken] < recall || taken > 0 && near[taken-1] >= recall {
				t.Errorf("cosine %v: k = %d is suggested for a recall of %v", cosine, taken, recall)
			}
		}
	}
}
