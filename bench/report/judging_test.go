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

// A file of one hash in many cases takes no recommendation from those that were measured in few,
// and a hash without a usual case is not called undecided.
func TestCasesOfTwoCommands(t *testing.T) {
	var doctor []string
	for _, pattern := range []string{"p", "r", "s", "u", "v", "w", "x"} {
		doctor = append(doctor, qualityRow("own", pattern, 63, 1))
	}
	bench := []string{timeRows("a", 1), timeRows("b", 2), timeRows("weak", 0.5)}
	for _, hash := range []string{"a", "b"} {
		bench = append(bench, qualityRow(hash, "p", 63, 1), qualityRow(hash, "q", 62, 1))
	}
	bench = append(bench, qualityRow("weak", "p", 63, 1), qualityRow("weak", "q", 9, -1))
	says(t, recommendationOf(t, fromText(t, "A", doctor...), fromText(t, "A", bench...)),
		[]string{"judged in 8 cases", "at least half of the combinations were in 2 cases, and 6 others are left out for those that lack them",
			"Use a with encoding le64: 1.00 ns", "It was judged in 2 cases, fewer than others, which were judged in up to 7 cases.",
			"own · le64: good in the 7 cases that it was measured in. Not measured, unlike most: q indices, unit weights.", "weak · le64: weak in 1 of 2 cases"},
		[]string{"None of them", "undecided", "Use own"})
}

// noisyRows spread around the median by that factor.
func noisyRows(hash string, ns, factor float64) string {
	var lines []string
	for i := range 9 {
		lines = append(lines, fmt.Sprintf("BenchmarkHash/hash=%s/encoding=le64/kernel=avx2/n=1024 1000 %g ns/key", hash, ns*(1+float64(i-4)/4*factor)))
	}
	return strings.Join(lines, "\n")
}

// Whatever is undecided has its reason: what the file says of its vectors, or the band.
func TestReasonOfUndecided(t *testing.T) {
	band := "BenchmarkQuality/hash=a/encoding=le64/pattern=p/weights=unit/f=64 1 58 effective-bits 56 effective-bits-low 60 effective-bits-high 0 verdict"
	says(t, recommendationOf(t, fromText(t, "A", band)), []string{"Undecided: 56.0 to 60.0 of 64 bits, too few pairs at cosine 0.9 and above (good: 57.6 and more)."}, nil)
	own := fromText(t, "A", "# note: no verdict: 3 vectors are too few", strings.ReplaceAll(band, "weights=unit", "weights=f32/data=own.svm"), strings.ReplaceAll(band, "hash=a", "hash=b"))
	page := recommendationOf(t, own)
	says(t, page, []string{"Undecided: the file says: no verdict: 3 vectors are too few."}, nil)
	if n := strings.Count(page, "the file says"); n != 1 {
		t.Errorf("the note of the data is said %d times, want once: of the other patterns it says nothing", n)
	}
}

// Bad news does not look like good news, and a caption speaks of the picture above it.
func TestLooks(t *testing.T) {
	page := render(t, fromText(t, "A", qualityRow("a", "p", 9, -1), timeRows("a", 1)))
	if !strings.Contains(page, `<p class="callout warning"><span class="lead">None of them can be`) {
		t.Error("that there is none to recommend is no warning")
	}
	if !strings.Contains(page, `<span class="narrow"> Numbers stand for lines of the table below: 1 a le64.</span></figcaption>`) {
		t.Error("the caption says of the wide picture that its marks are numbers")
	}
}
