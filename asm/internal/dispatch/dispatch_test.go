package dispatch

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/assembly"
)

// The reader finds what a tier can come to and nothing else: what it overlooks, the test of the
// dispatch overlooks, and what it finds too much would have to be excused there.
func TestCallsOfATier(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       [3]string // at generic, avx2 and avx512
	}{
		{"switch on the tier", `switch tier { case cpu.AVX512: high(); case cpu.AVX2: low(); default: portable() }`, [3]string{"", "low", "high"}},
		{"switch without a default", `switch tier { case cpu.AVX512: high() }; low()`, [3]string{"low", "low", "high low"}},
		{"two tiers in one case", `switch tier { case cpu.AVX512, cpu.AVX2: low() }`, [3]string{"", "low", "low"}},
		{"a length beside the tier", `switch { case tier >= cpu.AVX512 && n > 5: high(); case tier >= cpu.AVX2: low() }`, [3]string{"", "low", "high low"}},
		{"a length alone", `if n > 5 { return }; low()`, [3]string{"low", "low", "low"}},
		{"return before", `if tier == cpu.Generic || n == 0 && tier != cpu.AVX512 { return }; high()`, [3]string{"", "high", "high"}},
		{"both ways return", `if n > 5 { return } else if tier < cpu.AVX512 { return } else { low() }; high()`, [3]string{"", "", "high low"}},
		{"not", `if !(tier <= cpu.AVX2) { high() } else { low() }`, [3]string{"low", "low", "high"}},
		{"call in a condition", `if n > 5 || tier > cpu.AVX2 && high() { low() }`, [3]string{"low", "low", "high low"}},
		{"loops", `for n > 5 { switch tier { case cpu.AVX512: high() } }; for range n { low() }`, [3]string{"low", "low", "high low"}},
		{"another function", `follow(5, tier)`, [3]string{"", "low", "high"}},
		{"another function, given a constant", `follow(5, cpu.AVX512)`, [3]string{"high", "high", "high"}},
		{"a method", `s.method(tier)`, [3]string{"", "", "high"}},
		{"methods of one name", `s.twice(tier)`, [3]string{"", "low", "high"}},
		{"a function in a variable", `f := low; if tier == cpu.AVX512 { f = high }; f()`, [3]string{"low", "low", "high low"}},
		{"a function in place", `f := func() { if tier == cpu.AVX512 { high() } }; f()`, [3]string{"", "", "high"}},
		{"a copy of the tier", `copied := tier; if copied == cpu.AVX2 { low() }`, [3]string{"", "low", ""}},
		{"result", `return low() && tier == cpu.AVX512 && high()`, [3]string{"low", "low", "high low"}},
	} {
		p := packageOf(t, `package p
			func Entry(n int) { at(cpu.Active(), n) }
			func Kernels() { at(table.Tier, 0); high() }
			func portable() {}
			func follow(n int, tier cpu.Tier) { switch tier { case cpu.AVX512: high(); case cpu.AVX2: low() } }
			func (s *set) twice(tier cpu.Tier) { if tier == cpu.AVX2 { low() } }
			func (s *other) twice(tier cpu.Tier) { if tier == cpu.AVX512 { high() } }
			func (s *set) method(tier cpu.Tier) { if tier == cpu.AVX512 { high() } }
			func at(tier cpu.Tier, n int) {`+c.body+`}`)
		for i, tier := range []cpu.Tier{cpu.Generic, cpu.AVX2, cpu.AVX512} {
			calls, err := p.Calls(tier)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			var names []string
			for _, call := range calls {
				names = append(names, call.Name)
			}
			slices.Sort(names)
			if got := strings.Join(slices.Compact(names), " "); got != c.want[i] {
				t.Errorf("%s, at tier %v: %q, want %q", c.name, tier, got, c.want[i])
			}
		}
	}
}

// What cannot be followed is refused, or it would count as nothing.
func TestCallsRefusesWhatItCannotFollow(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`at(guess())`, "expected one that follows from cpu.Active"},
		{`switch cpu.Active() { case cpu.AVX2: fallthrough; default: high() }`, "expected if, switch and return"},
		{`tier := cpu.Active(); if len(x) > 5 { tier = cpu.AVX2 }; at(tier)`, "expected one tier in each variable"},
		{`goto end; end: high()`, "expected if, switch and return"},
	} {
		p := packageOf(t, `package p
			func Entry() { if cpu.Active() > cpu.Generic {`+c.body+`} }
			func at(tier cpu.Tier) { high() }`)
		if _, err := p.Calls(cpu.AVX2); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.body, err, c.want)
		}
	}
}

// packageOf returns a package of that source, with the kernels low and high.
func packageOf(t *testing.T, source string) *Package {
	p := &Package{token.NewFileSet(), map[string][]*ast.FuncDecl{}, map[string]kernel{
		"low":  {assembly.Function{Name: "low"}, "op_avx2_amd64.s"},
		"high": {assembly.Function{Name: "high"}, "op_avx512_amd64.s"},
	}}
	if err := p.addGo("p.go", source); err != nil {
		t.Fatal(err)
	}
	return p
}
