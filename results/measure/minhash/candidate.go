package main

// Lanes is the number of functions.
const Lanes = 4096

// Candidate is a way from codes to bits: what enters the functions, the functions of the lanes, and
// the bit of a minimum.
type Candidate struct {
	Name   string
	Sketch func(codes []uint64) *[Lanes / 64]uint64
}

const gamma = 0x9E3779B97F4A7C15

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Candidates returns the ways that are compared, the dearest first.
func Candidates() []Candidate {
	list := []Candidate{{Name: "splitmix64", Sketch: exact}}
	for _, c := range []struct {
		name string
		key  func(code uint64) uint32
		last func(minimum uint32) uint32
		xor  bool
		odd  bool // no constant is added
	}{
		{"mixed,linear,fmix32", mixed, fmix32, false, false},
		{"mixed,linear,xorshift-multiply", mixed, xorShiftMultiply, false, false},
		{"mixed,linear,multiply", mixed, multiply, false, false},
		{"mixed,linear,low-bit", mixed, lowBit, false, false},
		{"mixed,multiple,fmix32", mixed, fmix32, false, true},
		{"mixed,multiple,xorshift-multiply", mixed, xorShiftMultiply, false, true},
		{"mixed,xor,fmix32", mixed, fmix32, true, false},
		{"product,linear,fmix32", product, fmix32, false, false},
		{"folded,linear,fmix32", folded, fmix32, false, false},
		{"low,linear,fmix32", low, fmix32, false, false},
	} {
		var a, b [Lanes]uint32
		for j := range a {
			z := mix(uint64(j) + gamma)
			a[j], b[j] = uint32(z)|1, uint32(z>>32)
			if c.odd {
				b[j] = 0
			}
		}
		least := linear
		if c.xor {
			least = xored
		}
		list = append(list, Candidate{Name: c.name, Sketch: func(codes []uint64) *[Lanes / 64]uint64 {
			keys := make([]uint32, len(codes))
			for i, code := range codes {
				keys[i] = c.key(code)
			}
			var bits [Lanes / 64]uint64
			for j := range a {
				bits[j/64] |= uint64(c.last(least(keys, a[j], b[j]))&1) << (j % 64)
			}
			return &bits
		}})
	}
	return list
}

// exact is the prototype of the specification: a function of 64 bits for each lane.
func exact(codes []uint64) *[Lanes / 64]uint64 {
	var bits [Lanes / 64]uint64
	for j := range Lanes {
		least := ^uint64(0)
		for _, c := range codes {
			least = min(least, mix(c+uint64(j+1)*gamma))
		}
		bits[j/64] |= mix(least) & 1 << (j % 64)
	}
	return &bits
}

// The functions of the lanes.

func linear(keys []uint32, a, b uint32) uint32 {
	least := ^uint32(0)
	for _, k := range keys {
		least = min(least, a*k+b)
	}
	return least
}

func xored(keys []uint32, _, b uint32) uint32 {
	least := ^uint32(0)
	for _, k := range keys {
		least = min(least, k^b)
	}
	return least
}

// What enters them: 32 bits of the code.

func mixed(code uint64) uint32   { return uint32(mix(code + gamma)) }
func product(code uint64) uint32 { return uint32(code * gamma >> 32) }
func folded(code uint64) uint32  { return uint32(code ^ code>>32) }
func low(code uint64) uint32     { return uint32(code) }

// The bit of a minimum is the lowest bit of these.

func lowBit(m uint32) uint32           { return m }
func multiply(m uint32) uint32         { return m * 0x9E3779B1 >> 31 }
func xorShiftMultiply(m uint32) uint32 { return (m ^ m>>15) * 0x9E3779B1 >> 31 }

// fmix32 is the finaliser of MurmurHash3.
func fmix32(m uint32) uint32 {
	m = (m ^ m>>16) * 0x85EBCA6B
	m = (m ^ m>>13) * 0xC2B2AE35
	return m ^ m>>16
}
