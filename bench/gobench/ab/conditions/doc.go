// Package conditions binds a measurement to processors, and says afterwards under which conditions
// it was made: what else ran there, what the hypervisor took, and whether the clock has drifted.
//
// None of it is needed for a verdict to hold, since that rests on the order of runs alone (package
// ab). It tells people why a comparison is unclear, and what to do about it.
package conditions
