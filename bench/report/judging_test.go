package report

import (
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
			"Use a with encoding le64. It costs 1.00 ns", "It was judged in 2 cases, fewer than others, which were judged in up to 7 cases.",
			"own · le64: good in the 7 cases that it was measured in. Not measured, unlike most: q indices, unit weights.", "weak · le64: weak in 1 of 2 cases"},
		[]string{"None of them", "undecided", "Use own"})
}

// Bad news does not look like good news.
func TestLooks(t *testing.T) {
	page := render(t, fromText(t, "A", qualityRow("a", "p", 9, -1), timeRows("a", 1)))
	if !strings.Contains(page, `<p class="callout warning"><span class="lead">None of them can be`) || !strings.Contains(page, ".callout.warning { border-left-color: var(--weak); }") {
		t.Error("that there is none to recommend is no warning")
	}
}
