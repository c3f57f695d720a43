//go:build !purego

package registers

import (
	"runtime"
	"testing"
)

// TestUpperInUseSeesWhatIsLeft checks that UpperInUse reports a register that was left in use, and
// reports none after VZEROUPPER. The tests of the kernels rely on that.
func TestUpperInUseSeesWhatIsLeft(t *testing.T) {
	if !UpperKnown() {
		t.Skip("this processor cannot report the register state in use")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for i := range 100 {
		Spoil(i%2 == 0)
		left := UpperInUse()
		clean := false
		for try := 0; try < 3 && !clean; try++ { // a preemption marks all registers as in use
			wipe()
			clean = !UpperInUse()
		}
		if !left || !clean {
			t.Fatalf("after registers were filled: in use %v, want true; after VZEROUPPER: in use %v, want false", left, !clean)
		}
	}
}
