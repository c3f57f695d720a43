package fphash

import "fmt"

// Tie says which bit a lane gives whose sum is exactly zero. Other programs have other rules:
// TieOne is that of github.com/mfonda/simhash, TieAlternate that of hash4j.
type Tie uint8

// The tie rules.
const (
	TieZero      Tie = iota // 0: the default
	TieOne                  // 1
	TieAlternate            // 1 for odd lanes, 0 for even ones
)

var (
	tieNames = [...]string{TieZero: "zero", TieOne: "one", TieAlternate: "alternate"}
	tieWords = [...]uint64{TieZero: 0, TieOne: ^uint64(0), TieAlternate: 0xAAAAAAAAAAAAAAAA}
)

// String returns the rule's name: zero, one or alternate.
func (t Tie) String() string { return nameOf(t, tieNames[:], "Tie") }

// Order says in which order floating-point weights are summed. Integer and unit weights give the
// same sums in every order.
type Order uint8

// The orders of summation.
const (
	// Grouped takes features in input order in groups of four, adds (±w0
	// ±w1) + (±w2 ±w3) to the lane, and pads the last group with weight 0.
	// It is the default and several times faster than Sequential.
	Grouped Order = iota
	// Sequential adds one feature after the other, as other systems do.
	Sequential
)

var orderNames = [...]string{Grouped: "grouped", Sequential: "sequential"}

// String returns the order's name: grouped or sequential.
func (o Order) String() string { return nameOf(o, orderNames[:], "Order") }

func nameOf[E ~uint8](e E, names []string, typeName string) string {
	if int(e) < len(names) {
		return names[e]
	}
	return fmt.Sprintf("%s(%d)", typeName, uint8(e))
}
