// Package extension names the instruction-set extensions that kernels need.
package extension

import "strings"

// Set is a set of instruction-set extensions.
type Set uint32

// The extensions that kernels may need.
const (
	AVX Set = 1 << iota
	AVX2
	BMI1
	BMI2
	POPCNT
	SSE42
	AVX512F
	AVX512BW
	AVX512DQ
	AVX512VL
	AVX512VBMI
	AVX512VPOPCNTDQ
	AVX512BITALG
	AVX512VNNI
	GFNI
	ASIMD
	end
)

// names are the names that avo uses in the comment "// Requires:" above each kernel in the
// assembly. A test compares these comments with the kernel tables.
var names = [...]string{"AVX", "AVX2", "BMI", "BMI2", "POPCNT", "SSE4.2", "AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL", "AVX512VBMI", "AVX512VPOPCNTDQ", "AVX512BITALG", "AVX512VNNI", "GFNI", "ASIMD"}

// Has reports whether all of needs is in s.
func (s Set) Has(needs Set) bool { return needs&^s == 0 }

// String lists the extensions, separated by commas.
func (s Set) String() string {
	if s == 0 {
		return "nothing"
	}
	var list []string
	for i, name := range names {
		if s>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// Named returns the one-element set of that name, as String writes it.
func Named(name string) (Set, bool) {
	for i := range names {
		if names[i] == name {
			return 1 << i, true
		}
	}
	return 0, false
}
