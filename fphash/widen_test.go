package fphash

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/hashing"
	"simhashkit/internal/testing/long"
)

// frozenWidened has frozen words of the widened codes of the indices 1 and 0x0123456789abcdef.
var frozenWidened = []struct {
	hash  string
	widen Widen
	word  int // the first one
	codes [2][]uint64
}{
	{"xxh64", WidenReseed, 1, [2][]uint64{{0x8afb45d6a8b39709}, {0x74a1a11854da1b5a}}},
	{"splitmix64", WidenReseed, 1, [2][]uint64{{0x86224a8e1dae59f9}, {0xcba4c9b05902aac8}}},
	{"highway64", WidenReseed, 1, [2][]uint64{{0x6fa36d495cb120f2}, {0xdaac811ac61fbc8c}}},
	{"fnv1a64", WidenMix, 1, [2][]uint64{{0xc2be3627c2bfe353}, {0x7d4b9973387fd9b7}}},
	{"md5", WidenCounter, 2, [2][]uint64{{0xfeaaed5e78d06de6, 0x202a782a74b2beb6}, {0xbdc220a5f649980a, 0x249c94425a09f72f}}},
}

func TestFrozenWidenedValues(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		for _, c := range frozenWidened {
			words := c.word + len(c.codes[0])
			s := mustNew(t, Definition{Hash: c.hash, Bits: 64 * words, Widen: c.widen})
			for i, index := range []uint64{1, 0x0123456789abcdef} {
				got, err := appendUnitErr(s, nil, []uint64{index})
				if err != nil || !slices.Equal(got[c.word:], c.codes[i]) {
					t.Errorf("%s-%v: words from %d of index %#x are %x, %v, want %x", c.hash, c.widen, c.word, index, got[c.word:], err, c.codes[i])
				}
			}
		}
	})
}

// widenedOracle computes the widened code of one key by the definition, bit by bit. It is an
// oracle: do not change it.
func widenedOracle(t *testing.T, f Family, w Widen, k Key, bits int, hash func(h Hash, key []byte) []uint64, key []byte) []uint64 {
	code := make([]uint64, (bits+63)/64)
	build := func(k Key) Hash {
		h, err := f.build(k)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	plain := hash(build(k), key)
	for j := range bits {
		b, bit := j/f.Bits, j%f.Bits
		var block []uint64
		switch {
		case b == 0:
			block = plain
		case w == WidenReseed:
			block = hash(build(Key{Seed: k.Seed + uint64(b), Bytes: k.Bytes}), key)
		case w == WidenCounter:
			block = hash(build(k), append(slices.Clone(key), byte(b)))
		default:
			word := j / 64
			code[word] |= hashing.Mix64(plain[word%(f.Bits/64)]+uint64(word)*0x9E3779B97F4A7C15) & (1 << (j % 64))
			continue
		}
		code[j/64] |= block[bit/64] >> (bit % 64) & 1 << (j % 64)
	}
	return code
}

// TestWidenedCodes compares with the oracle, for every widening, at widths within and at the end of
// blocks and words.
func TestWidenedCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	narrow, odd := wideHash(40), wideHash(100)
	narrow.Name, odd.Name = "narrow", "odd"
	integer := splitMix64Family
	for _, f := range append(Families(), narrow, odd, integer) {
		for _, w := range f.Widenings() {
			for _, bits := range []int{f.Bits + 1, 2*f.Bits - 1, 2 * f.Bits, 2*f.Bits + 1, 3*f.Bits + 17, 5 * f.Bits} {
				if !long.Enabled() && bits > 2*f.Bits {
					continue
				}
				k := Key{}
				if f.Seeded {
					k.Seed = r.Uint64()
				} else if f.KeyBytes > 0 {
					k.Bytes = slices.Repeat([]byte{0xff}, f.KeyBytes)
				}
				wide, err := f.Widen(w, bits)
				if err != nil {
					t.Fatal(err)
				}
				if wide.Bits != bits || wide.Name != f.Name+"-"+w.String() {
					t.Errorf("%s of %d bits, want %s-%v of %d", wide.Name, wide.Bits, f.Name, w, bits)
				}
				h, err := wide.build(k)
				if err != nil {
					t.Fatal(err)
				}
				keys := randomIndices(r, 1+r.IntN(9))
				got := slices.Repeat([]uint64{^uint64(0)}, len(keys)*wide.Words())
				h.HashUint64s(got, keys)
				sameAsOracle := func(route string, i int, got []uint64, key []byte) {
					t.Helper()
					want := widenedOracle(t, f, w, k, bits, func(h Hash, key []byte) []uint64 {
						code := make([]uint64, f.Words())
						if b, ok := h.(ByteHash); ok {
							b.HashBytes(code, key, []int{len(key)})
						} else {
							h.HashUint64s(code, keys[i:i+1])
						}
						return code
					}, key)
					for word := range want {
						if got[word*len(keys)+i] != want[word] {
							t.Fatalf("%s of %d bits, %s: word %d of key %d of %d is %016x, want %016x", wide.Name, bits, route, word, i, len(keys), got[word*len(keys)+i], want[word])
						}
					}
				}
				for i, key := range keys {
					sameAsOracle("HashUint64s", i, got, LE64.AppendIndex(nil, key))
				}
				if b, ok := h.(ByteHash); ok {
					var data []byte
					var ends []int
					for i := range keys {
						data = append(data, strings.Repeat(fmt.Sprint(i, " words"), r.IntN(4))...)
						ends = append(ends, len(data))
					}
					b.HashBytes(got, data, ends)
					start := 0
					for i, end := range ends {
						sameAsOracle("HashBytes", i, got, data[start:end])
						start = end
					}
				}
			}
		}
	}
}

// TestWidenedFamiliesVerify compares batches of any size with single keys, bytes with integers, and
// the library with the kernels.
func TestWidenedFamiliesVerify(t *testing.T) {
	for _, f := range []Family{splitMix64Family, xxh64Family, highway64Family, md5Family, sha1Family, fnv1aFamily} {
		for _, w := range f.Widenings() {
			wide, err := f.Widen(w, 2*f.Bits+9)
			if err != nil {
				t.Fatal(err)
			}
			if err := wide.Verify(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestEncodingsOfWidenedHashes: the fingerprint depends on the encoded bytes, for both types of
// index.
func TestEncodingsOfWidenedHashes(t *testing.T) {
	for e := range Dec + 1 {
		for _, w := range []Widen{WidenReseed, WidenCounter, WidenMix} {
			s := mustNew(t, Definition{Encoding: e, Bits: 200, Widen: w})
			want := widenedOracle(t, xxh64Family, w, Key{}, 200, func(h Hash, key []byte) []uint64 {
				code := make([]uint64, 1)
				h.(ByteHash).HashBytes(code, key, []int{len(key)})
				return code
			}, e.AppendIndex(nil, 123456789))
			if got, err := appendUnitErr(s, nil, []uint32{123456789}); err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, %v: %x, %v, want %x", e, w, got, err, want)
			}
		}
	}
}

// TestCounterKnowsWhereKeysBegin: the second block of each byte string is the hash of that string
// and the counter, for any strings before it.
func TestCounterKnowsWhereKeysBegin(t *testing.T) {
	keys := []string{"", "a", "", "the quick brown fox", "b", "\x00", "the quick brown fox"}
	for _, f := range Families() {
		if !slices.Contains(f.Widenings(), WidenCounter) {
			continue
		}
		s := mustNew(t, Definition{Bits: 2 * f.Bits, Widen: WidenCounter}, WithFamily(f))
		got := slices.Clone(s.Local().own.encode(columnOf(keys)))
		for i, key := range keys {
			want := widenedOracle(t, f, WidenCounter, Key{}, 2*f.Bits, func(h Hash, key []byte) []uint64 {
				code := make([]uint64, f.Words())
				h.(ByteHash).HashBytes(code, key, []int{len(key)})
				return code
			}, []byte(key))
			for word := range want {
				if got[word*len(keys)+i] != want[word] {
					t.Errorf("%s: word %d of key %d (%q) is %016x, want %016x", f.Name, word, i, key, got[word*len(keys)+i], want[word])
				}
			}
		}
	}
}

// TestWidenedSketches compares whole fingerprints with the oracle, including vectors longer than a
// chunk.
func TestWidenedSketches(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(23, 24))
		for _, o := range []struct {
			hash  string
			widen Widen
			bits  int
		}{{"xxh64", WidenReseed, 200}, {"sha1", WidenCounter, 333}, {"fnv1a64", WidenMix, 4096}, {"splitmix64", WidenReseed, 1000}} {
			s := mustNew(t, Definition{Hash: o.hash, Bits: o.bits, Widen: o.widen, Float32: true})
			for _, n := range []int{1, 5, 40, 300} {
				indices, weights := randomIndices(r, n), randomWeights[float32](r, ordinary, n)
				got, err := appendErr(s, nil, indices, weights)
				wantSketch(t, s, indices, weights, got, err)
			}
		}
	})
}

// There are kernels for integers followed by a counter. They must agree with the library on the
// bytes, for every number of keys and every counter.
func TestCountedKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	atEachTier(t, func(t *testing.T) {
		for _, f := range []Family{md5Family, sha1Family, sha256Family} {
			check := func(bits int, keys []uint64) {
				t.Helper()
				wide, err := f.Widen(WidenCounter, bits)
				if err != nil {
					t.Fatal(err)
				}
				h, err := wide.build(Key{})
				if err != nil {
					t.Fatal(err)
				}
				plain, _ := byLibrary(t, f)
				if plain, err = plain.Widen(WidenCounter, bits); err != nil {
					t.Fatal(err)
				}
				library, err := plain.New(Key{})
				if err != nil {
					t.Fatal(err)
				}
				got, want := make([]uint64, len(keys)*wide.Words()), make([]uint64, len(keys)*wide.Words())
				h.HashUint64s(got, keys)
				if library.HashUint64s(want, keys); !slices.Equal(got, want) {
					t.Errorf("%s of %d bits, %d keys: the kernels and the library differ", wide.Name, bits, len(keys))
				}
			}
			for n := range 70 {
				check(3*f.Bits-7, randomIndices(r, n))
			}
			check(MaxBits, randomIndices(r, 300))
		}
	})
	for _, f := range []Family{md5Family, sha1Family, sha256Family} {
		h, _ := f.New(Key{})
		if _, ok := h.(countedHash); !ok {
			t.Errorf("%s has no kernels for counters", f.Name)
		}
	}
}

func TestWhatDoesNotSuit(t *testing.T) {
	noBytes := Family{Name: "no-bytes", Bits: 64, New: func(Key) (Hash, error) { return splitMix64{}, nil }}
	tiny := wideHash(8)
	for _, c := range []struct {
		want    string
		d       Definition
		options []Option
	}{
		{"unknown widening Widen(4); expected none, reseed, counter, mix", Definition{Widen: 4}, nil},
		{"code is 64 bits wide, 65 wanted; ask for at most 64 bits of xxh64, widen it by reseed, counter, mix or use", Definition{Bits: 65, Widen: WidenNone}, nil},
		{"code is 32 bits wide, 64 wanted; ask for at most 32 bits of crc32c or use xxh64", Definition{Hash: "crc32c"}, nil},
		{"widening reseed does not suit md5: the hash takes neither a seed nor a key; use counter or mix", Definition{Hash: "md5", Widen: WidenReseed}, nil},
		{"widening counter does not suit splitmix64: the hash takes integers, to which no byte can be appended; use reseed or mix",
			Definition{Hash: "splitmix64", Widen: WidenCounter}, nil},
		{"widening counter does not suit fnv1a64: with this hash, bits of different blocks repeat, complement each other or correlate; use mix",
			Definition{Hash: "fnv1a64", Bits: 128, Widen: WidenCounter}, nil},
		{"widening reseed does not suit lookup3: with this hash, bits of", Definition{Hash: "lookup3", Bits: 128, Widen: WidenReseed}, nil},
		{"widening mix does not suit sha1: it works on whole words, and a code has 160 bits; use counter", Definition{Hash: "sha1", Bits: 512, Widen: WidenMix}, nil},
		{"widening mix does not suit crc32c: it works on whole words, and a code has 32 bits; use a wider hash", Definition{Hash: "crc32c", Widen: WidenMix}, nil},
		{"hash no-bytes-counter: widening counter: it takes integers only", Definition{Bits: 128, Widen: WidenCounter}, []Option{WithFamily(noBytes)}},
		{"widening counter: 2049 bits are 257 blocks of wide, but one byte counts 256", Definition{Bits: 2049, Widen: WidenCounter}, []Option{WithFamily(tiny)}},
	} {
		s, err := New(c.d, c.options...)
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), "fphash: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
	mustNew(t, Definition{Bits: 2048, Widen: WidenCounter}, WithFamily(tiny))
	for _, bits := range []int{0, -1, 4097} {
		if _, err := md5Family.Widen(WidenMix, bits); err == nil || !strings.Contains(err.Error(), "expected 1 to 4096") {
			t.Errorf("%d bits: %v", bits, err)
		}
	}
}

func TestWidenOfWhatIsWide(t *testing.T) {
	s := mustNew(t, Definition{Widen: WidenMix})
	if s.widen != WidenNone {
		t.Errorf("64 bits of xxh64 are widened by %v", s.widen)
	}
	wide := mustNew(t, Definition{Bits: 65, Widen: WidenMix})
	if wide.widen != WidenMix || wide.Local().widen != WidenMix || wide.family.Name != "xxh64" {
		t.Errorf("65 bits of %s are widened by %v", wide.family.Name, wide.widen)
	}
	f, err := md5Family.Widen(WidenNone, 100)
	if err != nil || f.Name != "md5" || f.Bits != 128 {
		t.Errorf("%s of %d bits, %v", f.Name, f.Bits, err)
	}
}

// TestMergeNeedsTheSameWidening: different widenings have incompatible lanes.
func TestMergeNeedsTheSameWidening(t *testing.T) {
	a := NewAccumulator[int32](mustNew(t, Definition{Bits: 128, Widen: WidenMix}))
	b := NewAccumulator[int32](mustNew(t, Definition{Bits: 128, Widen: WidenReseed}))
	if err := a.Merge(b); !errors.Is(err, ErrMismatch) || !strings.HasSuffix(err.Error(), "not the same widening") {
		t.Error(err)
	}
	c := NewAccumulator[int32](mustNew(t, Definition{Widen: WidenMix}))
	if err := c.Merge(NewAccumulator[int32](mustNew(t, Definition{}))); err != nil {
		t.Errorf("64 bits need no widening: %v", err)
	}
}
