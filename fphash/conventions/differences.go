package conventions

import (
	"fmt"

	"simhashkit/fphash"
)

// Differences says in a few words each where the Convention differs from what package fphash does
// by default with the same hash: votes by sign, ties and no features that give 0, bit i of the hash
// as bit i.
func (c Convention) Differences() (list []string) {
	if c.Framing != plainFraming {
		list = append(list, "bytes framed as "+c.Framing)
	}
	switch c.Weights {
	case Unweighted:
		list = append(list, "no weights")
	case Integers:
		list = append(list, "whole weights")
	case RoundedUp:
		list = append(list, "weights rounded up")
	case Float64:
		list = append(list, "float64 in order")
	case Python:
		list = append(list, "half of the total of Python's numbers")
	}
	if c.Tie != fphash.TieZero {
		list = append(list, fmt.Sprintf("ties %v", c.Tie))
	}
	if c.Inverted {
		list = append(list, "inverted")
	}
	if c.BitOrder != numberOrder {
		list = append(list, c.BitOrder)
	}
	if c.Empty != emptyByTie {
		list = append(list, "empty "+c.Empty)
	}
	return list
}
