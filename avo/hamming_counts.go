package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	compareAtMost     = 2    // VPCMPU
	ternaryBothDiffer = 0x24 // VPTERNLOG: (a^b)&(c^b)

	// prefetchDistance is how far ahead scans prefetch, in bytes. The processor's own prefetching
	// stops at the end of a page. For data that does not fit the caches, prefetching makes scans a
	// little faster. A prefetch of memory that does not exist has no effect.
	prefetchDistance = 4096
)

// counter counts the ones of each lane of a register, and compares the counts with a limit.
type counter struct {
	vectors
	lane int // bits: 32 or 64

	limit reg.VecVirtual
	// nibbles has the number of ones of each nibble, and low masks the lower nibble of each byte.
	// one adds bytes (ones for lanes of 32 bits, zeros for 64). one16 adds words of 16 bits (for
	// lanes of 32).
	nibbles, low, one, one16 reg.VecVirtual
}

// popcnt tells whether the instruction set can count ones (VPOPCNTDQ).
func (v vectors) popcnt() bool { return v.isa == "AVX512GFNI" }

// newCounter loads the constants of a counter, and the limit, which is a parameter.
func newCounter(v vectors, lane int) *counter {
	c := &counter{vectors: v, lane: lane, limit: v.register()}
	c.broadcast(v.address("limit"), c.limit)
	if v.popcnt() {
		return c
	}
	c.nibbles = v.load(v.repeated("onesOfNibbles", func(i int) uint8 { return uint8(i&1 + i>>1&1 + i>>2&1 + i>>3&1) }))
	c.low = v.load(v.repeated("lowNibbles", func(int) uint8 { return 15 }))
	if lane == 64 {
		c.one = v.zero()
	} else {
		c.one = v.load(v.repeated("ones", func(int) uint8 { return 1 }))
		c.one16 = v.load(v.repeated("ones16", func(i int) uint8 { return uint8(1 - i%2) }))
	}
	return c
}

// repeated returns read-only data as long as a register, where byte i is f(i%16).
func (v vectors) repeated(name string, f func(i int) uint8) operand.Mem {
	return v.builder.bytes(name, v.bytes, func(i int) uint8 { return f(i % 16) })
}

// broadcast repeats a lane in all lanes of the register.
func (c *counter) broadcast(from operand.Op, to reg.VecVirtual) {
	if c.lane == 32 {
		c.VPBROADCASTD(from, to)
	} else {
		c.VPBROADCASTQ(from, to)
	}
}

// ones replaces each lane of x by its number of ones.
func (c *counter) ones(x reg.VecVirtual) {
	switch {
	case c.popcnt() && c.lane == 32:
		c.VPOPCNTD(x, x)
	case c.popcnt():
		c.VPOPCNTQ(x, x)
	default:
		upper := c.register()
		c.VPSRLW(operand.U8(4), x, upper)
		c.and(c.low, x, x)
		c.and(c.low, upper, upper)
		c.VPSHUFB(x, c.nibbles, x)
		c.VPSHUFB(upper, c.nibbles, upper)
		c.VPADDB(upper, x, x)
		if c.lane == 64 {
			c.VPSADBW(c.one, x, x)
			return
		}
		c.VPMADDUBSW(c.one, x, x)
		c.VPMADDWD(c.one16, x, x)
	}
}

// leastOf returns a register with the smallest of all counts of each lane. Counts of 64-bit lanes
// have no upper half, so it can use the faster instruction for double words.
func (c *counter) leastOf(counts []reg.VecVirtual) reg.VecVirtual {
	for len(counts) > 1 {
		half := len(counts) / 2
		for i := range half {
			c.VPMINUD(counts[half+i], counts[i], counts[i])
		}
		counts = counts[:half]
	}
	return counts[0]
}

// jumpIfAny jumps if the count of any 64-bit lane is at most the limit.
func (c *counter) jumpIfAny(counts reg.VecVirtual, label string) {
	if c.bytes == 64 {
		k := c.K()
		c.VPCMPUQ(operand.U8(compareAtMost), c.limit, counts, k)
		c.KORTESTB(k, k)
	} else {
		c.VPCMPGTQ(c.limit, counts, counts)
		above := c.GP64()
		c.VMOVMSKPD(counts, above.As32())
		c.CMPL(above.As32(), operand.U8(15))
	}
	c.JNE(operand.LabelRef(label))
}

// within stores a bit for each 64-bit lane, which is set if the count is at most the limit.
func (c *counter) within(counts reg.VecVirtual, bits reg.GPVirtual) {
	if c.bytes == 64 {
		k := c.K()
		c.VPCMPUQ(operand.U8(compareAtMost), c.limit, counts, k)
		c.KMOVB(k, bits.As32())
		return
	}
	c.VPCMPGTQ(c.limit, counts, counts)
	c.VMOVMSKPD(counts, bits.As32())
	c.XORL(operand.U8(15), bits.As32())
}
