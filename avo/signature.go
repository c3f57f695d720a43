package main

import (
	"go/token"
	"go/types"

	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// named is a package with the types that signatures name: the result Signs of asm/accumulate, and
// Span of asm/wordhash. Their fields are those of the types there, which `go vet` holds the assembly
// to.
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

// sign is a field of the result Signs, which comes first.
func (b *builder) sign(field string) gotypes.Component { return b.ReturnIndex(0).Field(field) }

// storeSign stores a field of the result.
func (b *builder) storeSign(field string, word reg.GPVirtual) { b.Store(word, b.sign(field)) }

// storeAllFinite stores that no lane is other than finite, as integers are.
func (b *builder) storeAllFinite() {
	field, err := b.sign("NonFinite").Resolve()
	if err != nil {
		panic(err) // a mistake in the generator
	}
	b.MOVQ(operand.U32(0), field.Addr)
}
