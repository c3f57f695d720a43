package terms

import "testing"

func TestBetter(t *testing.T) {
	for direction, units := range map[int][]string{
		+1: {"MB/s", "effective-bits", "effective-bits-cos90-low", "recall", "precision", "verdict", "recall-p90", "precision-f1", "rank-correlation"},
		-1: {"ns/key", "rmse", "constant-bits", "worst-avalanche", "table-bytes", "heap-bytes", "angle-rmse", "ns/op", "ns/query", "ns/read", "bytes/entry", "peak-bytes", "strangers", "cosine-rmse", "false-ppm", "cycles/nnz", "cycles/fingerprint", "cycles/key", "cpu-ns/op", "written-bytes", "largest-block", "compared-pairs"},
		0: {"bias", "bias-cos90", "bias-p", "pairs", "pairs-cos90", "keyings", "planted", "dropped",
			"angle-bias", "angle-rmse-ideal", "unrelated-mean-ratio", "correlation-p", "cosine-bias", "threshold-p90", "same-pairs", "median-length", "block-lines", "blocks"},
	} {
		for _, unit := range units {
			if got := Better(unit); got != direction {
				t.Errorf("%s: %d, want %d", unit, got, direction)
			}
		}
	}
}
