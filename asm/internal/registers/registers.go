// Package registers reads the vector registers before and after the call of a kernel, for tests.
//
// A kernel that leaves the upper halves of the registers in use slows down SSE code that runs
// afterwards, in Go or in C, without changing any result. A kernel that reads a register before
// writing it may still return the right result, if an earlier call left a suitable value there.
package registers

// UpperKnown reports whether this processor can answer UpperInUse. That requires amd64, AVX2 and a
// working XGETBV with ECX=1.
func UpperKnown() bool { return known }

// UpperInUse reports whether bits 128 and up of any of the registers 0 to 15 are in use, on the
// thread that it runs on. The caller locks its goroutine to the thread and calls UpperInUse right
// after the kernel. Registers 16 to 31 do not count: VZEROUPPER does not touch them, and SSE code
// cannot reach them. It panics unless UpperKnown.
func UpperInUse() bool { return upperInUse() }

// Wipe marks the upper halves of the registers 0 to 15 as unused, as the end of a kernel must do.
// It also resets a state that something else left in use, such as a preemption. It does nothing if
// UpperKnown is false.
func Wipe() {
	if known {
		wipe()
	}
}

// Spoil fills all mask registers and vector registers of the processor. If ones is set, it fills
// them with ones (not a number as floats, -1 as integers). Otherwise it fills even vector registers
// with zeros and odd ones with ones, so that a kernel that reads the neighbour of the right
// register reads something else. The upper halves are in use afterwards.
func Spoil(ones bool) { spoil(ones) }
