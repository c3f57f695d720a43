package hashing

import (
	"encoding/binary"
	"slices"
	"testing"
)

// FuzzKernels compares all kernels of all ops with the oracles, in place if the op allows that. The
// secret is the first four words of the data.
func FuzzKernels(f *testing.F) {
	for _, n := range []int{0, 1, 5, 8, 15, 16, 33, 70} {
		data := make([]byte, 8*(4+n))
		for i := range data {
			data[i] = byte(i * i >> 5 & (i >> (i % 9)))
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var words []uint64
		for len(data) >= 8 && len(words) < 150 {
			words = append(words, binary.LittleEndian.Uint64(data))
			data = data[8:]
		}
		if len(words) < 4 {
			return
		}
		secret, keys := [4]uint64(words), words[4:]
		for _, o := range ops {
			want := o.codes(keys, &secret)
			for _, k := range o.kernels {
				if !k.Available() {
					continue
				}
				got, from := make([]uint64, o.words*len(keys)), keys
				if o.words == 1 {
					copy(got, keys)
					from = got
				}
				if k.Call(got, from, &secret); !slices.Equal(got, want) {
					t.Fatalf("%s/%s, secret %#x, keys %#x\n%#x, want %#x", o.name, k.Name, secret, keys, got, want)
				}
			}
		}
	})
}
