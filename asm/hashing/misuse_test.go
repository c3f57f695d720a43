package hashing

import (
	"fmt"
	"strings"
	"testing"

	"simhashkit/asm/internal/kernels"
)

// A dst of the wrong length panics before anything is written, in every kernel.
func TestLengthsThatDiffer(t *testing.T) {
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		for _, keys := range []int{0, 1, 8, 100} {
			for _, more := range []int{-1, 1} {
				if keys == 0 && more < 0 {
					continue
				}
				dst := make([]uint64, o.words*keys+more)
				value := kernels.PanicOf(func() { hash(dst, make([]uint64, keys), new([4]uint64)) })
				if value == nil || !strings.Contains(fmt.Sprint(value), fmt.Sprintf("hashing: room for %d ", len(dst))) {
					t.Errorf("%d words for %d keys: the panic is %v", len(dst), keys, value)
				}
			}
		}
	})
}

func TestNoAllocation(t *testing.T) {
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		for _, n := range []int{1, 5, 13, 100} {
			keys, dst, secret := make([]uint64, n), make([]uint64, o.words*n), new([4]uint64)
			if allocations := testing.AllocsPerRun(5, func() { hash(dst, keys, secret) }); allocations != 0 {
				t.Errorf("n=%d: %v allocations", n, allocations)
			}
		}
	})
}

// The public calls keep dst, keys and key of their callers on the stack.
func TestArgumentsDoNotEscape(t *testing.T) {
	if allocations := testing.AllocsPerRun(5, func() {
		var dst, keys [20]uint64
		var key [4]uint64
		var short [2]uint64
		SplitMix64(dst[:], keys[:], 1)
		XXH64(dst[:], keys[:], 1)
		Fmix64(dst[:], keys[:], 1)
		XXH3(dst[:], keys[:], 1)
		Murmur3(dst[:], keys[:10], 1)
		SipHash(dst[:], keys[:], &short)
		Lookup3(dst[:], keys[:], 1)
		CRC32C(dst[:], keys[:])
		RapidHash(dst[:], keys[:], 1)
		WyHash(dst[:], keys[:], 1)
		FNV1(dst[:], keys[:])
		FNV1a(dst[:], keys[:])
		MD5(dst[:], keys[:10])
		MD5Counter(dst[:], keys[:10], 1)
		SHA1(dst[:18], keys[:6])
		SHA1Counter(dst[:18], keys[:6], 1)
		SHA256(dst[:], keys[:5])
		SHA256Counter(dst[:], keys[:5], 1)
		Highway64(dst[:], keys[:], &key)
		Highway128(dst[:], keys[:10], &key)
		Highway256(dst[:], keys[:5], &key)
	}); allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
