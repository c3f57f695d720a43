package choose

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"simhashkit/bench"
	"simhashkit/bench/advice"
	"simhashkit/bench/calibrate"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// vectors returns dense ones, of which some pairs are near-duplicates.
func vectors(t *testing.T, n, planted int) *bench.Data {
	t.Helper()
	options := datasets.GenerateOptions{Seed: 3, Vectors: n, NNZ: 40, Dimensions: 5000, Weights: datasets.TFIDFWeights}
	if planted > 0 {
		options.Duplicates = []datasets.PlantedPairs{{Cosine: 0.95, Pairs: planted}, {Cosine: 0.8, Pairs: planted}}
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

// The threshold is that of calibrate for the hash that is chosen; the screen begins with it.
func TestChooseOnVectors(t *testing.T) {
	data := vectors(t, 600, 60)
	a := chosen(t, Options{Data: data, Hashes: []string{"fnv1-64", "xxh64"}})
	if best := a.Ranking().Best; best == nil || best.Hash != "xxh64" || a.Hash.Family.Name != "xxh64" {
		t.Fatalf("best %+v", best)
	}
	set, err := data.Float32()
	if err != nil {
		t.Fatal(err)
	}
	want, err := calibrate.Measure(context.Background(), &set, calibrate.Options{Hash: a.Hash})
	if err != nil {
		t.Fatal(err)
	}
	if *a.Calibration.Suggestion != *want.Suggestion || a.taken().K != want.Suggestion.K || a.taken().Bits != want.Suggestion.Bits {
		t.Errorf("suggestion %+v, taken %+v, want %+v", a.Calibration.Suggestion, a.taken(), want.Suggestion)
	}
	text := shown(t, a, "text")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if !strings.HasPrefix(text, "Use xxh64 with le64 keys") || len(lines) > 23 { // and the prompt
		t.Errorf("%d lines:\n%s", len(lines), text)
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > lineWidth {
			t.Errorf("longer than %d: %s", lineWidth, line)
		}
	}
	for _, part := range []string{"It is the default, and no other\ngood one is clearly cheaper", "Do not use:\n  fnv1-64  only good here: 28.7 of 64 bits on runs of consecutive indices", "← this", "fphash calibrate DATA", "Target "} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing from\n%s", part, text)
		}
	}
	if taken := strings.Count(text, "← this"); taken != 1 {
		t.Errorf("%d thresholds are suggested", taken)
	}
	if markdown := shown(t, a, "markdown"); !strings.Contains(markdown, "**"+a.lead()+"**") || !strings.Contains(markdown, "| bits | k |") {
		t.Errorf("markdown:\n%s", markdown)
	}
	var object struct {
		Hash       string
		K          int
		TargetMet  *bool
		Thresholds []struct{ Precision *float64 }
		Hashes     []struct{ Name, Verdict string }
	}
	if err := json.Unmarshal([]byte(shown(t, a, "json")), &object); err != nil {
		t.Fatal(err)
	}
	if object.Hash != "xxh64" || object.K != a.taken().K || object.TargetMet == nil || len(object.Hashes) != 2 || object.Hashes[0].Verdict != terms.Good.String() || object.Thresholds[0].Precision == nil {
		t.Errorf("%+v", object)
	}
}

// Without vectors hashes are judged on the patterns that are named.
func TestChooseWithoutVectors(t *testing.T) {
	a := chosen(t, Options{Patterns: []quality.Pattern{quality.Consecutive}, Hashes: []string{"fnv1a64", "xxh64"}, Encoding: fphash.Dec, Recall: 0.9})
	if a.Calibration != nil || a.Hash.Encoding != fphash.Dec || len(a.Hashes.Weak) != 1 || a.Hashes.Weak[0].String() != "fnv1a64 with dec" {
		t.Fatalf("%+v, weak %v", a.Hash, a.Hashes.Weak)
	}
	if got, want := a.taken().Finds, calibrate.Model(64, 0.9)[a.taken().K]; got != want || got < 0.9 || calibrate.Model(64, 0.9)[a.taken().K-1] >= 0.9 {
		t.Errorf("k = %d finds %v, want %v", a.taken().K, got, want)
	}
	text := shown(t, a, "text")
	if !strings.HasPrefix(text, "Use xxh64 with dec keys and 64 bits. Without vectors of yours") || strings.Contains(text, "calibrate") {
		t.Errorf("%s", text)
	}
}

// Where no hash is good the answer says so, and is about the default.
func TestChooseAmongWeakHashes(t *testing.T) {
	a := chosen(t, Options{Patterns: []quality.Pattern{quality.Consecutive}, Hashes: []string{"fnv1a64", "fnv1-64"}})
	if text := shown(t, a, "text"); a.Ranking().Best != nil || a.Hash.Family.Name != fphash.DefaultHash || !strings.HasPrefix(text, "No hash is known to be good here. With the default, xxh64 with le64 keys, take\n64 bits. Without vectors") {
		t.Errorf("%s", text)
	}
}

func TestChooseFails(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stop")
	cancel(stop)
	if _, err := Choose(ctx, Options{Hashes: []string{"xxh64"}}); !errors.Is(err, stop) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Choose(context.Background(), Options{Hashes: []string{"xxh46"}}); err == nil {
		t.Error("a hash that is not known")
	}
	if err := new(Answer).Write(&bytes.Buffer{}, "csv"); err == nil || !strings.Contains(err.Error(), "expected text, markdown, json") {
		t.Errorf("format: %v", err)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[float64]string{
		0.2: "less than 1", 1: "1", 994: "990", 996: "1,000", 1234: "1,200", 123_456: "120,000", 45_600: "46,000", 994_000: "990,000", 999_000: "1.0 million", 1.26e6: "1.3 million", 12.6e6: "13 million", 5e11: "500 billion", 1.5e9: "1.5 billion",
	} {
		if got := count(n); got != want {
			t.Errorf("count(%v) = %q, want %q", n, got, want)
		}
	}
}

// How many more pairs would tell follows from how far the interval reaches beyond what divides good
// from weak; where something else is missing, nothing is said.
func TestWouldTell(t *testing.T) {
	figure := func(value, side float64) *resultfile.Figure {
		return &resultfile.Figure{Median: value, Lo: value - side, Hi: value + side, Samples: 1}
	}
	for _, c := range []struct {
		all, near *resultfile.Figure
		want      string
	}{
		{figure(59.6, 4), figure(64, 1), " About 4 times as many pairs of vectors would tell."},
		{figure(56.6, 3), figure(64, 1), " About 9 times as many pairs of vectors would tell."},
		{figure(57.6, 1), figure(64, 1), " No number of pairs would: it is at the border."},
		{figure(64, 1), figure(64, 1), ""}, // too few indices to test bits, say
		{figure(59, 4), nil, ""},
	} {
		a := &Answer{Hashes: &advice.Recommendation{Default: &advice.Choice{Cases: []advice.Case{{Bits: 64, All: c.all, Cos90: c.near}}}}}
		if got := a.wouldTell(); got != c.want {
			t.Errorf("%+v, %+v: %q, want %q", c.all, c.near, got, c.want)
		}
	}
}
