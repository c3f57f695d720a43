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
// Pareto front, in lists of faults, and in panels.
func TestTheWorseBandCounts(t *testing.T) {
	lines := []string{
		bandsRow("near", "p", 63, 20, -1), bandsRow("near", "q", 50, 60, -1),
		bandsRow("far", "p", 40, 60, -1), bandsRow("far", "q", 62, 63, 1),
		timeRows("near", 2), timeRows("far", 1),
	}
	for _, hash := range []string{"near", "far"} {
		for _, pattern := range []string{"p", "q"} {
			for _, k := range []int{0, 3} {
				lines = append(lines, fmt.Sprintf("BenchmarkNearDuplicates/hash=%s/encoding=le64/pattern=%s/weights=unit/f=64/k=%d 1 0.5 recall 0.5 precision 0.5 ideal-recall 0.5 ideal-precision", hash, pattern, k))
			}
		}
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
		"near · le64 p indices, unit weights: weak, 20.0 bits at cosine ≥ 0.9",
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

// The page says from which D on hashing is ahead, and of which vectors.
func TestProjectionCrossovers(t *testing.T) {
	var lines []string
	for _, p := range []struct {
		method string
		d      int
		ns     float64
	}{{"gaussian", 100, 50}, {"gaussian", 1000, 200}, {"hash-per-index", 100, 100}, {"hash-per-index", 1000, 100}} {
		hashing, projecting := fmt.Sprintf("Hash/hash=%s/encoding=le64/kernel=avx2/n=1024", p.method), fmt.Sprintf("Projection/method=%s/f=64/D=%d/nnz=100", p.method, p.d)
		lines = append(lines, strings.NewReplacer(hashing, projecting, "ns/key", "ns/vector").Replace(timeRows(p.method, p.ns)))
	}
	page := plain(render(t, fromText(t, "A", lines...)))
	says(t, page, []string{"hash-per-index is faster than gaussian from D = 1000 on (near 3.2e+02): f=64 nnz=100"},
		[]string{"is smaller than"}) // sizes that no row has
}
