package report

import (
	"fmt"
	"strings"
	"testing"
)

func searchSection(t *testing.T, sources ...Source) string {
	t.Helper()
	_, rest, found := strings.Cut(render(t, sources...), `<section id="search"`)
	if !found {
		t.Fatal("there is no section on searches")
	}
	text, _, _ := strings.Cut(rest, "</section>")
	return text
}

// Of two runs the one of more sizes is drawn, and what only one size has is in no picture.
func TestSearchShowsTheLargestRun(t *testing.T) {
	run := func(name string, ns float64, sizes ...int) Source {
		var lines []string
		for _, n := range sizes {
			for range 8 {
				lines = append(lines, fmt.Sprintf("BenchmarkQuery/index=scan/f=64/k=3/kernel=avx2/n=%d 1 %v ns/query", n, ns))
			}
		}
		return fromText(t, "A", append([]string{"# command: " + name}, lines...)...)
	}
	got := searchSection(t, run("large", 111, 1000, 2000), run("small", 222, 1000))
	if !strings.Contains(got, "from 0.111 to 0.111 µs a query") || strings.Contains(got, "0.222") || strings.Count(got, "<svg") != 1 {
		t.Errorf("want one picture, of the large run:\n%s", got)
	}
	if got := searchSection(t, run("small", 222, 1000)); strings.Contains(got, "<svg") || !strings.Contains(got, commandSearch) {
		t.Errorf("want no picture of one size:\n%s", got)
	}
}

// A file of joins alone has its picture.
func TestSearchOfJoinsAlone(t *testing.T) {
	got := searchSection(t, fromText(t, "A", "BenchmarkPairs/index=blocks/f=64/k=3/kernel=avx2/n=1000 1 5000 ns/op", "BenchmarkPairs/index=blocks/f=64/k=3/kernel=avx2/n=9000 1 7000 ns/op"))
	for _, want := range []string{"from 0.00000500 to 0.00000700 seconds"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Count(got, "<svg") != 1 {
		t.Errorf("want one picture:\n%s", got)
	}
}
