package accumulate

import (
	"simhashkit/asm/cpu"
)

// UnitKernel is one implementation of AddUnit and SketchUnit.
type UnitKernel = Kernel[func(lanes *[64]int64, codes []uint64), func(codes []uint64) Signs]

// UnitKernels returns the implementations of AddUnit and SketchUnit, fastest first, generic last.
func UnitKernels() (list []UnitKernel) {
	for _, k := range unitKernels {
		list = append(list, UnitKernel{k,
			func(lanes *[64]int64, codes []uint64) { addUnitAt(k.Usable(), lanes, codes) },
			func(codes []uint64) Signs { return sketchUnitAt(k.Usable(), codes) }})
	}
	return list
}

// AddUnit adds 1 to lane j for every code whose bit j is 1 and subtracts 1 for every other.
func AddUnit(lanes *[64]int64, codes []uint64) { addUnitAt(cpu.Active(), lanes, codes) }

// SketchUnit returns the signs of lanes that start from 0 and gain ±1 for every code: the majority
// of the codes, bit by bit.
func SketchUnit(codes []uint64) Signs { return sketchUnitAt(cpu.Active(), codes) }

// UnitCounter is AddUnit over any number of calls: it counts the codes whose bit j is 1, for all j,
// in bit-sliced counters, which cost less to add to than lanes. The zero value has no codes.
type UnitCounter struct {
	ones  counts
	total int // codes
}

// Add counts the codes.
func (c *UnitCounter) Add(codes []uint64) { c.addAt(cpu.Active(), codes) }

func (c *UnitCounter) addAt(tier cpu.Tier, codes []uint64) {
	for len(codes) > 0 {
		n := 0
		if c.total == 0 {
			n = c.ones.addPiece(tier, codes)
		} else {
			var piece counts
			n = piece.addPiece(tier, codes)
			c.ones.plus(&piece, n)
		}
		c.total += n
		codes = codes[n:]
	}
}

// addCounted is AddUnit by a counter.
func addCounted(tier cpu.Tier, lanes *[64]int64, codes []uint64) {
	var c UnitCounter
	c.addAt(tier, codes)
	c.AddTo(lanes)
}

// AddTo adds what AddUnit would have added for the codes to the lanes.
func (c *UnitCounter) AddTo(lanes *[64]int64) { c.ones.addTo(lanes, c.total) }

// Signs returns what SketchUnit would for the codes.
func (c *UnitCounter) Signs() Signs { return c.ones.majority(c.total) }
