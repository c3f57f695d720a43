package cpu

import "strings"

// Set is a set of instruction-set extensions.
type Set uint32

// The extensions that kernels may need.
const (
	ExtAVX Set = 1 << iota
	ExtAVX2
	ExtBMI1
	ExtBMI2
	ExtPOPCNT
	ExtSSE42
	ExtAVX512F
	ExtAVX512BW
	ExtAVX512DQ
	ExtAVX512VL
	ExtAVX512VBMI
	ExtAVX512VPOPCNTDQ
	ExtAVX512BITALG
	ExtAVX512VNNI
	ExtGFNI
	ExtASIMD
	extEnd
)

const (
	neon       = ExtASIMD
	avx2       = ExtAVX | ExtAVX2 | ExtBMI1 | ExtBMI2 | ExtPOPCNT | ExtSSE42
	avx512     = avx2 | ExtAVX512F | ExtAVX512BW | ExtAVX512DQ | ExtAVX512VL
	avx512gfni = avx512 | ExtAVX512VBMI | ExtAVX512VPOPCNTDQ | ExtAVX512BITALG | ExtAVX512VNNI | ExtGFNI
)

// names are written as they stand in "// Requires:" above each kernel, in the words of avo, which
// a test compares with what each kernel says it needs.
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

// Extension returns the one-element set of that name, as String writes it.
func Extension(name string) (Set, bool) {
	for i := range names {
		if names[i] == name {
			return 1 << i, true
		}
	}
	return 0, false
}
