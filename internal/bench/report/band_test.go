package report

import (
	"fmt"
	"testing"
)

func bandsRow(hash, pattern string, all, near, verdict float64) string {
	return fmt.Sprintf("BenchmarkQuality/hash=%s/encoding=le64/pattern=%s/weights=unit/f=64 1 %g effective-bits %g effective-bits-low %g effective-bits-high "+
		"%g effective-bits-cos90 %g effective-bits-cos90-low %g effective-bits-cos90-high %g verdict", hash, pattern, all, all-1, all+1, near, near-2, near+2, verdict)
}

// Cases are compared by their worse band in the table and in lists of faults.
func TestTheWorseBandCounts(t *testing.T) {
	lines := []string{
		bandsRow("near", "p", 63, 20, -1), bandsRow("near", "q", 50, 60, -1),
		bandsRow("far", "p", 40, 60, -1), bandsRow("far", "q", 62, 63, 1),
		timeRows("near", 2), timeRows("far", 1),
	}
	source := fromText(t, "A", lines...)
	says(t, plain(render(t, source)), []string{"near: 63.0 of 64 bits (20.0 at cosine 0.9 and above) on", "20.018.0 to 22.0 p, unit at cosine ≥ 0.9weak", "40.039.0 to 41.0 p, unitweak"}, nil)
}
