package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// hashDigest is a hash with blocks of 32-bit words (MD5, SHA-1, SHA-256), with one 32-bit lane per
// key. A key fills words 0 and 1 of its only block. The rest of the block is the same for all keys
// and included in the numbers that the steps add, so the caller of the kernel decides what follows
// the keys.
type hashDigest struct {
	hashLanes
	op        string
	start     []uint32 // initial state
	numbers   int      // how many numbers the kernel reads
	bigEndian bool     // the words are big-endian
	saved     int      // how many words of the block are kept in memory, because registers are scarce

	steps int
	step  func(d *hashDigest, g *digestGroup, i int)

	odd              []reg.OpmaskVirtual // the odd lanes of 32 bits, and the even ones
	reversed         operand.Op          // the order of bytes in reversed words of 32 bits
	atNumbers, saves reg.GPVirtual
}

// digestGroup holds the values computed from the keys of two registers: words 0 and 1 of the block,
// the words derived from them, and the state.
type digestGroup struct {
	state []reg.VecVirtual
	// Word t of the block, or of its extension, is at t % 16 if it is in a register.
	words [16]reg.VecVirtual
	// before is a value that a step leaves for the next one.
	before reg.VecVirtual
}

// digestArguments holds the registers with the kernel's arguments.
type digestArguments struct {
	dst, keys, n reg.GPVirtual
	// stride is the distance in bytes from one word of a digest to the next, and stride3 three
	// times that.
	stride, stride3 reg.GPVirtual
}

// emit emits the kernel for several numbers of groups in flight, the largest first.
func (d *hashDigest) emit(flights ...int) {
	name, number, scratch, and := d.op+d.isa, "", "", ""
	if d.bytes == 32 {
		number = ", whose number is a multiple of 8"
		if d.saved > 0 {
			scratch, and = fmt.Sprintf(", scratch *[%d]uint64", d.saved*d.words()), " It has too few registers and uses the scratch."
		}
	}
	d.function(name, fmt.Sprintf("func(dst, keys []uint64, stride int, numbers *[%d]uint32%s)", d.numbers, scratch), name+" hashes the keys"+number+
		". The numbers say what follows each key; word t of the digest of keys[i] goes to dst[t*stride+i]. It works like "+d.op+"Generic."+and)
	a := digestArguments{stride3: d.GP64()}
	a.dst = d.base("dst")
	a.keys, a.n = d.slice("keys")
	a.stride = d.param("stride")
	d.atNumbers = d.param("numbers")
	if scratch != "" {
		d.saves = d.param("scratch")
	}
	d.SHLQ(operand.U8(3), a.stride)
	if len(d.start) > 6 {
		d.LEAQ(operand.Mem{Base: a.stride, Index: a.stride, Scale: 2}, a.stride3)
	}
	d.prepare()
	keys := 2 * d.hashLanes.words() // keys of a group
	d.Label("next")
	for i, flight := range flights {
		if i == len(flights)-1 {
			break
		}
		// If a kernel takes any number of keys, it hashes the keys that do not fill the groups with
		// the smallest number of groups that has room for them.
		least := flight * keys
		if i > 0 {
			least = flights[i+1]*keys + 1
		}
		d.CMPQ(a.n, operand.U8(least))
		d.JL(operand.LabelRef(label("fewerThan", least)))
		d.block(flight, a, i > 0, false)
		d.JMP(operand.LabelRef("next"))
		d.Label(label("fewerThan", least))
	}
	d.TESTQ(a.n, a.n)
	d.JLE(operand.LabelRef("done"))
	only := len(flights) == 1
	d.block(flights[len(flights)-1], a, d.bytes == 64, only)
	if d.bytes == 32 || only { // otherwise these were the last keys
		d.JMP(operand.LabelRef("next"))
	}
	d.Label("done")
	d.leave()
}

// prepare loads the constants that all blocks need.
func (d *hashDigest) prepare() {
	if d.bytes == 64 {
		for _, lanes := range []uint64{0xAAAA, 0x5555} {
			k := d.K()
			d.KMOVW(d.immediate(lanes).As32(), k)
			d.odd = append(d.odd, k)
		}
	}
	if d.bigEndian {
		d.reversed = d.bytes16("reversed", func(i int) uint8 { return uint8(i ^ 3) })
	}
}

// block hashes the keys of that many groups. If masked is set, the last group need not be full.
// Then fewer than 64 keys must be left, unless more is set.
func (d *hashDigest) block(flight int, a digestArguments, masked, more bool) {
	registers := 2 * flight
	masks := make([]reg.OpmaskVirtual, registers)
	if masked {
		bits, n := d.immediate(1<<64-1), a.n
		if more {
			n = d.immediate(63)
			d.CMPQ(a.n, n)
			d.CMOVQLT(a.n, n)
		}
		d.BZHIQ(n, bits, bits)
		for i := range masks {
			masks[i] = d.K()
			d.KMOVB(bits.As32(), masks[i])
			if i < registers-1 {
				d.SHRQ(operand.U8(8), bits)
			}
		}
	}
	load := func(i int) reg.VecVirtual {
		from := operand.Mem{Base: a.keys, Disp: i * d.bytes}
		if !masked {
			return d.load(from)
		}
		r := d.ZMM()
		d.VMOVDQU64_Z(from, masks[i], r)
		return r
	}
	store := func(r reg.VecVirtual, word, i int) {
		to := a.word(word)
		to.Disp = i * d.bytes
		if masked {
			d.VMOVDQU64(r, masks[i], to)
		} else {
			d.hashLanes.store(r, to)
		}
	}
	d.Comment("Load the keys, and separate their lower and upper words.")
	groups := make([]*digestGroup, flight)
	for i := range groups {
		x, y := load(2*i), load(2*i+1)
		g := &digestGroup{state: make([]reg.VecVirtual, len(d.start))}
		first, second := d.interleave(x, y)
		d.reverse(first, second)
		d.keep(g, 0, first)
		d.keep(g, 1, second)
		groups[i] = g
	}
	d.Comment("The state starts from constants.")
	for i, g := range groups {
		for j := range g.state {
			if i == 0 {
				g.state[j] = d.register()
				d.VPBROADCASTD(d.startOf(j), g.state[j])
			} else {
				g.state[j] = d.register()
				d.copy(groups[0].state[j], g.state[j])
			}
		}
	}
	for i := range d.steps {
		d.Comment(label("Step ", i) + ".")
		for _, g := range groups {
			d.step(d, g, i)
		}
	}
	d.Comment("Add the start to the state, and store the digests.")
	for i, g := range groups {
		for j, r := range g.state {
			d.addEach32(d.startOf(j), r)
		}
		d.reverse(g.state...)
		if len(g.state)%2 != 0 {
			g.state = append(g.state, d.zero())
		}
		for word := range len(g.state) / 2 {
			x, y := d.interleave(g.state[2*word], g.state[2*word+1])
			store(x, word, 2*i)
			store(y, word, 2*i+1)
		}
	}
	for _, base := range []reg.GPVirtual{a.dst, a.keys} {
		d.ADDQ(operand.U32(registers*d.bytes), base)
	}
	d.SUBQ(operand.U8(registers*d.hashLanes.words()), a.n)
}

// word returns the address of that word of the digests.
func (a digestArguments) word(t int) operand.Mem {
	switch t {
	case 0:
		return operand.Mem{Base: a.dst}
	case 3:
		return operand.Mem{Base: a.dst, Index: a.stride3, Scale: 1}
	}
	return operand.Mem{Base: a.dst, Index: a.stride, Scale: uint8(t)}
}

// interleave returns the even 32-bit lanes of x and y interleaved, and likewise their odd lanes.
// Applying it twice returns the original registers.
func (d *hashDigest) interleave(x, y reg.VecVirtual) (even, odd reg.VecVirtual) {
	const fromEven, fromOdd = 0xA0, 0xF5
	if d.bytes == 64 {
		even = d.register()
		d.copy(x, even)
		d.VPSHUFD(operand.U8(fromEven), y, d.odd[0], even)
		d.VPSHUFD(operand.U8(fromOdd), x, d.odd[1], y)
		return even, y
	}
	even, odd = d.register(), d.register()
	d.VPSHUFD(operand.U8(fromEven), y, even)
	d.VPBLENDD(operand.U8(0xAA), even, x, even)
	d.VPSHUFD(operand.U8(fromOdd), x, odd)
	d.VPBLENDD(operand.U8(0xAA), y, odd, odd)
	return even, odd
}

// reverse reverses the bytes of the words if the hash reads and writes big-endian words.
func (d *hashDigest) reverse(words ...reg.VecVirtual) {
	if d.bigEndian {
		for _, w := range words {
			d.VPSHUFB(d.reversed, w, w)
		}
	}
}

// keep stores word t of the block, or of its extension, in place of word t-16.
func (d *hashDigest) keep(g *digestGroup, t int, r reg.VecVirtual) {
	if d.saves == nil {
		g.words[t%16] = r
	} else {
		d.hashLanes.store(r, operand.Mem{Base: d.saves, Disp: t % 16 * d.bytes})
	}
}

// word returns word t as stored by keep.
func (d *hashDigest) word(g *digestGroup, t int) operand.Op {
	if d.saves == nil {
		return g.words[t%16]
	}
	return operand.Mem{Base: d.saves, Disp: t % 16 * d.bytes}
}

// number returns the address of number i.
func (d *hashDigest) number(i int) operand.Mem { return operand.Mem{Base: d.atNumbers, Disp: 4 * i} }

// startOf returns the address of word j of the initial state.
func (d *hashDigest) startOf(j int) operand.Mem {
	return d.words32(label("start", j), 1, func(int) uint32 { return d.start[j] })
}

// addEach32 adds the word at that address to every lane of r.
func (d *hashDigest) addEach32(m operand.Mem, r reg.VecVirtual) {
	if d.bytes == 64 {
		d.VPADDD_BCST(m, r, r)
		return
	}
	t := d.register()
	d.VPBROADCASTD(m, t)
	d.VPADDD(t, r, r)
}

// ternary returns the function of x, y and z, in this order, with that truth table.
func (d *hashDigest) ternary(table uint64, x, y, z reg.VecVirtual) reg.VecVirtual {
	t := d.register()
	d.copy(x, t)
	d.VPTERNLOGD(operand.U8(table), z, y, t)
	return t
}

func (v vectors) copy(from, to reg.VecVirtual) {
	if v.bytes == 64 {
		v.VMOVDQA64(from, to)
	} else {
		v.VMOVDQA(from, to)
	}
}
