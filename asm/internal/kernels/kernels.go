// Package kernels runs the tests of an op on all of its kernels.
package kernels

import (
	"runtime"
	"slices"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/registers"
)

// Implementation is a kernel of an op, with the function through which a test calls it.
type Implementation[F any] struct {
	Name string
	Tier cpu.Tier // at which the dispatch calls it
	Call F

	needs cpu.Tier // the kernel's own tier
}

// Available reports whether the kernel can run on this machine.
func (i Implementation[F]) Available() bool { return i.needs.Available() }

// List returns the kernels of a table. On amd64, which has the highest tiers, it adds the dispatch
// at a made-up tier above them, which must call the fastest kernel. at returns the function that
// calls the kernel of a tier.
func List[F any](table []cpu.Tier, at func(tier cpu.Tier) F) (list []Implementation[F]) {
	for _, tier := range table {
		list = append(list, Implementation[F]{tier.String(), tier, at(tier), tier})
	}
	if runtime.GOARCH == "amd64" && table[0] != cpu.Generic {
		above := slices.Max(cpu.Tiers("")) + 1
		list = append(list, Implementation[F]{"above", above, at(above), table[0]})
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

// OnTiers runs body with the dispatch limited to each tier that can run on this machine.
func OnTiers(t *testing.T, prefix string, body func(t *testing.T)) {
	for _, tier := range cpu.Supported() {
		t.Run(prefix+tier.String(), func(t *testing.T) {
			if err := At(tier, func() error { body(t); return nil }); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// At calls f with the dispatch limited to the tier.
func At(tier cpu.Tier, f func() error) error {
	former, err := cpu.SetTier(tier)
	if err != nil {
		return err
	}
	defer cpu.SetTier(former)
	return f()
}

// LeavesClean calls the kernel on n elements and fails if it leaves the upper halves of the vector
// registers in use. It does nothing if the processor cannot report that. If a goroutine is
// preempted, loads restore all of its registers, which count as use. So a single finding need not
// be the kernel's fault, and the test fails only after three such calls in a row. Each call starts
// with a clean state, since pure Go never cleans it.
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

// PanicOf returns the value that the call panics with, or nil if it does not panic.
func PanicOf(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}
