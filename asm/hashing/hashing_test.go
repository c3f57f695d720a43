package hashing

import (
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/random"
	"simhashkit/asm/internal/registers"
	"simhashkit/asm/internal/shrink"
)

// The frozen values of key 1 and key 0x0123456789abcdef, word by word.
func TestFrozenValues(t *testing.T) {
	keys := []uint64{1, 0x0123456789abcdef}
	want := map[string]map[uint64][]uint64{ // by op and seed
		"splitmix64":   {0: {0x910a2dec89025cc1, 0x157a3807a48faa9d}, 1: {0x86224a8e1dae59f9, 0xcba4c9b05902aac8}},
		"xxh64":        {0: {0x9f29cb17a2a49995, 0xea3c52081e9843ec}, 1: {0x8afb45d6a8b39709, 0x74a1a11854da1b5a}},
		"crc32c":       {0: {0xc514cfad, 0x65b0d823}},
		"fmix64":       {0: {0xb456bcfc34c2cb2c, 0x87cbfbfe89022cea}, 1: {0xd522b5d820b5e72f, 0x46555ecc1a730d13}},
		"lookup3":      {0: {0x5543253fcce8c71c, 0x4da802b4654e873f}},
		"murmur3-128":  {0: {0x004403b7fb05c44a, 0x995bb6c03277035a, 0x3d8acdb4d36d9c06, 0xa51c3d420fcd7479}},
		"rapidhash":    {0: {0xbec178309f44afbc, 0xfdc89f6eae2b0443}, 1: {0xabf2c2d84fe32b42, 0x8501b4629456aa60}},
		"wyhash":       {0: {0xac3608194ddc6751, 0xa0e9244f0b75f32c}, 1: {0x736c1462d905b0f3, 0x9c5fc8fd62f098e3}},
		"siphash":      {0: {0x8004c5a694105f5e, 0xc4a1f0aff7f4be77}},
		"xxh3":         {0: {0x2fbc593564db792e, 0xb78df414284277a6}},
		"fnv1-64":      {0: {0xe3757ca7d64666ea, 0x4c66a756f98346a5}},
		"fnv1a64":      {0: {0x89cd31291d2aefa4, 0x37eb3f3347761c55}},
		"md5":          {0: {0x3280bececceccd33, 0xefe3c048a79a5984, 0xcb74587feedb1f9f, 0x97e530396a0863b6}},
		"md5-counter":  {1: {0xfeaaed5e78d06de6, 0xbdc220a5f649980a, 0x202a782a74b2beb6, 0x249c94425a09f72f}},
		"sha1":         {0: {0x4313be73e29ea83d, 0x1e3bde49a1c794b6, 0x4dbd3f0f76cf7e7e, 0xd6812c75cd149a75, 0xfed1e8c0, 0xccd90932}},
		"sha1-counter": {1: {0xd5a5255258682bfb, 0x3c63561c82578ff0, 0x0fb05accc3649b0c, 0xeb4065c42ed6a6b8, 0xeacd84c4, 0x06ca8cbb}},
		"sha256-counter": {1: {0x6545256c743a2ff5, 0xc34b5bdaec933798, 0x0341e532dd6a1c8e, 0x20ee040834b1b3d2,
			0xf53304aaba3e5565, 0x6350449bc46d0663, 0xe2d65ff8c690bdf8, 0xff690b8a77c3b082}},
		"sha256": {0: {0xa63f41d436a19f7c, 0xdcd06162b3a25ba8, 0x8d99b683e8373617, 0xa4a80f84bccbb6a4,
			0xffdd8cf875d6e132, 0xc5a5bb0a2095ec41, 0xb8f4201833cfcb9d, 0xe599ffdeda7d3e62}},
		"highway64":  {0: {0x4c406f5543c98f3f, 0x9b6d3d6e4edc1f12}, 1: {0x6fa36d495cb120f2, 0xdaac811ac61fbc8c}},
		"highway128": {0: {0xdc657fb8f09711c9, 0xb46477e1ef0d4e26, 0xca40050a185cb2ce, 0x5ccf9e7781a7fba3}},
		"highway256": {0: {0x696161b649d126fd, 0x771b5af2367ff706, 0xcc6212f9eef298bd, 0x24f07a3499f00de9,
			0xa70ce4c31bbe26a0, 0x202826030cb703b4, 0x896d976d15298a4c, 0x85348f1adde90f48}},
	}
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		if len(want[o.name]) == 0 {
			t.Fatal("there are no frozen values")
		}
		for seed, want := range want[o.name] {
			got := make([]uint64, o.words*len(keys))
			if hash(got, keys, &[4]uint64{seed}); !slices.Equal(got, want) {
				t.Errorf("seed %d: %#x, want %#x", seed, got, want)
			}
		}
	})
}

// Every length from 0 to 512 at eight alignments, flush against inaccessible pages on both sides,
// with registers that hold nothing useful. The words next to dst stay as they were. Above 140, a
// run that is not long takes only the lengths around multiples of 64.
func TestBetweenGuardPages(t *testing.T) {
	const longest = 512
	r := random.Seeded(t)
	atStart, atEnd := guard.Slices[uint64](t, longest)
	copy(atStart, randomKeys(r, longest))
	copy(atEnd, randomKeys(r, longest))
	secret := randomSecret(r)
	type room struct{ atStart, atEnd []uint64 }
	rooms := map[int]room{}
	for _, words := range []int{1, 2, 3, 4} {
		first, last := guard.Slices[uint64](t, words*longest)
		rooms[words] = room{first, last}
	}
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		firstCodes, lastCodes := o.codes(atStart, secret), o.codes(atEnd, secret)
		room := rooms[o.words]
		// upper halves in use make the SSE code of Go's libraries 40 times slower
		inGo := strings.HasSuffix(t.Name(), cpu.Generic.String())
		check := func(dst, all, keys, codes []uint64, from int) {
			t.Helper()
			const untouched = 0x5EED5EED5EED5EED
			for i := range all {
				all[i] = untouched
			}
			if !inGo {
				registers.Spoil(len(keys)%2 == 0)
			}
			hash(dst, keys, secret)
			others := 0
			for i := range all {
				if all[i] != untouched {
					others++
				}
			}
			if others != len(dst) {
				t.Fatalf("n=%d: %d words written, want %d", len(keys), others, len(dst))
			}
			for w := range o.words {
				want := codes[w*longest+from:][:len(keys)]
				if got := dst[w*len(keys):][:len(keys)]; !slices.Equal(got, want) {
					t.Fatalf("keys %#x\nword %d: %#x, want %#x", keys, w, got, want)
				}
			}
		}
		for n := range longest + 1 {
			if !random.Long() && n > 140 && n%64 > 2 && n%64 < 62 {
				continue
			}
			for offset := range min(8, longest-n+1) {
				if offset > 0 && n > 140 && offset != n%8 {
					// the last of the keys' passes differ by n%128 at most, and all alignments have
					// been there
					continue
				}
				size := o.words * n
				check(room.atStart[offset:][:size], room.atStart[:min(size+16, len(room.atStart))], atStart[offset:][:n], firstCodes, offset)
				end := len(room.atEnd) - offset
				check(room.atEnd[end-size:end], room.atEnd[max(0, end-size-8):], atEnd[longest-n-offset:longest-offset], lastCodes, longest-n-offset)
			}
		}
	})
}

// Hashes of one word may replace their keys.
func TestInPlace(t *testing.T) {
	r := random.Seeded(t)
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		if o.words > 1 {
			return
		}
		for n := range 140 {
			keys, secret := randomKeys(r, n), randomSecret(r)
			want := o.codes(keys, secret)
			if hash(keys, keys, secret); !slices.Equal(keys, want) {
				t.Fatalf("n=%d: %#x, want %#x", n, keys, want)
			}
		}
	})
}

// Many random keys under many secrets.
func TestRandomKeys(t *testing.T) {
	rounds := 5
	if random.Long() {
		rounds = 60
	}
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		r := random.Seeded(t)
		for range rounds {
			keys, secret := randomKeys(r, 200+r.IntN(200)), randomSecret(r)
			compare := func(keys []uint64) (got, want []uint64) {
				got = make([]uint64, o.words*len(keys))
				hash(got, keys, secret)
				return got, o.codes(keys, secret)
			}
			fails := func(keys []uint64) bool {
				got, want := compare(keys)
				return !slices.Equal(got, want)
			}
			if fails(keys) {
				keys = shrink.Slice(keys, shrink.ToZero, fails)
				got, want := compare(keys)
				t.Fatalf("secret %#x\nkeys %#x\n%#x, want %#x", *secret, keys, got, want)
			}
		}
	})
}
