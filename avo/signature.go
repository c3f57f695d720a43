package main

import (
	"go/token"
	"go/types"

	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// named is a package with the types that signatures name: the result Signs of asm/accumulate. Its
// fields are those of the type there, which `go vet` holds the assembly to.
var named = func() *types.Package {
	p := types.NewPackage("accumulate", "accumulate")
	var fields []*types.Var
	for _, name := range []string{"Positive", "Zero", "NonFinite"} {
		fields = append(fields, types.NewField(token.NoPos, p, name, types.Typ[types.Uint64], false))
	}
	name := types.NewTypeName(token.NoPos, p, "Signs", nil)
	types.NewNamed(name, types.NewStruct(fields, nil), nil)
	p.Scope().Insert(name)
	return p
}()

// signature reads a function's type.
func signature(text string) *gotypes.Signature {
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
