package fphash

import (
	"errors"
	"strings"
	"testing"
)

func TestWhatDoesNotSuit(t *testing.T) {
	noBytes := Family{Name: "no-bytes", Bits: 64, New: func(Key) (Hash, error) { return splitMix64{}, nil }}
	tiny := wideHash(8)
	for _, c := range []struct {
		want    string
		options []Option
	}{
		{"unknown widening Widen(4); expected none, reseed, counter, mix", []Option{WithWiden(4)}},
		{"code is 64 bits wide, 65 wanted; ask for at most 64 bits of xxh64, widen it by reseed, counter, mix or choose", []Option{WithWiden(WidenNone), WithBits(65)}},
		{"code is 32 bits wide, 64 wanted; ask for at most 32 bits of crc32c or choose a wider hash, such as fmix64", []Option{WithHash("crc32c")}},
		{"widening reseed does not suit md5: the hash takes neither a seed nor a key; use counter or mix", []Option{WithHash("md5"), WithWiden(WidenReseed)}},
		{"widening counter does not suit splitmix64: the hash takes integers, to which no byte can be appended; use reseed or mix",
			[]Option{WithHash("splitmix64"), WithWiden(WidenCounter)}},
		{"widening counter does not suit fnv1a64: with this hash bits of different blocks repeat, complement each other or correlate; use mix",
			[]Option{WithWiden(WidenCounter), WithHash("fnv1a64"), WithBits(128)}},
		{"widening reseed does not suit lookup3: with this hash bits of", []Option{WithWiden(WidenReseed), WithHash("lookup3"), WithBits(128)}},
		{"widening mix does not suit sha1: it works on whole words, and a code has 160 bits; use counter", []Option{WithHash("sha1"), WithWiden(WidenMix), WithBits(512)}},
		{"widening mix does not suit crc32c: it works on whole words, and a code has 32 bits; use a wider hash", []Option{WithHash("crc32c"), WithWiden(WidenMix)}},
		{"hash no-bytes-counter: widening counter: it takes integers only", []Option{WithFamily(noBytes), WithWiden(WidenCounter), WithBits(128)}},
		{"widening counter: 2049 bits are 257 blocks of wide, but one byte counts 256", []Option{WithFamily(tiny), WithWiden(WidenCounter), WithBits(2049)}},
	} {
		s, err := New(c.options...)
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), "fphash: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
	mustNew(t, WithFamily(tiny), WithWiden(WidenCounter), WithBits(2048))
	for _, bits := range []int{0, -1, 4097} {
		if _, err := md5Family.Widen(WidenMix, bits); err == nil || !strings.Contains(err.Error(), "expected 1 to 4096") {
			t.Errorf("%d bits: %v", bits, err)
		}
	}
}

func TestWidenOfWhatIsWide(t *testing.T) {
	s := mustNew(t, WithWiden(WidenMix))
	if s.widen != WidenNone {
		t.Errorf("64 bits of xxh64 are widened by %v", s.widen)
	}
	wide := mustNew(t, WithWiden(WidenMix), WithBits(65))
	if wide.widen != WidenMix || wide.Local().widen != WidenMix || wide.family.Name != "xxh64" {
		t.Errorf("65 bits of %s are widened by %v", wide.family.Name, wide.widen)
	}
	f, err := md5Family.Widen(WidenNone, 100)
	if err != nil || f.Name != "md5" || f.Bits != 128 {
		t.Errorf("%s of %d bits, %v", f.Name, f.Bits, err)
	}
}

// TestMergeNeedsTheSameWidening: bits from elsewhere are other lanes.
func TestMergeNeedsTheSameWidening(t *testing.T) {
	a := NewAccumulator[int32](mustNew(t, WithBits(128), WithWiden(WidenMix)))
	b := NewAccumulator[int32](mustNew(t, WithBits(128), WithWiden(WidenReseed)))
	if err := a.Merge(b); !errors.Is(err, ErrMismatch) || !strings.HasSuffix(err.Error(), "not the same widening") {
		t.Error(err)
	}
	c := NewAccumulator[int32](mustNew(t, WithWiden(WidenMix)))
	if err := c.Merge(NewAccumulator[int32](mustNew(t))); err != nil {
		t.Errorf("64 bits need no widening: %v", err)
	}
}
