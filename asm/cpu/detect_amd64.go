//go:build !purego

package cpu

import "github.com/klauspost/cpuid/v2"

var extensions = [...]cpuid.FeatureID{
	cpuid.AVX, cpuid.AVX2, cpuid.BMI1, cpuid.BMI2, cpuid.POPCNT, cpuid.SSE42, cpuid.AVX512F, cpuid.AVX512BW, cpuid.AVX512DQ, cpuid.AVX512VL,
	cpuid.AVX512VBMI, cpuid.AVX512VPOPCNTDQ, cpuid.AVX512BITALG, cpuid.AVX512VNNI, cpuid.GFNI,
}

// detect asks cpuid, which omits extensions that the operating system has not enabled (OSXSAVE,
// XCR0).
func detect() Set {
	return setOf(func(id cpuid.FeatureID) bool { return cpuid.CPU.Has(id) })
}

func setOf(has func(cpuid.FeatureID) bool) Set {
	var s Set
	for i, id := range extensions {
		if has(id) {
			s |= 1 << i
		}
	}
	return s
}
