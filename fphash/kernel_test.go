package fphash

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"simhashkit/asm/cpu"
)

func TestKernels(t *testing.T) {
	setTier(t, cpu.Active()) // restores it at the end
	var names []string
	for _, tier := range cpu.Supported() {
		names = append(names, tier.String())
	}
	for _, name := range names {
		if err := SetKernel(name); err != nil || Kernel() != name {
			t.Errorf("SetKernel(%q): %v, and %s is active", name, err, Kernel())
		}
	}
	before := Kernel()
	for _, name := range []string{"", "avx", "AVX2", "avx1024"} {
		if err := SetKernel(name); err == nil || !strings.Contains(err.Error(), "unknown kernel") || Kernel() != before {
			t.Errorf("SetKernel(%q): %v, and %s is active", name, err, Kernel())
		}
	}
	for _, tier := range cpu.Tiers() {
		if !slices.Contains(names, tier.String()) {
			if err := SetKernel(tier.String()); err == nil || !strings.Contains(err.Error(), "not available") || Kernel() != before {
				t.Errorf("SetKernel(%q): %v, and %s is active", tier, err, Kernel())
			}
		}
	}
}

// TestSeedsReachTheKernels: a Sketcher calls kernels directly, bypassing the hash's methods, and
// must use the same seed and key.
func TestSeedsReachTheKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	atEachTier(t, func(t *testing.T) {
		for _, f := range builtin() {
			options := []Option{WithFamily(f), WithBits(f.Bits)}
			if f.Seeded || f.KeyBytes > 0 {
				options = append(options, WithSeed(r.Uint64()))
			}
			if f.KeyBytes > 0 {
				key := make([]byte, f.KeyBytes)
				for i := range key {
					key[i] = byte(r.Uint32())
				}
				options = append(options, WithKey(key))
			}
			s := mustNew(t, options...)
			for range 10 {
				indices := randomIndices(r, r.IntN(40))
				got, err := appendUnitErr(s, nil, indices)
				wantSketch(t, s, indices, make([]one, len(indices)), got, err)
			}
		}
	})
}

// TestWrongKernelInTheEnvironment runs itself in another process, since the variable is read at
// program start.
func TestWrongKernelInTheEnvironment(t *testing.T) {
	if os.Getenv("FPHASH_TEST_CHILD") != "" {
		_, err := New()
		_, err64 := sketchUnit64Err([]uint64{1})
		if err == nil || err64 == nil {
			t.Fatalf("no error: %v, %v", err, err64)
		}
		for _, err := range []error{err, err64} {
			if !strings.HasPrefix(err.Error(), "fphash: FPHASH_KERNEL=avx3: ") {
				t.Fatal(err)
			}
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip("cannot run this program again: ", err)
	}
	command := exec.Command(self, "-test.run=^TestWrongKernelInTheEnvironment$", "-test.v")
	command.Env = append(os.Environ(), "FPHASH_TEST_CHILD=1", "FPHASH_KERNEL=avx3")
	out, err := command.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("only this process runs under emulation: ", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}
