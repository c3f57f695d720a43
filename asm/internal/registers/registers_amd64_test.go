//go:build !purego

package registers

import (
	"runtime"
	"testing"
)

// The probe sees a register that was left in use and sees nothing after VZEROUPPER; without that,
// the tests of the kernels would prove nothing.
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
		for try := 0; try < 3 && !clean; try++ { // preempted in between, all registers are in use
			wipe()
			clean = !UpperInUse()
		}
		if !left || !clean {
			t.Fatalf("after registers were filled: in use %v, want true; after VZEROUPPER: in use %v, want false", left, !clean)
		}
	}
}
