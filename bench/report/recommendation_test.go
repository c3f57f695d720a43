package report

import (
	"fmt"
	"strings"
	"testing"
)

func qualityRow(hash, pattern string, bits, verdict float64) string {
	return fmt.Sprintf("BenchmarkQuality/hash=%s/encoding=le64/pattern=%s/weights=unit/f=64 1 %g effective-bits %g effective-bits-low %g effective-bits-high %g verdict", hash, pattern, bits, bits-1, bits+1, verdict)
}

// timeRows has enough samples for an interval, of a hundredth to both sides.
func timeRows(hash string, ns float64) string {
	var lines []string
	for i := range 9 {
		lines = append(lines, fmt.Sprintf("BenchmarkHash/hash=%s/encoding=le64/kernel=avx2/n=1024 1000 %g ns/key", hash, ns*(1+float64(i-4)/400)))
	}
	return strings.Join(lines, "\n")
}

func TestRecommendation(t *testing.T) {
	for _, tc := range []struct {
		name    string
		lines   []string
		say     []string
		dontSay []string
	}{
		{
			name: "the cheapest good one, not the cheapest",
			lines: []string{qualityRow("fast", "p", 9, -1), qualityRow("fast", "q", 63, 1), qualityRow("good", "p", 62, 1), qualityRow("good", "q", 63, 1), qualityRow("dear", "p", 64, 1), qualityRow("dear", "q", 64, 1),
				timeRows("fast", 1), timeRows("good", 2), timeRows("dear", 9)},
			say: []string{"Use good with encoding le64: 2.00 ns per feature.", "cheapest of the 2 combinations", "Its worst case is p indices, unit weights: 62.0 of 64 effective bits (95% interval 61.0 to 63.0)",
				"Also good in all cases, in ns per feature: dear · le64 9.00", "fast · le64: weak in 1 of 2 cases. Worst on p indices, unit weights: 9.00 of 64 effective bits"},
			dontSay: []string{"Use fast", "As cheap within the noise", "undecided"},
		},
		{
			name: "what was measured in fewer cases is not recommended",
			lines: []string{qualityRow("a", "p", 63, 1), qualityRow("b", "p", 63, 1), qualityRow("b", "q", 63, 1),
				timeRows("a", 1), timeRows("b", 2)},
			say: []string{"Use b with", "a · le64: good in the 1 case that it was measured in. Not measured, unlike most: q indices, unit weights.", "Cheaper, in ns per feature, but judged in fewer cases: a · le64 1.00."},
		},
		{
			name:  "none is good",
			lines: []string{qualityRow("a", "p", 55, 0), timeRows("a", 1)},
			say:   []string{"None of them can be recommended: no verdict is good in all cases.", "What is undecided", "a · le64: undecided in 1 of 1 case."},
		},
		{
			name:  "nothing has all usual cases",
			lines: []string{qualityRow("a", "p", 63, 1), qualityRow("b", "q", 63, 1), timeRows("a", 1), timeRows("b", 2)},
			say:   []string{"Use a with", "It was judged in 1 case; not measured, unlike most: q indices, unit weights."},
		},
		{
			name:    "noise",
			lines:   []string{qualityRow("a", "p", 63, 1), qualityRow("b", "p", 63, 1), qualityRow("c", "p", 63, 1), noisyRows("a", 3, 0.9), noisyRows("c", 6, 0.9), noisyRows("b", 3.5, 0.9)},
			say:     []string{"This run cannot tell apart: a · le64; b · le64; more --samples would."},
			dontSay: []string{"As cheap"},
		},
		{
			name:    "noise far apart",
			lines:   []string{qualityRow("a", "p", 63, 1), qualityRow("c", "p", 63, 1), noisyRows("a", 3, 0.9), noisyRows("c", 6, 0.9)},
			say:     []string{"so noisy that it cannot tell 1 other, with medians more than 1.5 times as long, from it"},
			dontSay: []string{"As cheap"},
		},
		{
			name:  "as cheap within the noise",
			lines: []string{qualityRow("a", "p", 63, 1), qualityRow("b", "p", 63, 1), qualityRow("c", "p", 63, 1), timeRows("a", 1), timeRows("b", 1.001), timeRows("c", 1.2)},
			say:   []string{"Use a with", "As cheap within the noise of this run: b · le64.", "Also good in all cases, in ns per feature: c · le64 1.20"},
		},
		{
			name:    "no times",
			lines:   []string{qualityRow("a", "p", 63, 1), qualityRow("b", "p", 8, -1)},
			say:     []string{"it is not known which good one is cheapest", "Good in all cases: a · le64."},
			dontSay: []string{"Use a"},
		},
		{
			name:    "good, but not timed",
			lines:   []string{qualityRow("a", "p", 63, 1), qualityRow("b", "p", 8, -1), timeRows("b", 1)},
			say:     []string{"Good in all cases, but not timed: a · le64."},
			dontSay: []string{"Use a", "Use b"},
		},
		{
			name:    "some not timed",
			lines:   []string{qualityRow("a", "p", 63, 1), qualityRow("b", "p", 63, 1), timeRows("b", 2)},
			say:     []string{"Use b with", "but not timed in that run: a · le64"},
			dontSay: []string{"Use a"},
		},
		{
			name: "whole sketches",
			lines: []string{qualityRow("b", "p", 63, 1),
				strings.ReplaceAll(strings.ReplaceAll(timeRows("b", 3), "Hash/hash=b/encoding=le64/kernel=avx2/n=1024", "Sketch/hash=b/weights=f32/f=64/kernel=avx2/nnz=100"), "ns/key", "ns/nnz")},
			say: []string{"Use b with encoding le64: 3.00 ns per feature.", "whole sketch, f32 weights, vectors: 100 features"},
		},
		{
			name:    "other widths stand aside",
			lines:   []string{qualityRow("a", "p", 63, 1), qualityRow("b", "p", 63, 1), strings.ReplaceAll(qualityRow("c", "p", 5, -1), "f=64", "f=32"), timeRows("a", 1), timeRows("b", 2)},
			say:     []string{"at 64 bits", "1 row of other widths", "Use a with"},
			dontSay: []string{"c · le64"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			says(t, recommendationOf(t, fromText(t, "A", tc.lines...)), tc.say, tc.dontSay)
		})
	}
}

// Each machine has a recommendation of its own, by its own times, on the quality that all files
// share.
func TestTwoMachines(t *testing.T) {
	page := plain(render(t,
		fromText(t, "Left CPU", qualityRow("a", "p", 63, 1), qualityRow("b", "p", 63, 1), timeRows("a", 1), timeRows("b", 2)),
		fromText(t, "Right CPU", timeRows("a", 4), timeRows("b", 3))))
	for _, want := range []string{"Use a with encoding le64 on Left CPU: 1.00 ns per feature.", "Use b with encoding le64 on Right CPU: 3.00 ns per feature.", "measured on Left CPU; Right CPU"} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%s", want, page)
		}
	}
}

func TestDoubts(t *testing.T) {
	page := plain(render(t,
		fromText(t, "A", qualityRow("a", "p", 63, 1), "BenchmarkQuality/hash=b/encoding=le64/pattern=p/weights=unit/f=64 1 NaN effective-bits", "# error: Hash/hash=a/n=1: wrong answer: key 7"),
		fromText(t, "B", qualityRow("a", "p", 60, 1))))
	for _, want := range []string{"BenchmarkHash/hash=a/n=1 in file 1: wrong answer: key 7", "effective-bits: 60.0 in file 2, which is shown, 63.0 in file 1", "1 figure is no number"} {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%s", want, page)
		}
	}
	if clean := plain(render(t, fromText(t, "A", qualityRow("a", "p", 63, 1)))); strings.Contains(clean, "What is wrong with the files") {
		t.Error("a clean file has doubts")
	}
}
