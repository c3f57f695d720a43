package hashing

import (
	"fmt"
	"slices"
	"testing"

	"simhashkit/asm/internal/frozen"
	"simhashkit/asm/internal/kernels"
)

// TestFrozenOutputs holds the dispatch of every hash, at every tier, to one file.
func TestFrozenOutputs(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) {
		secrets := []struct {
			suffix string
			words  [4]uint64
		}{{"", [4]uint64{}}, {"/seed=0123456789abcdef", [4]uint64{0x0123456789abcdef}}}
		for _, o := range ops {
			for _, secret := range secrets {
				name := o.name + secret.suffix
				if secret.suffix != "" && o.takesNothing() {
					continue
				}
				t.Run(name, func(t *testing.T) {
					frozen.Check(t, name, frozenHash(name, o.words, func(dst, keys []uint64) { o.dispatch(dst, keys, &secret.words) }))
				})
			}
		}
	})
}

// takesNothing reports whether the secret makes no difference.
func (o op) takesNothing() bool {
	return slices.Equal(o.codes([]uint64{1}, &[4]uint64{}), o.codes([]uint64{1}, &[4]uint64{1}))
}

func frozenHash(name string, words int, hash func(dst, keys []uint64)) (lines []string) {
	var source frozen.Source
	var all frozen.Code
	for n := range 65 {
		keys, codes := make([]uint64, n), make([]uint64, words*n)
		for i := range keys {
			keys[i] = source.Next() >> (n % 4 * 16)
		}
		hash(codes, keys)
		var one frozen.Code
		for _, code := range codes {
			one.Add(code)
		}
		all.Add(uint64(one))
		lines = append(lines, fmt.Sprintf("%s n=%d codes=%016x", name, n, uint64(one)))
	}
	keys := make([]uint64, 5000) // small ones, as real indices are
	codes := make([]uint64, words*len(keys))
	for i := range keys {
		keys[i] = uint64(i)
	}
	hash(codes, keys)
	for _, code := range codes {
		all.Add(code)
	}
	return append(lines, fmt.Sprintf("%s verification=%016x", name, uint64(all)))
}
