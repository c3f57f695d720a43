package main

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// builder is an avo context with helpers that all kernels share.
type builder struct {
	*build.Context
	constants   map[string]*constant
	signatures  map[string]signature // of the functions, by name
	shortAVX512 bool                 // the kernels also use AVX-512 instructions on shorter registers
}

func newBuilder() *builder {
	b := &builder{build.NewContext(), map[string]*constant{}, map[string]signature{}, false}
	b.ConstraintExpr("amd64,!purego")
	return b
}

// function begins a leaf function without a frame.
func (b *builder) function(name, text, doc string) {
	b.Function(name)
	b.Attributes(attr.NOSPLIT)
	b.Signature(parseSignature(text))
	params, result, _ := strings.Cut(strings.TrimPrefix(text, "func("), ")")
	b.signatures[name] = signature{params, strings.TrimSpace(result)}
	b.Pragma("noescape")
	b.Doc(doc)
}

// param returns a register with the parameter.
func (b *builder) param(name string) reg.GPVirtual {
	return b.Load(b.Param(name), b.GP64()).(reg.GPVirtual)
}

// base and length return registers with the address and the length of a slice.
func (b *builder) base(name string) reg.GPVirtual {
	return b.Load(b.Param(name).Base(), b.GP64()).(reg.GPVirtual)
}

func (b *builder) length(name string) reg.GPVirtual {
	return b.Load(b.Param(name).Len(), b.GP64()).(reg.GPVirtual)
}

func (b *builder) slice(name string) (base, length reg.GPVirtual) {
	return b.base(name), b.length(name)
}

// leave returns from a function that has used vector registers.
func (b *builder) leave() {
	b.VZEROUPPER()
	b.RET()
}

// zero512 returns a register of zeros.
func (b *builder) zero512() reg.VecVirtual {
	r := b.ZMM()
	b.VPXORD(r, r, r)
	return r
}

// zero256 returns a register of zeros.
func (b *builder) zero256() reg.VecVirtual {
	r := b.YMM()
	b.VPXOR(r, r, r)
	return r
}

// immediate returns a general register that holds v.
func (b *builder) immediate(v uint64) reg.GPVirtual {
	r := b.GP64()
	b.MOVQ(operand.U64(v), r)
	return r
}

// maskBelow returns a mask register whose lowest n bits are set. n is a general register with a
// value below 64.
func (b *builder) maskBelow(n reg.GPVirtual) reg.OpmaskVirtual {
	bits := b.immediate(1<<64 - 1)
	b.BZHIQ(n, bits, bits)
	k := b.K()
	b.KMOVQ(bits, k)
	return k
}

// label returns a label. Labels with different prefixes or numbers differ, so they are unique
// within a function.
func label(prefix string, i int) string { return fmt.Sprintf("%s%d", prefix, i) }

const (
	compareEqual     = 0  // VCMPPS: EQ_OQ
	compareUnordered = 3  // VCMPPS: UNORD_Q
	compareGreater   = 30 // VCMPPS: GT_OQ
	compareAbove     = 6  // VPCMPU: greater; compareEqual also means equal here
	compareNotLess   = 5  // VPCMP: greater or equal

	// Truth tables of VPTERNLOG. If the order of the operands matters, it is (dst, second, third)
	// as in Intel's manual.
	ternaryXor3              = 0x96 // a ^ b ^ c
	ternaryMajority          = 0xE8 // at least two of a, b, c
	ternaryOr3               = 0xFE // a | b | c
	ternaryAnd3              = 0x80 // a & b & c
	ternarySelectFirst       = 0xE4 // c ? a : b
	ternaryDifferentNotThird = 0x14 // (a ^ b) & ^c
	ternaryOrDifferent       = 0xF6 // a | b ^ c
	ternaryAndOrByThird      = 0xD4 // c ? a & b : a | b
	ternarySelect            = 0xD8 // c ? b : a
	ternaryChoice            = 0xCA // a ? b : c
	ternaryAndOr             = 0xEA // a & b | c
	// If b = a ^ c ^ x is the sum of a, c and some x, this is the carry. It does not read x.
	ternaryCarryFromSum = 0xB2
)

// named is a package with the types that signatures use: Signs of asm/accumulate and Span of
// asm/wordscan. The fields must be those of the real types; `go vet` compares the assembly with
// them.
var named = func() *types.Package {
	p := types.NewPackage("accumulate", "accumulate")
	add := func(name string, kind types.BasicKind, fields ...string) {
		var list []*types.Var
		for _, field := range fields {
			list = append(list, types.NewField(token.NoPos, p, field, types.Typ[kind], false))
		}
		n := types.NewTypeName(token.NoPos, p, name, nil)
		types.NewNamed(n, types.NewStruct(list, nil), nil)
		p.Scope().Insert(n)
	}
	add("Signs", types.Uint64, "Positive", "Zero", "NonFinite")
	add("Span", types.Int, "From", "To")
	return p
}()

// parseSignature reads a function's type.
func parseSignature(text string) *gotypes.Signature {
	s, err := gotypes.ParseSignatureInPackage(named, text)
	if err != nil {
		panic(err) // a mistake in the generator
	}
	return s
}

// sign returns a field of Signs, the first result.
func (b *builder) sign(field string) gotypes.Component { return b.ReturnIndex(0).Field(field) }

// storeSign stores a field of the result.
func (b *builder) storeSign(field string, word reg.GPVirtual) { b.Store(word, b.sign(field)) }

// storeAllFinite stores that all lanes are finite, as integers always are.
func (b *builder) storeAllFinite() {
	field, err := b.sign("NonFinite").Resolve()
	if err != nil {
		panic(err) // a mistake in the generator
	}
	b.MOVQ(operand.U32(0), field.Addr)
}

// columns is the maximum width of generated comments, where a tab has 4 columns.
const columns = 100

// wrapped breaks the text into lines of at most that many columns.
func wrapped(text string, columns int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) <= columns:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// Doc sets the documentation of the function.
func (b *builder) Doc(text string) {
	b.Context.Doc(wrapped(text, columns-len("// "))...)
}

// Comment emits a comment in front of the next instruction.
func (b *builder) Comment(text string) {
	b.Context.Comment(wrapped(text, columns-4-len("// "))...)
}

// narrowed wraps the comments that avo generates for declarations.
func narrowed(text []byte) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		if declaration, ok := strings.CutPrefix(line, "// func "); ok {
			line = "// " + strings.Join(wrapped("func "+declaration, columns-len("// ")), "\n// ") + "\n"
		}
		out.WriteString(line)
	}
	return out.Bytes()
}
