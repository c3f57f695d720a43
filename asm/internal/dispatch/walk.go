package dispatch

import (
	"fmt"
	"go/ast"
	"go/token"

	"simhashkit/asm/cpu"
)

// walk follows one exported function through the package at one tier.
type walk struct {
	pkg    *Package
	active cpu.Tier
	entry  string
	tiers  map[string]cpu.Tier // variables of the function at hand that hold a tier
	seen   map[visit]bool
	calls  []Call
	err    error
}

// visit is a function together with the tier that it is given, if any.
type visit struct {
	function *ast.FuncDecl
	given    bool
	tier     cpu.Tier
}

// function follows the body; args are nil where the function does not take a tier from a call.
func (w *walk) function(f *ast.FuncDecl, args []ast.Expr) {
	v := visit{function: f}
	tiers := map[string]cpu.Tier{}
	i := 0
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			if ofCPU(field.Type) == "Tier" {
				if i < len(args) {
					v.tier, v.given = w.tier(args[i])
				}
				if !v.given {
					w.refuse(f, f.Name.Name+" is given a tier that cannot be read; expected one that follows from cpu.Active")
				}
				tiers[name.Name] = v.tier
			}
			i++
		}
	}
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	outer := w.tiers
	w.tiers = tiers
	w.statement(f.Body)
	w.tiers = outer
}

// tier returns what the expression is, if it is a tier that is known.
func (w *walk) tier(e ast.Expr) (cpu.Tier, bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.tier(e.X)
	case *ast.Ident:
		t, ok := w.tiers[e.Name]
		return t, ok
	case *ast.CallExpr:
		return w.active, isActive(e)
	case *ast.SelectorExpr:
		t, ok := constants[ofCPU(e)]
		return t, ok
	}
	return 0, false
}

var constants = map[string]cpu.Tier{"Generic": cpu.Generic, "NEON": cpu.NEON, "AVX2": cpu.AVX2, "AVX512": cpu.AVX512, "AVX512GFNI": cpu.AVX512GFNI}

// statement follows the statement and reports whether nothing behind it is reached.
func (w *walk) statement(s ast.Stmt) (ends bool) {
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		return w.statements(s.List)
	case *ast.ReturnStmt:
		w.expressions(s)
		return true
	case *ast.IfStmt:
		w.statement(s.Init)
		is := w.condition(s.Cond)
		then, otherwise := is == no, is == yes
		if is != no {
			then = w.statement(s.Body)
		}
		if is != yes {
			otherwise = w.statement(s.Else)
		}
		return then && otherwise
	case *ast.SwitchStmt:
		w.statement(s.Init)
		return w.cases(s)
	case *ast.ForStmt:
		w.statement(s.Init)
		if s.Cond != nil {
			w.condition(s.Cond)
		}
		w.statement(s.Body)
		w.statement(s.Post)
	case *ast.RangeStmt:
		w.expressions(s.X)
		w.statement(s.Body)
	case *ast.AssignStmt:
		w.expressions(s)
		if len(s.Lhs) == len(s.Rhs) {
			for i, to := range s.Lhs {
				w.assign(to, s.Rhs[i])
			}
		}
	case *ast.BranchStmt:
		if s.Tok == token.GOTO || s.Tok == token.FALLTHROUGH {
			w.refuse(s, s.Tok.String()+" is not followed; expected if, switch and return")
		}
	default:
		w.expressions(s)
	}
	return false
}

func (w *walk) statements(list []ast.Stmt) (ends bool) {
	for _, s := range list {
		if w.statement(s) {
			return true
		}
	}
	return false
}

// assign keeps the tier that a variable is given.
func (w *walk) assign(to, from ast.Expr) {
	name, ok := to.(*ast.Ident)
	if !ok {
		return
	}
	if _, again := w.tiers[name.Name]; again {
		w.refuse(to, name.Name+" holds a tier and is assigned again; expected one tier in each variable")
	}
	if t, ok := w.tier(from); ok {
		w.tiers[name.Name] = t
	}
}

// refuse keeps the first error.
func (w *walk) refuse(n ast.Node, why string) {
	if w.err == nil {
		w.err = fmt.Errorf("%s: %s", w.pkg.files.Position(n.Pos()), why)
	}
}

// cases follows the clauses of a switch that can be taken.
func (w *walk) cases(s *ast.SwitchStmt) (ends bool) {
	ends = true
	var byDefault *ast.CaseClause
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			byDefault = clause
			continue
		}
		is := no
		for _, e := range clause.List {
			if s.Tag != nil {
				e = &ast.BinaryExpr{X: s.Tag, Op: token.EQL, OpPos: e.Pos(), Y: e}
			}
			is = max(is, w.condition(e))
		}
		if is != no {
			ends = w.statements(clause.Body) && ends
		}
		if is == yes {
			return ends
		}
	}
	if byDefault == nil {
		return false
	}
	return w.statements(byDefault.Body) && ends
}

// expressions finds the calls in a node, and the functions that it names without calling them.
func (w *walk) expressions(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			w.statement(n.Body)
			return false
		case *ast.BinaryExpr:
			w.condition(n)
			return false
		case *ast.CallExpr:
			for _, arg := range n.Args {
				w.expressions(arg)
			}
			w.name(n.Fun, n.Args)
			return false
		case *ast.Ident, *ast.SelectorExpr:
			w.name(n.(ast.Expr), nil)
		}
		return true
	})
}

// name follows what is called, or only named, which may be called later.
func (w *walk) name(e ast.Expr, args []ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		if k, ok := w.pkg.kernels[e.Name]; ok {
			w.calls = append(w.calls, Call{w.entry, w.pkg.files.Position(e.Pos()).String(), k.path, k.Function})
			return
		}
		for _, f := range w.pkg.functions[e.Name] {
			w.function(f, args)
		}
	case *ast.SelectorExpr:
		w.expressions(e.X)
		for _, f := range w.pkg.functions["."+e.Sel.Name] { // of whichever type it is
			w.function(f, args)
		}
	default:
		w.expressions(e)
	}
}
