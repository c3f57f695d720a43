package fphash

import (
	"hash/fnv"
	"math/rand/v2"
	"testing"
)

// TestAgainstLibraries hashes keys of every length to 100, with random seeds and keys, and compares
// with the libraries' own calls.
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
			// With a single feature, the fingerprint is the hash of its bytes, for both types of
			// index.
			s := mustNew(t, Definition{Hash: "fnv1a64", Encoding: Encoding(e)})
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
