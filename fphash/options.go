package fphash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"simhashkit/asm/cpu"
)

// DefaultHash is the name of the hash of a Definition that names none.
const DefaultHash = "xxh64"

// defaultBits is the width of a Definition that states none.
const defaultBits = 64

// Option is a setting for New that is not part of the definition.
type Option func(*config) error

// config has the definition and the options of a Sketcher, before they are checked together.
type config struct {
	Definition
	family  *Family // nil for the hash of the definition
	workers int
}

// WithFamily chooses a hash that need not be registered. It must not have the name of another
// registered hash, because the fingerprints of both would have the same definition. The definition
// names the same hash or none.
func WithFamily(f Family) Option {
	return func(c *config) error {
		c.family = &f
		if err := f.check(); err != nil || f.registered {
			return err
		}
		return checkUnregistered(f.Name)
	}
}

// WithWorkers sets the maximum number of goroutines for a batch; the default, 0, means
// runtime.GOMAXPROCS(0). It does not affect results.
func WithWorkers(n int) Option {
	return func(c *config) error {
		c.workers = n
		if n < 0 {
			return fmt.Errorf("fphash: %d workers, expected 0 or more", n)
		}
		return nil
	}
}

// newConfig replaces zero fields of d by the defaults, applies the options, and checks the
// combination.
func newConfig(d Definition, options []Option) (config, error) {
	d.Key = slices.Clone(d.Key)
	d.Bits = cmp.Or(d.Bits, defaultBits)
	c := config{Definition: d}
	if err := cmp.Or(d.check(), d.checkKeyID()); err != nil {
		return c, err
	}
	for i, option := range options {
		if option == nil {
			return c, fmt.Errorf("fphash: option %d is nil", i+1)
		}
		if err := option(&c); err != nil {
			return c, err
		}
	}
	if c.family == nil {
		family, err := Lookup(cmp.Or(d.Hash, DefaultHash))
		if err != nil {
			return c, err
		}
		c.family = &family
	}
	if d.Hash != "" && d.Hash != c.family.Name {
		return c, fmt.Errorf("fphash: hash %s of WithFamily, %s of the definition; expected one name", c.family.Name, d.Hash)
	}
	if d.Encoding != LE64 && c.family.Integer {
		return c, fmt.Errorf("fphash: hash %s takes integers; encoding %v is for hashes of bytes", c.family.Name, d.Encoding)
	}
	if err := cpu.Check(); err != nil {
		return c, fmt.Errorf("fphash: %w", err)
	}
	return c, nil
}

// widthAdvice returns advice for the error if the family's codes are too narrow. Among the wider
// hashes, it suggests the narrowest one with a seed or a key, if any, because the others include
// weak hashes.
func widthAdvice(f Family, bits int) string {
	wide := slices.DeleteFunc(Families(), func(g Family) bool { return g.Bits < bits })
	slices.SortStableFunc(wide, func(a, b Family) int { return a.Bits - b.Bits })
	best := slices.IndexFunc(wide, func(g Family) bool { return g.Name == DefaultHash })
	if best < 0 {
		best = max(0, slices.IndexFunc(wide, func(g Family) bool { return g.Seeded || g.KeyBytes > 0 }))
	}
	advice := fmt.Sprintf("ask for at most %d bits of %s", f.Bits, f.Name)
	if ways := f.wideningNames(); len(ways) > 0 {
		advice += ", widen it by " + strings.Join(ways, ", ")
	}
	if len(wide) > 0 {
		advice += " or use " + wide[best].Name
	}
	return advice
}

func checkBits(bits int) error {
	if bits < 1 || bits > MaxBits {
		return fmt.Errorf("fphash: %d bits, expected 1 to %d", bits, MaxBits)
	}
	return nil
}

// known returns an error if e is not one of the constants of its type.
func known[E interface {
	~uint8
	String() string
}](e E, names []string, what string) error {
	if int(e) >= len(names) {
		return fmt.Errorf("fphash: unknown %s %v; expected %s", what, e, strings.Join(names, ", "))
	}
	return nil
}

// Tie is the rule for the bit of a lane whose sum is exactly zero. Other programs use other rules:
// github.com/mfonda/simhash has TieOne, and hash4j has TieAlternate.
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

// Order is the order in which floating-point weights are summed. Integer and unit weights give the
// same sums in any order.
type Order uint8

// The orders of summation.
const (
	// Grouped takes features in input order in groups of four, adds (±w0
	// ±w1) + (±w2 ±w3) to the lane, and pads the last group with weight 0.
	// It is the default and about twice as fast as Sequential.
	Grouped Order = iota
	// Sequential adds one feature after the other, like other systems.
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

// In text and JSON, enumerations are represented by name.

// MarshalText returns the name.
func (e Encoding) MarshalText() ([]byte, error) { return textOf(e, encodingNames[:], "encoding") }

// UnmarshalText parses the name.
func (e *Encoding) UnmarshalText(text []byte) error {
	return readName(e, string(text), encodingNames[:], "encoding")
}

// MarshalText returns the name.
func (k Kind) MarshalText() ([]byte, error) { return textOf(k, kindNames[:], "sketch") }

// UnmarshalText parses the name.
func (k *Kind) UnmarshalText(text []byte) error {
	return readName(k, string(text), kindNames[:], "sketch")
}

// MarshalText returns the name.
func (t Tie) MarshalText() ([]byte, error) { return textOf(t, tieNames[:], "tie rule") }

// UnmarshalText parses the name.
func (t *Tie) UnmarshalText(text []byte) error {
	return readName(t, string(text), tieNames[:], "tie rule")
}

// MarshalText returns the name.
func (o Order) MarshalText() ([]byte, error) { return textOf(o, orderNames[:], "order of summation") }

// UnmarshalText parses the name.
func (o *Order) UnmarshalText(text []byte) error {
	return readName(o, string(text), orderNames[:], "order of summation")
}

// MarshalText returns the name.
func (w Widen) MarshalText() ([]byte, error) { return textOf(w, widenNames[:], "widening") }

// UnmarshalText parses the name.
func (w *Widen) UnmarshalText(text []byte) error {
	return readName(w, string(text), widenNames[:], "widening")
}

func textOf[E interface {
	~uint8
	String() string
}](e E, names []string, what string) ([]byte, error) {
	if err := known(e, names, what); err != nil {
		return nil, err
	}
	return []byte(e.String()), nil
}

// readName stores the constant with the given name in to. If there is none, it returns an error and
// does not change to.
func readName[E ~uint8](to *E, name string, names []string, what string) error {
	for i := range names {
		if names[i] == name {
			*to = E(i)
			return nil
		}
	}
	return fmt.Errorf("fphash: unknown %s %q; expected %s", what, name, strings.Join(names, ", "))
}
