package evidence

import "testing"

func TestBetter(t *testing.T) {
	for direction, units := range map[int][]string{
		+1: {"recall", "precision", "precision-jaccard", "MB/s"},
		-1: {"peak-bytes", "strangers", "cosine-rmse", "cycles/nnz", "cycles/fingerprint", "cycles/key", "cpu-ns/op", "written-bytes", "largest-block", "compared-pairs", "ns/op"},
		0:  {"pairs", "planted", "dropped", "cosine-bias", "documents", "removable", "rightly-dropped", "block-lines", "blocks"},
	} {
		for _, unit := range units {
			if got := Better(unit); got != direction {
				t.Errorf("%s: %d, want %d", unit, got, direction)
			}
		}
	}
}
