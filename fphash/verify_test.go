package fphash

import (
	"errors"
	"strings"
	"testing"
)

func TestBuiltinFamiliesVerify(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		codes := map[uint64]string{}
		for _, f := range builtin() {
			code := f.Verification
			if code == 0 {
				t.Errorf("%s has no verification code", f.Name)
			}
			if err := f.Verify(); err != nil {
				t.Error(err)
			}
			if other := codes[code]; other != "" {
				t.Errorf("%s and %s have the same verification code", f.Name, other)
			}
			codes[code] = f.Name
		}
	})
}

// broken is FNV-1a with one fault.
type broken struct {
	fnv1a
	integers func(dst, keys []uint64)
	strings  func(dst []uint64, ends []int)
}

func (b broken) HashUint64s(dst, keys []uint64) {
	b.fnv1a.HashUint64s(dst[:len(keys)], keys) // one word per code, whatever the family says
	if b.integers != nil {
		b.integers(dst, keys)
	}
}

func (b broken) HashBytes(dst []uint64, data []byte, ends []int) {
	b.fnv1a.HashBytes(dst, data, ends)
	if b.strings != nil {
		b.strings(dst, ends)
	}
}

func TestVerifyFindsFaults(t *testing.T) {
	of := func(b broken, change func(*Family)) Family {
		f := Family{Name: "broken", Bits: 64, New: func(Key) (Hash, error) { return b, nil }}
		if change != nil {
			change(&f)
		}
		return f
	}
	everywhere := broken{integers: func(dst, _ []uint64) { flip(dst) }, strings: func(dst []uint64, _ []int) { flip(dst) }}
	for name, c := range map[string]struct {
		family Family
		want   string
	}{
		"none":                {of(broken{}, nil), ""},
		"none, code known":    {of(broken{}, func(f *Family) { f.Verification = fnv1aFamily.Verification }), ""},
		"another function":    {of(everywhere, func(f *Family) { f.Verification = fnv1aFamily.Verification }), "verification code 0x"},
		"only in big batches": {of(broken{integers: func(dst, _ []uint64) { flip(dst[min(512, len(dst)):]) }}, nil), "in a batch of 513"},
		"integers are not le": {of(broken{integers: func(dst, _ []uint64) { flip(dst) }}, nil), "little-endian bytes have different codes"},
		"only in many strings": {of(broken{strings: func(dst []uint64, ends []int) {
			if len(ends) == 261 {
				flip(dst[260:])
			}
		}}, nil), "key of 260 bytes alone and in a batch of 261"},
		"a word is left out":   {of(broken{}, func(f *Family) { f.Bits = 100 }), "does not write all words of dst"},
		"bits above the width": {of(broken{}, func(f *Family) { f.Bits = 63 }), "bits above the width of 63"},
		"writes to its keys":   {of(broken{integers: func(_, keys []uint64) { keys[0]++ }}, nil), "modified its keys"},
		"New fails":            {of(broken{}, func(f *Family) { f.New = func(Key) (Hash, error) { return nil, errors.New("no luck") } }), "no luck"},
		"New gives nil":        {of(broken{}, func(f *Family) { f.New = func(Key) (Hash, error) { return nil, nil } }), "New returned nothing"},
		"name is no name":      {of(broken{}, func(f *Family) { f.Name = "a b" }), "letters"},
		"a family of none":     {Family{}, "hash name"},
	} {
		err := c.family.Verify()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want an error with %q", name, err, c.want)
		}
	}
}

func flip(words []uint64) {
	for i := range words {
		words[i] ^= 1
	}
}

func TestFromFunc(t *testing.T) {
	f := wideHash(100)
	if err := f.Verify(); err != nil {
		t.Error(err)
	}
	if code, err := f.VerificationCode(); err != nil || code == 0 {
		t.Errorf("%x, %v", code, err)
	}
	// Bits above the width are dropped, and the code is zero before each call.
	dirty := FromFunc("dirty", 66, func(dst []uint64, key []byte) {
		if dst[0] != 0 || dst[1] != 0 {
			t.Errorf("code is %x before the call", dst)
		}
		dst[0], dst[1] = ^uint64(0), ^uint64(0)
	})
	s := mustNew(t, Definition{Encoding: Dec, Bits: 66}, WithFamily(dirty))
	got, err := appendErr(s, nil, []uint64{1, 20}, []int32{1, 1})
	if err != nil || got[0] != ^uint64(0) || got[1] != 3 {
		t.Errorf("%x, %v", got, err)
	}
}
