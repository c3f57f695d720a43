package fphash

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"
)

// frozen are the codes of two indices as 8 little-endian bytes, with seed 0 and a key of zero bytes
// unless given.
var frozen = []struct {
	hash  string
	seed  uint64
	codes [2][]uint64 // of 1 and 0x0123456789abcdef
}{
	{"fnv1-64", 0, [2][]uint64{{0xe3757ca7d64666ea}, {0x4c66a756f98346a5}}},
	{"fnv1a64", 0, [2][]uint64{{0x89cd31291d2aefa4}, {0x37eb3f3347761c55}}},
	{"xxh64", 0, [2][]uint64{{0x9f29cb17a2a49995}, {0xea3c52081e9843ec}}},
	{"xxh64", 1, [2][]uint64{{0x8afb45d6a8b39709}, {0x74a1a11854da1b5a}}},
	{"highway64", 0, [2][]uint64{{0x4c406f5543c98f3f}, {0x9b6d3d6e4edc1f12}}},
	{"highway64", 1, [2][]uint64{{0x6fa36d495cb120f2}, {0xdaac811ac61fbc8c}}},
	{"highway128", 0, [2][]uint64{{0xdc657fb8f09711c9, 0xca40050a185cb2ce}, {0xb46477e1ef0d4e26, 0x5ccf9e7781a7fba3}}},
	{"highway256", 0, [2][]uint64{
		{0x696161b649d126fd, 0xcc6212f9eef298bd, 0xa70ce4c31bbe26a0, 0x896d976d15298a4c},
		{0x771b5af2367ff706, 0x24f07a3499f00de9, 0x202826030cb703b4, 0x85348f1adde90f48}}},
	{"md5", 0, [2][]uint64{{0x3280bececceccd33, 0xcb74587feedb1f9f}, {0xefe3c048a79a5984, 0x97e530396a0863b6}}},
	{"fnv1a128", 0, [2][]uint64{{0xa33c86dd8aca840c, 0x59b7938aec659956}, {0xf047fc4523abfdfd, 0x0619098f38659878}}},
	{"sha1", 0, [2][]uint64{{0x4313be73e29ea83d, 0x4dbd3f0f76cf7e7e, 0xfed1e8c0}, {0x1e3bde49a1c794b6, 0xd6812c75cd149a75, 0xccd90932}}},
	{"sha256", 0, [2][]uint64{
		{0xa63f41d436a19f7c, 0x8d99b683e8373617, 0xffdd8cf875d6e132, 0xb8f4201833cfcb9d},
		{0xdcd06162b3a25ba8, 0xa4a80f84bccbb6a4, 0xc5a5bb0a2095ec41, 0xe599ffdeda7d3e62}}},
	{"crc32c", 0, [2][]uint64{{0xc514cfad}, {0x65b0d823}}},
	{"lookup3", 0, [2][]uint64{{0x5543253fcce8c71c}, {0x4da802b4654e873f}}},
	{"fmix64", 0, [2][]uint64{{0xb456bcfc34c2cb2c}, {0x87cbfbfe89022cea}}},
	{"fmix64", 1, [2][]uint64{{0xd522b5d820b5e72f}, {0x46555ecc1a730d13}}},
	{"wyhash", 0, [2][]uint64{{0xac3608194ddc6751}, {0xa0e9244f0b75f32c}}},
	{"wyhash", 1, [2][]uint64{{0x736c1462d905b0f3}, {0x9c5fc8fd62f098e3}}},
	{"rapidhash", 0, [2][]uint64{{0xbec178309f44afbc}, {0xfdc89f6eae2b0443}}},
	{"rapidhash", 1, [2][]uint64{{0xabf2c2d84fe32b42}, {0x8501b4629456aa60}}},
	{"multiply-shift", 0, [2][]uint64{{0xe8e50551fb2712ff}, {0xcb183fcc9d4f6f24}}},
	{"multiply-shift", 1, [2][]uint64{{0x3022dff4b8b6b01a}, {0xd63d75f260eb56c5}}},
	{"mixed-tabulation", 0, [2][]uint64{{0x888859888b71588a}, {0x595a652184a8f8b3}}},
	{"mixed-tabulation", 1, [2][]uint64{{0x0bc290a0fc9dc139}, {0x520431ffdbbe3754}}},
	{"identity", 0, [2][]uint64{{1}, {0x0123456789abcdef}}},
	{"splitmix64", 0, [2][]uint64{{0x910a2dec89025cc1}, {0x157a3807a48faa9d}}},
	{"splitmix64", 1, [2][]uint64{{0x86224a8e1dae59f9}, {0xcba4c9b05902aac8}}},
}

var frozenIndices = [2]uint64{1, 0x0123456789abcdef}

func TestFrozenValues(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		seen := map[string]bool{}
		for _, c := range frozen {
			seen[c.hash] = true
			f, err := Lookup(c.hash)
			if err != nil {
				t.Fatal(err)
			}
			testFrozenBatch(t, f, f.New, c.seed, c.codes)
			if library, ok := byLibrary(t, f); ok {
				testFrozenBatch(t, library, library.New, c.seed, c.codes)
			}
			s := mustNew(t, WithHash(c.hash), WithSeed(c.seed), WithBits(f.Bits))
			for i, index := range frozenIndices {
				if got, err := appendErr(s, nil, []uint64{index}, []float32{1}); err != nil || !slices.Equal(got, c.codes[i]) {
					t.Errorf("%s, seed %d: fingerprint of index %#x alone is %x, %v, want %x", c.hash, c.seed, index, got, err, c.codes[i])
				}
			}
		}
		for _, f := range builtin() {
			if !seen[f.Name] {
				t.Errorf("%s has no frozen values", f.Name)
			}
		}
	})
}

// testFrozenBatch hashes batches in which the two indices stand at every place, as integers and as
// bytes.
func testFrozenBatch(t *testing.T, f Family, construct func(Key) (Hash, error), seed uint64, want [2][]uint64) {
	h, err := construct(Key{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < 20; n++ {
		keys, data, ends := make([]uint64, n), []byte(nil), []int(nil)
		for i := range keys {
			keys[i] = frozenIndices[i%2]
			data = LE64.AppendIndex(data, keys[i])
			ends = append(ends, len(data))
		}
		routes := map[string][]uint64{"HashUint64s": make([]uint64, n*f.Words())}
		h.HashUint64s(routes["HashUint64s"], keys)
		if b, ok := h.(ByteHash); ok {
			routes["HashBytes"] = make([]uint64, n*f.Words())
			b.HashBytes(routes["HashBytes"], data, ends)
		} else if !f.Integer {
			t.Errorf("%s takes no bytes", f.Name)
		}
		for route, dst := range routes {
			for i := range keys {
				for word := range f.Words() {
					if got := dst[word*n+i]; got != want[i%2][word] {
						t.Fatalf("%s, seed %d, %s: word %d of key %d of %d is %016x, want %016x", f.Name, seed, route, word, i, n, got, want[i%2][word])
					}
				}
			}
		}
	}
}

// TestAgainstLibraries hashes keys of every length to 100, under random seeds and keys, and
// compares with the libraries' own calls.
func TestAgainstLibraries(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range 20 {
		var data []byte
		var ends []int
		for n := range 100 {
			for range n {
				data = append(data, byte(random.Uint32()))
			}
			ends = append(ends, len(data))
		}
		for _, f := range builtin() {
			library, ok := byLibrary(t, f)
			if !ok {
				continue
			}
			compared++
			k := randomKey(random, f)
			got, expected := make([]uint64, len(ends)*f.Words()), make([]uint64, len(ends)*f.Words())
			for into, build := range map[*[]uint64]func(Key) (Hash, error){&got: f.New, &expected: library.New} {
				h, err := build(k)
				if err != nil {
					t.Fatal(err)
				}
				h.(ByteHash).HashBytes(*into, data, ends)
			}
			for i, word := range expected {
				if got[i] != word {
					t.Fatalf("%s: word %d of a key of %d bytes is %x, expected %x", f.Name, i/len(ends), i%len(ends), got[i], word)
				}
			}
		}
	}
	if compared != 20*11 {
		t.Errorf("%d comparisons, expected 20 of 11 families", compared)
	}
}

func TestEncodings(t *testing.T) {
	for index, want := range map[uint64][3]string{
		0:                    {"\x00\x00\x00\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x00", "0"},
		1:                    {"\x01\x00\x00\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x01", "1"},
		0x0102030405060708:   {"\x08\x07\x06\x05\x04\x03\x02\x01", "\x01\x02\x03\x04\x05\x06\x07\x08", "72623859790382856"},
		18446744073709551615: {"\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615"},
	} {
		for e := range want {
			if got := Encoding(e).AppendIndex([]byte("x"), index); string(got) != "x"+want[e] {
				t.Errorf("%v of %d: %q, want %q", Encoding(e), index, got, want[e])
			}
			// One feature: the fingerprint is the hash of those bytes, whichever route the index
			// takes.
			s := mustNew(t, WithHash("fnv1a64"), WithEncoding(Encoding(e)))
			h := fnv.New64a()
			h.Write([]byte(want[e]))
			if got, _ := appendUnitErr(s, nil, []uint64{index}); got[0] != h.Sum64() {
				t.Errorf("fingerprint of %d as %v: %x, want %x", index, Encoding(e), got[0], h.Sum64())
			}
			if index <= 1 {
				if got, _ := appendUnitErr(s, nil, []uint32{uint32(index)}); got[0] != h.Sum64() {
					t.Errorf("fingerprint of 32-bit %d as %v: %x, want %x", index, Encoding(e), got[0], h.Sum64())
				}
			}
		}
	}
}
