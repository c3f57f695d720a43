package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "sha1", emit: func(h hashLanes) { sha1(h).emit(1) }, neon: true, ops: []hashOp{
	{"sha1", "sha1", 3, withCounter, nil},
}})

// There are 80 numbers to add, and one number to XOR for each word from 16 to sha1Mixed-1.
const sha1Mixed, sha1Numbers = 38, 80 + sha1Mixed - 16

func sha1(h hashLanes) *hashDigest {
	d := &hashDigest{
		hashLanes: h, op: "sha1", numbers: sha1Numbers, bigEndian: true, steps: 80, step: sha1Step,
		start: []uint32{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0},
	}
	if h.bytes == 32 {
		d.saved = 16
	}
	return d
}

// sha1SameForAll reports whether word t is the same for all keys and, if so, whether it is 0.
func sha1SameForAll(t int) (same, zero bool) {
	if t < 16 {
		return t >= 2, t > 2 && t < 15
	}
	same, zero = true, true
	for _, from := range sha1Sources(t) {
		s, z := sha1SameForAll(from)
		same, zero = same && s, zero && z
	}
	return same, zero
}

// sha1Sources are the words whose XOR, rotated left by 1, is word t.
func sha1Sources(t int) [4]int { return [4]int{t - 16, t - 14, t - 8, t - 3} }

// sha1Step computes step i (FIPS 180-4, 6.1.2): e += (a rotated left by 5) + function(b, c, d) +
// number + word, and b is rotated left by 30. Then the five variables exchange their roles. If the
// word is the same for all keys, the number contains it.
func sha1Step(s *hashDigest, g *digestGroup, i int) {
	role := func(j int) reg.VecVirtual { return g.state[(80-i+j)%5] }
	a, b, c, d, e := role(0), role(1), role(2), role(3), role(4)
	s.addEach32(s.number(i), e)
	if same, _ := sha1SameForAll(i); !same {
		if i >= 16 {
			s.sha1Word(g, i)
		}
		s.VPADDD(s.word(g, i), e, e)
	}
	s.addSHA1Function(i/20, b, c, d, e)
	s.VPADDD(s.rotated32(a, 5), e, e)
	s.rotate32(b, 30)
}

// sha1Word computes word t: the XOR of those of its sources that differ from key to key, and of a
// number for the other sources.
func (s *hashDigest) sha1Word(g *digestGroup, t int) {
	var sources []operand.Op
	number := false
	for _, from := range sha1Sources(t) {
		if same, zero := sha1SameForAll(from); !same {
			sources = append(sources, s.word(g, from))
		} else if !zero {
			number = true
		}
	}
	r := s.register()
	if first, ok := sources[0].(reg.VecVirtual); ok {
		s.copy(first, r)
	} else {
		s.VMOVDQU(sources[0], r)
	}
	sources = sources[1:]
	if number && s.bytes == 32 {
		u := s.register()
		s.VPBROADCASTD(s.number(80+t-16), u)
		s.VPXOR(u, r, r)
	} else if number {
		s.VPXORD_BCST(s.number(80+t-16), r, r)
	}
	for len(sources) > 0 {
		if s.bytes == 64 && len(sources) > 1 {
			s.VPTERNLOGD(operand.U8(ternaryXor3), sources[0], sources[1], r)
			sources = sources[2:]
			continue
		}
		s.xor(sources[0], r, r)
		sources = sources[1:]
	}
	if s.bytes == 64 {
		s.VPROLD(operand.U8(1), r, r)
	} else {
		u := s.register()
		s.VPADDD(r, r, u)
		s.VPSRLD(operand.U8(31), r, r)
		s.VPOR(u, r, r)
	}
	s.keep(g, t, r)
}

// addSHA1Function adds the function of b, c and d of the round to e.
func (s *hashDigest) addSHA1Function(round int, b, c, d, e reg.VecVirtual) {
	if s.bytes == 64 {
		tables := [4]uint64{ternaryChoice, ternaryXor3, ternaryMajority, ternaryXor3}
		s.VPADDD(s.ternary(tables[round], b, c, d), e, e)
		return
	}
	t := s.register()
	switch round {
	case 0: // b selects c or d
		s.VPXOR(c, d, t)
		s.VPAND(b, t, t)
		s.VPXOR(d, t, t)
	case 1, 3:
		s.VPXOR(c, d, t)
		s.VPXOR(b, t, t)
	case 2:
		// At least two of b, c and d are set: both c and d, or b and one of the others. These cases
		// have no bits in common, so they can be added.
		u := s.register()
		s.VPAND(c, d, u)
		s.VPADDD(u, e, e)
		s.VPXOR(c, d, t)
		s.VPAND(b, t, t)
	}
	s.VPADDD(t, e, e)
}

// rotated32 returns lanes of 32 bits rotated left.
func (d *hashDigest) rotated32(r reg.VecVirtual, by int) reg.VecVirtual {
	t := d.register()
	if d.bytes == 64 {
		d.VPROLD(operand.U8(by), r, t)
		return t
	}
	u := d.register()
	d.VPSRLD(operand.U8(32-by), r, t)
	d.VPSLLD(operand.U8(by), r, u)
	d.VPOR(u, t, t)
	return t
}
