package report

import (
	"fmt"
	"strings"
	"testing"
)

// recommendationOf is the text of the section.
func recommendationOf(t *testing.T, sources ...Source) string {
	t.Helper()
	page := plain(render(t, sources...))
	page, _, _ = strings.Cut(page[strings.Index(page, "Which hash to use"):], "Speed against effective bits")
	return page
}

func says(t *testing.T, page string, say, dontSay []string) {
	t.Helper()
	for _, want := range say {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%s", want, page)
		}
	}
	for _, bad := range dontSay {
		if strings.Contains(page, bad) {
			t.Errorf("it says %q:\n%s", bad, page)
		}
	}
}

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

// The section says what package advice says, with the rows that it is by, and what is wrong with
// the others.
func TestRecommendation(t *testing.T) {
	for _, tc := range []struct {
		name         string
		lines        []string
		say, dontSay []string
	}{
		{"a good one, not the cheapest",
			[]string{qualityRow("fast", "p", 9, -1), qualityRow("good", "p", 62, 1), qualityRow("dear", "p", 64, 1), qualityRow("fast", "q", 63, 1), qualityRow("good", "q", 63, 1), qualityRow("dear", "q", 64, 1),
				timeRows("fast", 1), timeRows("good", 2), timeRows("dear", 9)},
			[]string{"Use good with le64 keys: 2.00 ns per feature of hashing alone (kernel avx2). 2 of the 3 combinations are good", "BenchmarkHash/hash=good/encoding=le64/kernel=avx2/n=1024BenchmarkQuality/hash=good/encoding=le64/pattern=p/weights=unit/f=64",
				"At worst it is worth 62.0 of 64 bits", "Weak, do not use: fast le64.", "fast: 9.0 of 64 bits on little-endian keys of"},
			[]string{"Use fast", "Undecided"}},
		{"none is good", []string{qualityRow("a", "p", 55, 0), timeRows("a", 1)}, []string{"No hash is known to be good on", "a: too few pairs at cosine 0.9 and above"}, []string{"Use "}},
		{"no times", []string{good("a"), qualityRow("b", "p", 8, -1)}, []string{"Use a with le64 keys, which was not timed in this run."}, nil},
		{"other widths stand aside", []string{good("a", "b"), strings.ReplaceAll(qualityRow("c", "p", 5, -1), "f=64", "f=32"), timeRows("a", 1), timeRows("b", 2)},
			[]string{"Use a with"}, []string{"c le64"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			says(t, recommendationOf(t, fromText(t, "A", tc.lines...)), tc.say, tc.dontSay)
		})
	}
}

// Bad news does not look like good news.
func TestLooks(t *testing.T) {
	page := render(t, fromText(t, "A", qualityRow("a", "p", 9, -1), timeRows("a", 1)))
	if !strings.Contains(page, `<p class="callout warning"><span class="lead">a with le64 keys is weak on `) || !strings.Contains(page, ".callout.warning { border-left-color: var(--weak); }") {
		t.Error("that there is none to recommend is no warning")
	}
}

// Each machine has a recommendation of its own, by its own times, on the quality that all files
// share.
func TestTwoMachines(t *testing.T) {
	page := plain(render(t,
		fromText(t, "Left CPU", qualityRow("fmix64", "p", 63, 1), qualityRow("xxh64", "p", 63, 1), timeRows("fmix64", 1), timeRows("xxh64", 2)),
		fromText(t, "Right CPU", timeRows("fmix64", 4), timeRows("xxh64", 3))))
	says(t, page, []string{"Left CPU Use fmix64 with le64 keys", "It is clearly cheaper than the default, xxh64 with le64 keys (2.00 ns)", "Right CPU Use xxh64 with le64 keys", "It is the default", "measured on Left CPU; Right CPU"}, nil)
}

func TestDoubts(t *testing.T) {
	page := plain(render(t,
		fromText(t, "A", qualityRow("a", "p", 63, 1), "BenchmarkQuality/hash=b/encoding=le64/pattern=p/weights=unit/f=64 1 NaN effective-bits", "# error: Hash/hash=a/n=1: wrong answer: key 7"),
		fromText(t, "B", qualityRow("a", "p", 60, 1))))
	says(t, page, []string{"BenchmarkHash/hash=a/n=1 in file 1: wrong answer: key 7", "1 figure is no number"}, nil)
	noisy := plain(render(t, fromText(t, "A", qualityRow("a", "p", 63, 1), "BenchmarkHash/hash=a/encoding=le64/kernel=generic/n=8 1 2 ns/key",
		"BenchmarkHash/hash=a/encoding=le64/kernel=generic/n=8 1 4 ns/key", "BenchmarkHash/hash=a/encoding=le64/kernel=generic/n=8 1 3 ns/key",
		"BenchmarkHash/hash=a/encoding=le64/kernel=generic/n=8 1 9 ns/key", "BenchmarkHash/hash=a/encoding=le64/kernel=generic/n=8 1 5 ns/key",
		"BenchmarkHash/hash=a/encoding=le64/kernel=generic/n=8 1 2 ns/key")))
	says(t, noisy, []string{"File 1. Noisy: 1 of 1 medians are uncertain by more than 25%"}, nil)
	if clean := plain(render(t, fromText(t, "A", qualityRow("a", "p", 63, 1)))); strings.Contains(clean, "What is wrong with the files") {
		t.Error("a clean file has doubts")
	}
}
