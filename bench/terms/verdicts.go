package terms

import "fmt"

// Judgement is what the verdict on a hash comes to, and the figure of unit Verdict in rows of
// Quality; package quality has the rules.
type Judgement int

// The judgements, the worse ones first.
const (
	Weak Judgement = iota - 1
	Undecided
	Good
)

// String is what the judgement is called.
func (j Judgement) String() string {
	switch j {
	case Good:
		return "good"
	case Weak:
		return "weak"
	}
	return "undecided"
}

// GoodPart is the part of its width that the bits of a good hash are worth; METHODOLOGY.md has the
// rule.
const GoodPart = 0.9

// LeastKeyings and LeastPairs are how many of them a verdict takes: of pairs in each band that
// counts.
const (
	LeastKeyings = 100
	LeastPairs   = 30
)

// Bits writes a number of bits with as many digits as mean something.
func Bits(v float64) string {
	if v < 99.95 {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}
