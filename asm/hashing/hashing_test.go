package hashing

import (
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/registers"
)

// TestBetweenGuardPages tests every length from 0 to 512 at eight alignments, and flush against
// inaccessible pages on both sides, after filling the registers with useless values. Words next to
// dst must not change. Above 140, a normal run tests only lengths around multiples of 64.
func TestBetweenGuardPages(t *testing.T) {
	const longest = 512
	r := cases.Seeded(t)
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
		// the SSE code of Go's libraries is 40 times slower if the upper halves are in use
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
			if !cases.Long() && n > 140 && n%64 > 2 && n%64 < 62 {
				continue
			}
			for offset := range min(8, longest-n+1) {
				if offset > 0 && n > 140 && offset != n%8 {
					// a kernel's last pass depends only on n%128, and shorter lengths covered all
					// alignments
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

// TestInPlace tests hashes of one word with dst and keys in the same slice.
func TestInPlace(t *testing.T) {
	r := cases.Seeded(t)
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

// TestRandomKeys tests random keys with several secrets.
func TestRandomKeys(t *testing.T) {
	rounds := 5
	if cases.Long() {
		rounds = 60
	}
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		r := cases.Seeded(t)
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
				keys = cases.Shrink(keys, cases.ToZero, fails)
				got, want := compare(keys)
				t.Fatalf("secret %#x\nkeys %#x\n%#x, want %#x", *secret, keys, got, want)
			}
		}
	})
}
