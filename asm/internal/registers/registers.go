// Package registers reads the vector registers before and after the call of a kernel, for tests.
//
// A kernel that leaves the upper halves of the registers in use slows down SSE code that runs
// afterwards, in Go or in C, and no result shows it. A kernel that reads a register before it has
// written it may still give the right result, from what the call before has left there.
package registers

// UpperKnown reports whether this processor can tell what UpperInUse asks: it takes amd64, AVX2 and
// XGETBV with ECX=1 that works.
func UpperKnown() bool { return known }

// UpperInUse reports whether bits 128 and up of any of the registers 0 to 15 are in use, on the
// thread that it runs on. The caller locks its goroutine to the thread and calls UpperInUse right
// after the kernel. Registers 16 to 31 do not count: VZEROUPPER does not touch them, and SSE code
// cannot reach them. It panics unless UpperKnown.
func UpperInUse() bool { return upperInUse() }

// Wipe takes the upper halves of the registers 0 to 15 out of use, as the end of a kernel must do.
// What was put in use before, by a preemption for example, stays so until then. It does nothing
// where UpperKnown is false.
func Wipe() {
	if known {
		wipe()
	}
}

// Spoil fills all vector and mask registers that the processor has, with ones (not a number as
// floats, -1 as integers) or, of the vector registers, the even ones with zeros and the odd ones
// with ones, so that a kernel that takes the register next to the right one reads something else.
// The upper halves are then in use.
func Spoil(ones bool) { spoil(ones) }
