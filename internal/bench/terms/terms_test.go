package terms

import "testing"

func TestBetter(t *testing.T) {
	for direction, units := range map[int][]string{
		+1: {"MB/s", "effective-bits", "effective-bits-cos90-low", "verdict"},
		-1: {"ns/key", "rmse", "constant-bits", "ns/op"},
		0:  {"bias", "bias-cos90", "pairs", "pairs-cos90", "keyings"},
	} {
		for _, unit := range units {
			if got := Better(unit); got != direction {
				t.Errorf("%s: %d, want %d", unit, got, direction)
			}
		}
	}
}
