package dispatch

import (
	"go/ast"
	"go/token"
)

// truth is what is known of a condition.
type truth int

const (
	no truth = iota
	maybe
	yes
)

// condition returns what the tier alone says of the condition, and follows the calls in it.
func (w *walk) condition(e ast.Expr) truth {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.condition(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return yes - w.condition(e.X)
		}
	case *ast.BinaryExpr:
		return w.binary(e)
	}
	w.expressions(e)
	return maybe
}

func (w *walk) binary(e *ast.BinaryExpr) truth {
	switch e.Op {
	case token.LAND:
		if left := w.condition(e.X); left != no {
			return min(left, w.condition(e.Y))
		}
		return no
	case token.LOR:
		if left := w.condition(e.X); left != yes {
			return max(left, w.condition(e.Y))
		}
		return yes
	}
	a, knownA := w.tier(e.X)
	b, knownB := w.tier(e.Y)
	if !knownA || !knownB {
		w.expressions(e.X)
		w.expressions(e.Y)
		return maybe
	}
	holds := false
	switch e.Op {
	case token.EQL:
		holds = a == b
	case token.NEQ:
		holds = a != b
	case token.LSS:
		holds = a < b
	case token.LEQ:
		holds = a <= b
	case token.GTR:
		holds = a > b
	case token.GEQ:
		holds = a >= b
	default:
		return maybe
	}
	if holds {
		return yes
	}
	return no
}
