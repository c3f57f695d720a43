package kernels

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
)

// TestTiersAreComparedByOrder: an operation without a kernel of its own at a new tier must run its
// best kernel below, so no code may ask for exactly one tier other than the generic one.
func TestTiersAreComparedByOrder(t *testing.T) {
	paths, err := filepath.Glob("../../*/*.go")
	if err != nil || len(paths) == 0 {
		t.Fatal("no code found", err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || filepath.Base(filepath.Dir(path)) == "cpu" {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		report := func(e ast.Expr) {
			if isTier(e) {
				t.Errorf("%v: expected a comparison by order", files.Position(e.Pos()))
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					report(n.X)
					report(n.Y)
				}
			case *ast.CaseClause:
				for _, e := range n.List {
					report(e)
				}
			case *ast.KeyValueExpr:
				report(n.Key)
			}
			return true
		})
	}
}

// isTier reports whether the expression is the constant of a tier other than the generic one.
func isTier(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	if x, ok := s.X.(*ast.Ident); !ok || x.Name != "cpu" {
		return false
	}
	tier, err := cpu.ParseTier(strings.ToLower(s.Sel.Name))
	return err == nil && tier != cpu.Generic
}
