package report

import (
	"fmt"
	"strings"
	"testing"
)

func bandsRow(hash, pattern string, all, near, verdict float64) string {
	return fmt.Sprintf("BenchmarkQuality/hash=%s/encoding=le64/pattern=%s/weights=unit/f=64 1 %g effective-bits %g effective-bits-low %g effective-bits-high "+
		"%g effective-bits-cos90 %g effective-bits-cos90-low %g effective-bits-cos90-high %g verdict", hash, pattern, all, all-1, all+1, near, near-2, near+2, verdict)
}

// The worst case is that of the worse band, wherever cases are compared: in the table, on the
// Pareto front, and in lists of faults.
func TestTheWorseBandCounts(t *testing.T) {
	lines := []string{
		bandsRow("near", "p", 63, 20, -1), bandsRow("near", "q", 50, 60, -1),
		bandsRow("far", "p", 40, 60, -1), bandsRow("far", "q", 62, 63, 1),
		timeRows("near", 2), timeRows("far", 1),
	}
	source := fromText(t, "A", lines...)
	html := render(t, source)
	// the other one is dearer, and worse by its worse band only
	if !strings.Contains(html, "On the Pareto front, from cheap to dear: far.") {
		t.Error("the front is another")
	}
	page := plain(html)
	says(t, page, []string{
		"near · le64: weak in 2 of 2 cases. Worst on p indices, unit weights: 63.0 of 64 effective bits",
		"20.018.0 to 22.0p, unit at cosine ≥ 0.935.0",
		"40.039.0 to 41.0p, unit51.0",
		"the smaller of both bands (all angles, cosine ≥ 0.9) with the interval of that band",
	}, nil)
}

// The p-values of the tests of bits stand among the numbers; a row without them has dashes.
func TestPValues(t *testing.T) {
	page := plain(render(t, fromText(t, "A", bandsRow("with", "p", 63, 63, 1)+
		" 0 constant-bits 0 copied-bits 0.011 bias-p 0.022 correlation-p 1e-300 avalanche-p 1.1 unrelated-mean-ratio 0.033 unrelated-mean-p 1.2 unrelated-variance-ratio 0.044 unrelated-variance-p",
		bandsRow("without", "p", 63, 63, 1))))
	says(t, page, []string{"p: bias of a bitp: correlationp: avalancheunrelated: meanpvariancepverdict", "000.01100.0220<1e−121.100.03301.200.0440good", "–––––––––good"}, nil)
}
