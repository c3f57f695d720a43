//go:build !purego

package registers

import (
	"runtime"

	"github.com/klauspost/cpuid/v2"

	"simhashkit/asm/cpu"
)

var known = tells()

// tells verifies that the processor can distinguish a clean state from one in use. Emulators may
// report every state as in use.
func tells() bool {
	if !cpuid.CPU.Has(cpuid.XGETBV1) || !cpu.AVX2.Available() {
		return false
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range 3 { // a preemption marks all registers as in use
		wipe()
		if stateInUse()&upperHalves == 0 {
			return true
		}
	}
	return false
}

// Components of the extended state: bits 128 to 255, and bits 256 to 511, of the registers 0 to 15.
const upperHalves = 1<<2 | 1<<6

func upperInUse() bool {
	if !known {
		panic("registers: this processor cannot report the state in use")
	}
	return stateInUse()&upperHalves != 0
}

func spoil(ones bool) {
	switch wide := cpu.AVX512.Available(); {
	case wide && ones:
		fillOnesAVX512()
	case wide:
		fillMixedAVX512()
	case cpu.AVX2.Available() && ones:
		fillOnesAVX2()
	case cpu.AVX2.Available():
		fillMixedAVX2()
	}
}

// stateInUse returns the components of the extended state that are not in their initial
// configuration.
//
//go:noescape
func stateInUse() uint64

func fillOnesAVX2()
func fillMixedAVX2()
func fillOnesAVX512()
func fillMixedAVX512()

// wipe does what a kernel must do at its end.
func wipe()
