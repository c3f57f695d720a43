package main

import (
	"math/rand/v2"
	"testing"

	"simhashkit/asm/cpu"
)

// atEachTier runs the test with every cap on the kernels that this machine has, and puts the cap
// back.
func atEachTier(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	former := cpu.Active()
	t.Cleanup(func() { _, _ = cpu.SetTier(former) })
	for _, tier := range cpu.Supported() {
		t.Run(tier.String(), func(t *testing.T) {
			if _, err := cpu.SetTier(tier); err != nil {
				t.Fatal(err)
			}
			test(t)
		})
	}
}

func prepared(t testing.TB, name string, bits int, dimensions, keying uint64) Method {
	t.Helper()
	m, err := New(name, bits, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Prepare(dimensions, keying); err != nil {
		t.Fatal(err)
	}
	return m
}

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 6)) }
