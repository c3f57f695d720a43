package report

import (
	"fmt"
	"strings"
	"testing"
)

func qualityRow(hash, pattern string, bits, verdict float64) string {
	return fmt.Sprintf("BenchmarkQuality/hash=%s/encoding=le64/pattern=%s/weights=unit/f=64 1 %g effective-bits %g effective-bits-low %g effective-bits-high %g verdict", hash, pattern, bits, bits-1, bits+1, verdict)
}

// good are rows of hashes that are good on one pattern.
func good(hashes ...string) string {
	var lines []string
	for _, hash := range hashes {
		lines = append(lines, qualityRow(hash, "p", 63, 1))
	}
	return strings.Join(lines, "\n")
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
	const open = "BenchmarkQuality/hash=a/encoding=le64/pattern=p/weights=unit/f=64 1 58 effective-bits 56 effective-bits-low 60 effective-bits-high 0 verdict"
	sketch := strings.NewReplacer("Hash/hash=b/encoding=le64/kernel=avx2/n=1024", "Sketch/hash=b/weights=f32/f=64/kernel=avx2/nnz=100", "ns/key", "ns/nnz")
	for _, tc := range []struct {
		name         string
		lines        []string
		say, dontSay []string
	}{
		{"a good one, not the cheapest",
			[]string{qualityRow("fast", "p", 9, -1), qualityRow("good", "p", 62, 1), qualityRow("dear", "p", 64, 1), qualityRow("fast", "q", 63, 1), qualityRow("good", "q", 63, 1), qualityRow("dear", "q", 64, 1),
				timeRows("fast", 1), timeRows("good", 2), timeRows("dear", 9)},
			[]string{"Use good with encoding le64. It costs 2.00 ns per feature", "Its worst case is p indices, unit weights: 62.0 of 64 effective bits (95% interval 61.0 to 63.0)",
				"Also good in all cases, in ns per feature: dear · le64 9.00", "fast · le64: weak in 1 of 2 cases. Worst on p indices, unit weights: 9.00 of 64 effective bits"},
			[]string{"Use fast", "undecided"}},
		{"what was measured in fewer cases is not recommended", []string{good("a", "b"), qualityRow("b", "q", 63, 1), timeRows("a", 1), timeRows("b", 2)},
			[]string{"Use b with", "a · le64: good in the 1 case that it was measured in. Not measured, unlike most: q indices, unit weights."}, nil},
		{"none is good", []string{qualityRow("a", "p", 55, 0), timeRows("a", 1)},
			[]string{"None of them can be recommended: no verdict is good in all cases.", "What is undecided", "a · le64: undecided in 1 of 1 case."}, nil},
		{"undecided", []string{open}, []string{"Undecided: 56.0 to 60.0 of 64 bits, too few pairs at cosine 0.9 and above (good: 57.6 and more)."}, nil},
		{"nothing has all usual cases", []string{good("a"), qualityRow("b", "q", 63, 1), timeRows("a", 1), timeRows("b", 2)},
			[]string{"Use a with", "It was judged in 1 case; not measured, unlike most: q indices, unit weights."}, nil},
		{"cheaper than the default", []string{good("xxh64", "fmix64", "md5"), timeRows("xxh64", 2), timeRows("fmix64", 1), timeRows("md5", 9)},
			[]string{"Use fmix64 with encoding le64. It is clearly cheaper than the default, xxh64 with le64 (2.00 ns): changing saves 50% of the time.", "Also good in all cases, in ns per feature: xxh64 · le64 2.00; md5 · le64 9.00"}, nil},
		{"the default", []string{good("xxh64", "md5"), timeRows("xxh64", 2), timeRows("md5", 9)},
			[]string{"Use xxh64 with encoding le64. It is the default, and no other good one is clearly cheaper, by 10% and more. It costs 2.00 ns"}, nil},
		{"the default is undecided", []string{strings.ReplaceAll(open, "hash=a", "hash=xxh64"), qualityRow("a", "p", 60, 1)},
			[]string{"Keep the default, xxh64 with encoding le64. These files do not tell the hashes apart"}, []string{"Use "}},
		{"no times", []string{good("a"), qualityRow("b", "p", 8, -1)},
			[]string{"Use a with encoding le64. It was not timed."}, nil},
		{"good, but not timed", []string{good("a"), qualityRow("b", "p", 8, -1), timeRows("b", 1)},
			[]string{"Use a with encoding le64. It was not timed.", "Good in all cases, but not timed: a · le64."}, []string{"Use b"}},
		{"some not timed", []string{good("a", "b"), timeRows("b", 2)}, []string{"Use a with", "but not timed: a · le64"}, []string{"Use b"}},
		{"whole sketches", []string{good("b"), sketch.Replace(timeRows("b", 3))},
			[]string{"Use b with encoding le64. It costs 3.00 ns per feature", "whole sketch, f32 weights, vectors: 100 features"}, nil},
		{"other widths stand aside", []string{good("a", "b"), strings.ReplaceAll(qualityRow("c", "p", 5, -1), "f=64", "f=32"), timeRows("a", 1), timeRows("b", 2)},
			[]string{"at 64 bits", "1 row of other widths", "Use a with"}, []string{"c · le64"}},
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
		fromText(t, "Left CPU", qualityRow("fmix64", "p", 63, 1), qualityRow("xxh64", "p", 63, 1), timeRows("fmix64", 1), timeRows("xxh64", 2)),
		fromText(t, "Right CPU", timeRows("fmix64", 4), timeRows("xxh64", 3))))
	says(t, page, []string{"Use fmix64 with encoding le64 on Left CPU. It is clearly cheaper than the default, xxh64 with le64 (2.00 ns)", "Use xxh64 with encoding le64 on Right CPU. It is the default", "measured on Left CPU; Right CPU"}, nil)
}

func TestDoubts(t *testing.T) {
	page := plain(render(t,
		fromText(t, "A", qualityRow("a", "p", 63, 1), "BenchmarkQuality/hash=b/encoding=le64/pattern=p/weights=unit/f=64 1 NaN effective-bits", "# error: Hash/hash=a/n=1: wrong answer: key 7"),
		fromText(t, "B", qualityRow("a", "p", 60, 1))))
	says(t, page, []string{"BenchmarkHash/hash=a/n=1 in file 1: wrong answer: key 7", "effective-bits: 60.0 in file 2, which is shown, 63.0 in file 1", "1 figure is no number"}, nil)
	if clean := plain(render(t, fromText(t, "A", qualityRow("a", "p", 63, 1)))); strings.Contains(clean, "What is wrong with the files") {
		t.Error("a clean file has doubts")
	}
}
