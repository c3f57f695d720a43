package hashing

import (
	"testing"

	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/kernels"
)

// TestFrozenOutputs compares the dispatch of every hash, at every tier, with its recorded
// verification codes.
func TestFrozenOutputs(t *testing.T) {
	secrets := [][4]uint64{{}, {0x0123456789abcdef}}
	kernels.OnTiers(t, "", func(t *testing.T) {
		for _, o := range ops {
			t.Run(o.name, func(t *testing.T) {
				if len(o.verification) == 0 {
					t.Error("it has no frozen code")
				}
				for i, want := range o.verification {
					if got := o.verify(&secrets[i]); got != want {
						t.Errorf("secret %#x: the outputs have the verification code %#016x, want %#016x", secrets[i], got, want)
					}
				}
			})
		}
	})
}

// verify returns a hash of the outputs for batches of up to 64 keys of all magnitudes, and for many
// small keys, which are like real indices.
func (o op) verify(secret *[4]uint64) uint64 {
	var source cases.Source
	var all cases.Code
	for n := range 65 {
		keys, codes := make([]uint64, n), make([]uint64, o.words*n)
		for i := range keys {
			keys[i] = source.Next() >> (n % 4 * 16)
		}
		o.dispatch(codes, keys, secret)
		var one cases.Code
		for _, code := range codes {
			one.Add(code)
		}
		all.Add(uint64(one))
	}
	keys := make([]uint64, 5000)
	codes := make([]uint64, o.words*len(keys))
	for i := range keys {
		keys[i] = uint64(i)
	}
	o.dispatch(codes, keys, secret)
	for _, code := range codes {
		all.Add(code)
	}
	return uint64(all)
}
