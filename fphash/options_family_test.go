package fphash

import "testing"

// Another function under a registered name would have that one's definition.
func TestFamilyOfRegisteredName(t *testing.T) {
	sum := func(dst []uint64, _ []byte) { dst[0] = 7 }
	if _, err := New(WithFamily(FromFunc("xxh64", 64, sum))); err == nil {
		t.Error("a function of one's own was taken for xxh64")
	}
	if _, err := New(WithFamily(FromFunc("mine-of-this-test", 64, sum))); err != nil {
		t.Error(err)
	}
	for _, f := range Families() {
		if f.Bits < 64 {
			continue
		}
		if _, err := New(WithFamily(f)); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
