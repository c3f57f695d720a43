package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// unsureLine is a row of pairs at one cosine.
func unsureLine(way string, recall float64) string {
	return fmt.Sprintf("BenchmarkUnsure/hash=xxh64/weights=lognormal/f=64/nnz=100/cosine=0.95/%s 1 %v recall", way, recall)
}

func unsureSection(t *testing.T, sources ...Source) string {
	t.Helper()
	_, rest, found := strings.Cut(render(t, sources...), `<section id="unsure"`)
	if !found {
		t.Fatal("there is no section on unsure bits")
	}
	text, _, _ := strings.Cut(rest, "</section>")
	return text
}

// The answer stands first, with the rows that it is by, and the picture has three lines.
func TestUnsureSection(t *testing.T) {
	o := sampleOptions{unsure: true}
	got := unsureSection(t, o.source(t, "unsure.txt"))
	var at []int
	for _, want := range []string{
		"Each bit of a fingerprint is the sign of a sum", whole("k = 3 finds 61% without the 8 least sure of 64 bits; plain k = 5, which lets as many strangers pass, finds 38%."),
		"cosine=0.95/<wbr>t=8/<wbr>k=3", "100 features, weighted as words are</h3>", "Lines for k = 3, k = 5, k = 3, 8 ignored over cosines from 0.800", "Lines for by distance, by sums",
		"Where it fails", "100 features, one of which outweighs the others: next to nothing is gained", "Vectors of other kinds", "The numbers", "4.48e−13",
	} {
		i := strings.Index(got, want)
		if i < 0 {
			t.Fatalf("no %q in\n%s", want, got)
		}
		at = append(at, i)
	}
	if !slices.IsSorted(at) {
		t.Errorf("the parts stand in another order: %v", at)
	}
	if n := strings.Count(got, "<svg"); n != 4 {
		t.Errorf("%d pictures, expected 4", n)
	}
}

// Of one cosine there is no line, and what other files say of it is in doubt.
func TestUnsureOfOneCosine(t *testing.T) {
	lines := []string{unsureLine("k=3", 0.1), unsureLine("k=5", 0.4), unsureLine("t=8/k=3", 0.6)}
	got := unsureSection(t, fromText(t, "A", lines...))
	if strings.Contains(got, "<svg") || strings.Contains(got, "Where it") || !strings.Contains(got, "finds 40%") {
		t.Errorf("want the answer without a picture:\n%s", got)
	}
	other := slices.Clone(lines)
	other[2] = unsureLine("t=8/k=3", 0.7)
	page := render(t, fromText(t, "A", lines...), fromText(t, "A", other...))
	if !strings.Contains(page, "finds 70%") || !strings.Contains(page, "0.600") {
		t.Error("two files do not agree, and nothing says so")
	}
}
