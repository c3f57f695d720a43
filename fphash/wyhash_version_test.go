package fphash

import "testing"

// TestWyhashVersion holds wyhash to values of its header as of final version 4 (November 2022), of
// messages under the seeds from 0 on, and of keys whose lengths tell it from version 4.1.
func TestWyhashVersion(t *testing.T) {
	sum := func(seed uint64, key []byte) uint64 {
		h, err := wyhashFamily.New(Key{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return h.(wyhash).sum(key)
	}
	for seed, want := range []struct {
		message string
		sum     uint64
	}{
		{"", 0x0409638ee2bde459},
		{"a", 0xa8412d091b5fe0a9},
		{"abc", 0x32dd92e4b2915153},
		{"message digest", 0x8619124089a3a16b},
		{"abcdefghijklmnopqrstuvwxyz", 0x7a43afb61d7f5f40},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 0xff42329b90e50d58},
	} {
		if got := sum(uint64(seed), []byte(want.message)); got != want.sum {
			t.Errorf("%q under %d: %016x, expected %016x", want.message, seed, got, want.sum)
		}
	}
	key := make([]byte, 144)
	for i := range key {
		key[i] = byte(i*7 + 1)
	}
	for length, want := range map[int]uint64{48: 0x3efc5de2fdf6d0ac, 96: 0x84158e7a36ef6f50, 144: 0xe86fa0d4b1aa1ee9} {
		if got := sum(5, key[:length]); got != want {
			t.Errorf("%d bytes: %016x, expected %016x", length, got, want)
		}
	}
}
