//go:build !purego

package hamming

import (
	"math/bits"

	"simhashkit/asm/cpu"
)

var nearKernels = []cpu.Kernel{
	cpu.KernelAt(cpu.AVX512GFNI, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512VPOPCNTDQ),
	cpu.KernelAt(cpu.AVX512, cpu.ExtAVX|cpu.ExtBMI2|cpu.ExtAVX512F|cpu.ExtAVX512BW),
	cpu.KernelAt(cpu.AVX2, cpu.ExtAVX|cpu.ExtAVX2|cpu.ExtBMI2),
	cpu.KernelAt(cpu.Generic, 0),
}

const rowsOfGroup = 4 // screened together

// Kernels screen groups of rows, and stop at groups that may have a pair. Only for these are the
// columns found one by one. With a limit of 32 or more, every pair is near, so there is nothing to
// screen.

func appendNear(tier cpu.Tier, dst []NearPair, rows, columns []uint32, k int) []NearPair {
	if k < 0 || len(columns) == 0 {
		return dst
	}
	if tier == cpu.Generic || k >= 32 {
		return appendNearGeneric(dst, rows, columns, k)
	}
	for row := 0; row < len(rows); {
		if len(rows) >= rowsOfGroup {
			row = screenRows(tier, rows, columns, row, uint64(k))
		}
		for end := min(row+rowsOfGroup, len(rows)); row < end; row++ {
			dst = appendColumns(tier, dst, uint32(row), rows[row], columns, 0, k)
		}
	}
	return dst
}

func appendNearPairs(tier cpu.Tier, dst []NearPair, words []uint32, k int) []NearPair {
	if k < 0 {
		return dst
	}
	if tier == cpu.Generic || k >= 32 || len(words) < rowsOfGroup {
		return appendNearPairsGeneric(dst, words, k)
	}
	for row := 0; row < len(words)-1; {
		row = screenPairs(tier, words, row, uint64(k))
		for end := min(row+rowsOfGroup, len(words)-1); row < end; row++ {
			dst = appendColumns(tier, dst, uint32(row), words[row], words, row+1, k)
		}
	}
	return dst
}

// appendColumns appends the pairs of a row with the columns starting at from.
func appendColumns(tier cpu.Tier, dst []NearPair, row, word uint32, columns []uint32, from, k int) []NearPair {
	for from < len(columns) {
		at, hits := nearColumns(tier, columns[from:], word, uint64(k))
		for from += at; hits != 0; hits &= hits - 1 {
			dst = append(dst, NearPair{row, uint32(from + bits.TrailingZeros64(hits))})
		}
		from += 64
	}
	return dst
}

func screenPairs(tier cpu.Tier, words []uint32, from int, limit uint64) int {
	switch tier {
	case cpu.AVX512GFNI:
		return screenPairsAVX512GFNI(words, from, limit)
	case cpu.AVX512:
		return screenPairsAVX512(words, from, limit)
	case cpu.AVX2:
		return screenPairsAVX2(words, from, limit)
	}
	panic(noScreen)
}

func screenRows(tier cpu.Tier, rows, columns []uint32, from int, limit uint64) int {
	switch tier {
	case cpu.AVX512GFNI:
		return screenRowsAVX512GFNI(rows, columns, from, limit)
	case cpu.AVX512:
		return screenRowsAVX512(rows, columns, from, limit)
	case cpu.AVX2:
		return screenRowsAVX2(rows, columns, from, limit)
	}
	panic(noScreen)
}

func nearColumns(tier cpu.Tier, columns []uint32, row uint32, limit uint64) (at int, hits uint64) {
	switch tier {
	case cpu.AVX512GFNI:
		return nearColumnsAVX512GFNI(columns, row, limit)
	case cpu.AVX512:
		return nearColumnsAVX512(columns, row, limit)
	case cpu.AVX2:
		return nearColumnsAVX2(columns, row, limit)
	}
	panic(noScreen)
}
