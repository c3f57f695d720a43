//go:build !purego

package hamming

import (
	"simhashkit/asm/cpu"
)

var scanKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512DQ|cpu.ExtAVX512VPOPCNTDQ),
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512DQ),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2|cpu.ExtBMI2),
	cpu.KernelAt(cpu.Generic, 0),
}

// noScreen is the message of the panic if a scan without a kernel tries to screen.
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

var readKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512DQ|cpu.ExtAVX512VL),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func readAt(tier cpu.Tier, words []uint64) uint64 {
	whole := len(words) &^ 63
	switch {
	case tier >= cpu.AVX512:
		return readAVX512(words[:whole]) ^ readGeneric(words[whole:])
	case tier == cpu.AVX2:
		return readAVX2(words[:whole]) ^ readGeneric(words[whole:])
	default:
		return readGeneric(words)
	}
}

var splitKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512BW|cpu.ExtAVX512BITALG),
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2),
	cpu.KernelAt(cpu.Generic, 0),
}

func candidates(tier cpu.Tier, list *[linesOfList]uint64, first, second []uint16, query *[2]uint16, limit uint16) int {
	switch tier {
	case cpu.AVX512GFNI:
		return candidatesAVX512GFNI(list, first, second, query, limit)
	case cpu.AVX512:
		return candidatesAVX512(list, first, second, query, limit)
	case cpu.AVX2:
		return candidatesAVX2(list, first, second, query, limit)
	default:
		return candidatesGeneric(list, first, second, query, limit)
	}
}
