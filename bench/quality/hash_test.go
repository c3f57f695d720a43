package quality

import (
	"errors"
	"strings"
	"testing"

	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
)

// The code of a listed key equals the code that the family computes for its bytes.
func TestOfListedKeys(t *testing.T) {
	list := []string{"", "a", "word", "a longer key than eight bytes", "ß"}
	family, err := fphash.Lookup("highway128")
	if err != nil {
		t.Fatal(err)
	}
	h, err := OfListedKeys(family, 100, fphash.WidenNone, list)
	if err != nil {
		t.Fatal(err)
	}
	codes, err := h.New(7)
	if err != nil {
		t.Fatal(err)
	}
	keys := []uint64{4, 0, 2, 3, 1, 2}
	got := make([]uint64, 2*len(keys))
	if err := codes(got, keys); err != nil {
		t.Fatal(err)
	}
	key := make([]byte, 32)
	key[0] = 7
	function, err := family.New(fphash.Key{Bytes: key})
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range keys {
		want := make([]uint64, 2)
		function.(fphash.ByteHash).HashBytes(want, []byte(list[k]), []int{len(list[k])})
		if got[i] != want[0] || got[len(keys)+i] != want[1]&(1<<36-1) {
			t.Errorf("%q: %x %x, want %x", list[k], got[i], got[len(keys)+i], want)
		}
	}
	integers, err := fphash.Lookup("splitmix64")
	if err != nil {
		t.Fatal(err)
	}
	if h, err = OfListedKeys(integers, 64, fphash.WidenNone, list); err == nil {
		if _, err = h.New(0); err == nil {
			t.Error("no error for a hash of integers")
		}
	}
}

// A list that is shorter than the pattern needs, and encoded indices in place of strings, are
// errors.
func TestHashesThatDoNotSuitThePattern(t *testing.T) {
	family, err := fphash.Lookup("fnv1a64")
	if err != nil {
		t.Fatal(err)
	}
	short, err := OfListedKeys(family, 64, fphash.WidenNone, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generate(t, WorkloadOptions{Pattern: terms.Consecutive, Weights: terms.Unit, Pairs: 40}).Measure(short, 0); err == nil || !strings.Contains(err.Error(), "of a list of 2 strings") {
		t.Errorf("a short list: %v", err)
	}
	indices, err := OfFamily(family, fphash.Dec, 64, fphash.WidenNone)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := generate(t, WorkloadOptions{Pattern: terms.Words, Weights: terms.Unit, Pairs: 40}).Measure(indices, 0); err == nil || !strings.Contains(err.Error(), "use OfListedKeys") {
		t.Errorf("indices for strings: %v", err)
	}
}

func TestBadHashes(t *testing.T) {
	w := generate(t, WorkloadOptions{Pattern: terms.Dense1e3, Weights: terms.Unit, Pairs: 40})
	pipe := errors.New("the pipe is closed")
	calls := 0
	failing := OfFunc("mine", 64, func(dst, keys []uint64) error {
		if calls++; calls > 3 {
			return pipe
		}
		return nil
	})
	if _, err := w.Measure(failing, 0); !errors.Is(err, pipe) || !strings.Contains(err.Error(), "hash mine") {
		t.Errorf("a hash that fails: %v", err)
	}
	wide := OfFunc("mine", 8, func(dst, keys []uint64) error { dst[0] = 256; return nil })
	if _, err := w.Measure(wide, 0); err == nil || !strings.Contains(err.Error(), "wider than its 8 bits") {
		t.Errorf("a code that is too wide: %v", err)
	}
	for _, h := range []Hash{{Name: "nothing", Bits: 64}, OfFunc("none", 0, nil), OfFunc("huge", 4097, nil)} {
		if _, err := w.Measure(h, 0); err == nil {
			t.Errorf("%s: no error", h.Name)
		}
	}
	// A hash that is always zero gives finite results, and all its bits are reported.
	zero := measure(t, w, OfFunc("zero", 64, func(dst, keys []uint64) error { clear(dst); return nil }))
	if len(zero.Bit.Constant) != 64 {
		t.Errorf("a hash that is always zero: %+v", zero.Verdict)
	}
	if _, err := OfFamily(fphash.Family{}, 0, 64, 0); err == nil {
		t.Error("no error for an empty family")
	}
	crc, err := fphash.Lookup("crc32c")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OfFamily(crc, fphash.LE64, 64, fphash.WidenNone); err == nil {
		t.Error("no error for 64 bits of a hash with 32 bits")
	}
}
