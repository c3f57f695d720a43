package search

import (
	"sync/atomic"
	"unsafe"
)

// Guard guards memory that a file is mapped to: it checks each block of GuardBlock bytes before its
// first use, and not again. Any number of goroutines may use it. A nil Guard lets everything pass.
type Guard struct {
	base uintptr
	size uintptr
	// good has a bit for each block that has been found good. Two goroutines may check a block at
	// once.
	good  []atomic.Uint64
	check func(block int) error
}

const guardShift = 16

// GuardBlock is the number of bytes that are checked at a time.
const GuardBlock = 1 << guardShift

// NewGuard returns a Guard of memory that does not move and begins with the first of some blocks.
func NewGuard(memory []byte, blocks int, check func(block int) error) *Guard {
	return &Guard{
		base: uintptr(unsafe.Pointer(unsafe.SliceData(memory))), size: uintptr(len(memory)),
		good: make([]atomic.Uint64, (blocks+63)/64), check: check,
	}
}

// Use returns an error unless the n bytes from the given place on are as they were written.
func (g *Guard) Use(from, n int) error {
	if g == nil || n <= 0 || g.isGood(uint(from), uint(from+n-1)) {
		return nil
	}
	return g.checkAll(from, from+n-1)
}

// isGood reports whether two bytes are in one block that has been found good.
func (g *Guard) isGood(first, last uint) bool {
	block := first >> guardShift
	return block == last>>guardShift && g.good[block/64].Load()>>(block%64)&1 != 0
}

// checkAll checks those blocks from the first byte to the last that are not known to be good.
func (g *Guard) checkAll(first, last int) error {
	for block := first >> guardShift; block <= last>>guardShift; block++ {
		if g.good[block/64].Load()>>(block%64)&1 != 0 {
			continue
		}
		if err := g.check(block); err != nil {
			return err
		}
		g.good[block/64].Or(1 << (block % 64))
	}
	return nil
}

// Use is Guard.Use for numbers that lie in the guarded memory. Numbers that lie elsewhere need no
// check.
func Use[T uint32 | uint64](g *Guard, numbers []T) error {
	if g == nil || len(numbers) == 0 {
		return nil
	}
	first := uintptr(unsafe.Pointer(unsafe.SliceData(numbers))) - g.base
	last := first + uintptr(len(numbers))*unsafe.Sizeof(numbers[0]) - 1
	if first >= g.size || g.isGood(uint(first), uint(last)) {
		return nil
	}
	return g.checkAll(int(first), int(last))
}
