// Package kernels runs the tests of an op on all of its kernels, and checks the kernel tables
// against the assembly.
package kernels

import (
	"runtime"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/registers"
)

// Implementation is a kernel of an op, or its dispatch, as a test calls it.
type Implementation[F any] struct {
	cpu.Kernel
	Call F
}

// List returns the kernels as a test calls them, given how.
func List[K, F any](kernels []K, how func(K) (cpu.Kernel, F)) (list []Implementation[F]) {
	for _, k := range kernels {
		kernel, call := how(k)
		list = append(list, Implementation[F]{kernel, call})
	}
	return list
}

// OnEach runs body on every kernel that can run here, and on the dispatch at every tier. The names
// of the subtests begin with prefix.
func OnEach[F any](t *testing.T, prefix string, kernels []Implementation[F], dispatch F, body func(t *testing.T, call F)) {
	for _, k := range kernels {
		if k.Available() {
			t.Run(prefix+k.Name, func(t *testing.T) { body(t, k.Call) })
		}
	}
	OnTiers(t, prefix+"dispatch=", func(t *testing.T) { body(t, dispatch) })
}

// OnTiers runs body with the dispatch capped at every tier that can run here.
func OnTiers(t *testing.T, prefix string, body func(t *testing.T)) {
	for _, tier := range cpu.Supported() {
		t.Run(prefix+tier.String(), func(t *testing.T) {
			if err := At(tier, func() error { body(t); return nil }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// At calls f with the dispatch capped at the tier.
func At(tier cpu.Tier, f func() error) error {
	former, err := cpu.SetTier(tier)
	if err != nil {
		return err
	}
	defer cpu.SetTier(former)
	return f()
}

// LeavesClean calls the kernel on n elements and fails if it leaves the upper halves of the vector
// registers in use. It does nothing where the processor cannot say. A goroutine that is preempted
// gets all of its registers back by loads, which count as use, so what is found once in a while is
// not the kernel's doing. Each call starts with a clean state, since pure Go never cleans it, and
// the test fails after three calls that leave something, one after the other.
func LeavesClean(t *testing.T, n int, kernel func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 3 {
		registers.Wipe()
		kernel()
		if !registers.UpperKnown() || !registers.UpperInUse() {
			return
		}
	}
	t.Fatalf("n=%d: the upper halves of the vector registers are still in use", n)
}

// PanicOf returns what the call panics with, nil if it does not.
func PanicOf(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}
