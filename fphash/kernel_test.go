package fphash

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// TestSeedsReachTheKernels: a Sketcher calls kernels directly, bypassing the hash's methods, and
// must use the same seed and key.
func TestSeedsReachTheKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	atEachTier(t, func(t *testing.T) {
		for _, f := range builtin() {
			d := Definition{Hash: f.Name, Bits: f.Bits}
			if f.Seeded || f.KeyBytes > 0 {
				d.Seed = r.Uint64()
			}
			if f.KeyBytes > 0 {
				key := make([]byte, f.KeyBytes)
				for i := range key {
					key[i] = byte(r.Uint32())
				}
				d.Key = key
			}
			s := mustNew(t, d)
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
		_, err := New(Definition{})
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
