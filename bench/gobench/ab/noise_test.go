package ab

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"simhashkit/bench/gobench/ab/paired"
	"simhashkit/bench/gobench/compare"
)

func TestNoise(t *testing.T) {
	c := newClock()
	old, new := programs(c, 1, 0)
	old.modes, new.modes = 0.05, 0.05
	old.extra = func(run int, ns float64) string { return "\t7 B/op" }
	new.extra = old.extra
	o := c.options()
	o.Control, o.Budget = true, 20*DefaultBudget
	r := mustRun(t, []Task{taskOf(old, new)}, o)
	noise := r.Noise()
	if len(noise) != 1 {
		t.Fatalf("%+v", noise)
	}
	// Independent runs, 5% each, whose figures are quartiles of 5 samples: differences are noisier
	// by the root of two.
	n := noise[0]
	if n.Rounds != r.Rounds || n.Unit != "sec/op" || math.Abs(n.Processes/0.05-1) > 0.3 || math.Abs(n.Pairs/n.Processes/math.Sqrt2-1) > 0.3 || !(n.Detectable > 0.002 && n.Detectable < 0.02) || math.Abs(n.Drift) > 0.03 {
		t.Errorf("%+v", n)
	}

	for i := range r.Comparisons[0].Old { // 30% from the first to the last
		factor := 1 + 0.3*float64(i)/float64(r.Rounds)
		r.Comparisons[0].Old[i] *= factor
		r.Comparisons[0].New[i] *= factor
	}
	if drift := r.Noise()[0].Drift; math.Abs(drift-0.2) > 0.05 {
		t.Errorf("drift %v", drift)
	}
}

func TestWriteNoise(t *testing.T) {
	comparison := Comparison{Benchmark: "X", Unit: "sec/op", Old: []float64{1, 2, 3}, New: []float64{2, 3, 4}, Share: 0.02, Finding: paired.Finding{Detectable: math.Inf(1)}}
	r := &Result{Report: &compare.Report{Notes: []string{"a note"}, Gaps: []compare.Gap{{Kind: compare.GapSamples, Message: "a gap"}}}, Comparisons: []Comparison{comparison}}
	for _, format := range NoiseFormats() {
		var out strings.Builder
		if err := WriteNoise(&out, r, format); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || !strings.Contains(text, "X") || !strings.Contains(text, "a note") || !strings.Contains(text, "a gap") {
			t.Errorf("%s:\n%s", format, text)
		}
		if format != "jsonl" {
			continue
		}
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", line)
			}
		}
	}
	var out strings.Builder
	if err := WriteNoise(&out, &Result{Report: &compare.Report{}}, "text"); err != nil || out.String() != "No noise: no figures have differed between runs.\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// No change below the threshold is said to be noticed, since none would be called one.
func TestFloor(t *testing.T) {
	noise := func(detectable ...float64) (list []Noise) {
		for _, d := range detectable {
			list = append(list, Noise{Detectable: d, Threshold: 0.03})
		}
		return list
	}
	const here = "On this machine, within this budget, ab would notice "
	for _, tc := range []struct {
		noise []Noise
		want  string
	}{
		{noise(0.0001), here + "a change of 3.0% or more, four times out of five."},
		{noise(0.052), here + "a change of 5.2% or more, four times out of five."},
		{noise(0.0001, 0.001), here + "a change of 3.0% or more in half of the 2 comparisons with noise, and in the noisiest a change of 3.0% or more, four times out of five."},
		{noise(0.2, 0.0001, 0.052), here + "a change of 5.2% or more in half of the 3 comparisons with noise, and in the noisiest a change of 20.0% or more, four times out of five."},
		{noise(0.04, math.Inf(1)), here + "a change of 4.0% or more in half of the 2 comparisons with noise, and in the noisiest no change, however large; a larger --budget gives more rounds."},
		{noise(math.Inf(1)), here + "no change, however large; a larger --budget gives more rounds."},
	} {
		if got := floor(tc.noise); got != tc.want {
			t.Errorf("%s\nwant %s", got, tc.want)
		}
		if cell := noiseTable(tc.noise[:1]).Render(); strings.Contains(cell, "0.01%") {
			t.Error(cell)
		}
	}
}
