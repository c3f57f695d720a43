// Package conditions binds a measurement to processors, and reports under which conditions it was
// made: what else ran there, and what the hypervisor took.
//
// No verdict depends on it, since verdicts rest on the order of runs alone (package ab). It tells
// people why a comparison is unclear, and what to do about it.
package conditions
