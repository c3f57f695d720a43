package table

import (
	"testing"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

func TestSMHasher3(t *testing.T) {
	failed := smhasher3()
	for hash := range failed {
		if _, err := fphash.Lookup(hash); err != nil {
			t.Error(err)
		}
	}
	if failed["xxh64"] != "9 of 250" || failed["fnv1a64"] != "230 of 235" || failed["splitmix64"] != "" {
		t.Errorf("failed tests %v", failed)
	}
}
