//go:build !purego

package hamming

import "simhashkit/asm/cpu"

var scanKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512DQ|cpu.ExtAVX512VPOPCNTDQ),
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2|cpu.ExtBMI2),
	cpu.KernelAt(cpu.Generic, 0),
}

// noScreen is said where a scan without a kernel would screen.
const noScreen = "hamming: there is no kernel that screens at tier generic"

func near(tier cpu.Tier, words []uint64, pattern *[8]uint64, limit uint64) (at int, hits uint64) {
	switch tier {
	case cpu.AVX512GFNI:
		return nearAVX512GFNI(words, pattern, limit)
	case cpu.AVX512:
		return nearAVX512(words, pattern, limit)
	case cpu.AVX2:
		return nearAVX2(words, pattern, limit)
	}
	panic(noScreen)
}

func nearPeriodic(tier cpu.Tier, words, pattern []uint64, limit uint64) (at int) {
	switch tier {
	case cpu.AVX512GFNI:
		return nearPeriodicAVX512GFNI(words, pattern, limit)
	case cpu.AVX512:
		return nearPeriodicAVX512(words, pattern, limit)
	case cpu.AVX2:
		return nearPeriodicAVX2(words, pattern, limit)
	}
	panic(noScreen)
}
