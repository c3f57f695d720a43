package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var _ = hashes(hashFile{name: "sha256", emit: func(h hashLanes) { sha256(h).emit(1) }, ops: []hashOp{
	{"sha256", "sha256", 4, withCounter, nil},
}})

// There are 64 numbers for the steps, and one for each word from 16 to sha256Mixed-1.
const sha256Mixed, sha256Numbers = 32, 64 + sha256Mixed - 16

func sha256(h hashLanes) *hashDigest {
	d := &hashDigest{
		hashLanes: h, op: "sha256", numbers: sha256Numbers, bigEndian: true, steps: 64, step: sha256Step,
		start: []uint32{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19},
	}
	if h.bytes == 32 {
		d.saved = 16
	}
	return d
}

// sha256Step computes step i (FIPS 180-4, 6.2.2): h += Σ1(e) + Ch(e, f, g) + number + word, d += h,
// h += Σ0(a) + Maj(a, b, c). Then the eight variables exchange their roles. If the word is the same
// for all keys, the number contains it.
func sha256Step(s *hashDigest, group *digestGroup, i int) {
	role := func(j int) reg.VecVirtual { return group.state[(64-i+j)%8] }
	a, b, c, d, e, f, g, h := role(0), role(1), role(2), role(3), role(4), role(5), role(6), role(7)
	s.addEach32(s.number(i), h)
	if i < 2 || i >= 16 {
		if i >= 16 {
			s.sha256Word(group, i)
		}
		s.VPADDD(s.word(group, i), h, h)
	}
	s.VPADDD(s.sigma(e, 6, 11, 25, false), h, h)
	s.VPADDD(s.choice(e, f, g), h, h)
	s.VPADDD(h, d, d)
	s.VPADDD(s.sigma(a, 2, 13, 22, false), h, h)
	s.VPADDD(s.majority(group, a, b, c), h, h)
}

// sha256Word computes word t = σ1(word t-2) + word t-7 + σ0(word t-15) + word t-16. It adds the
// terms that differ from key to key, and one constant for the sum of the others.
func (s *hashDigest) sha256Word(g *digestGroup, t int) {
	differs := func(t int) bool { return t < 2 || t >= 16 }
	var sum reg.VecVirtual
	switch first := s.word(g, t-16).(type) {
	case reg.VecVirtual:
		sum = first // no longer needed
	case operand.Mem:
		if differs(t - 16) {
			sum = s.load(first)
		}
	}
	add := func(x operand.Op) {
		if r, ok := x.(reg.VecVirtual); ok && sum == nil {
			sum = r
		} else {
			s.VPADDD(x, sum, sum)
		}
	}
	if differs(t - 2) {
		add(s.sigma(s.word(g, t-2), 17, 19, 10, true))
	}
	if differs(t - 7) {
		add(s.word(g, t-7))
	}
	if differs(t - 15) {
		add(s.sigma(s.word(g, t-15), 7, 18, 3, true))
	}
	for _, from := range []int{t - 16, t - 15, t - 7, t - 2} {
		if from == 2 || from == 15 { // the words in between are 0
			s.addEach32(s.number(64+t-16), sum)
			break
		}
	}
	s.keep(g, t, sum)
}

// sigma returns the XOR of three right rotations of x. If shifted is set, the third is a right
// shift instead.
func (s *hashDigest) sigma(x operand.Op, first, second, third int, shifted bool) reg.VecVirtual {
	t, u, v := s.register(), s.register(), s.register()
	if s.bytes == 64 {
		s.VPRORD(operand.U8(first), x, t)
		s.VPRORD(operand.U8(second), x, u)
		if shifted {
			s.VPSRLD(operand.U8(third), x, v)
		} else {
			s.VPRORD(operand.U8(third), x, v)
		}
		s.VPTERNLOGD(operand.U8(ternaryXor3), v, u, t)
		return t
	}
	if place, ok := x.(operand.Mem); ok {
		x = s.load(place)
	}
	s.VPSRLD(operand.U8(first), x, t)
	for i, by := range []int{32 - first, second, 32 - second, third, 32 - third} {
		switch {
		case i%2 == 1:
			s.VPSRLD(operand.U8(by), x, u)
		case i == 4 && shifted:
			continue
		default:
			s.VPSLLD(operand.U8(by), x, u)
		}
		s.VPXOR(u, t, t)
	}
	return t
}

// choice returns the bits of f where e has ones, and those of g where e has zeros.
func (s *hashDigest) choice(e, f, g reg.VecVirtual) reg.VecVirtual {
	if s.bytes == 64 {
		return s.ternary(ternaryChoice, e, f, g)
	}
	t := s.register()
	s.VPXOR(f, g, t)
	s.VPAND(e, t, t)
	s.VPXOR(g, t, t)
	return t
}

// majority returns the bits that at least two of a, b and c have: b ^ (a^b)&(b^c). a^b of a step is
// b^c of the next step.
func (s *hashDigest) majority(group *digestGroup, a, b, c reg.VecVirtual) reg.VecVirtual {
	if s.bytes == 64 {
		return s.ternary(ternaryMajority, a, b, c)
	}
	if group.before == nil {
		group.before = s.register()
		s.VPXOR(b, c, group.before)
	}
	t := s.register()
	s.VPXOR(a, b, t)
	s.VPAND(t, group.before, group.before)
	s.VPXOR(b, group.before, group.before)
	result := group.before
	group.before = t
	return result
}
