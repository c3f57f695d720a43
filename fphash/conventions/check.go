package conventions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families" // for siphash
)

// ErrEmpty is the error of a vector without features under a Convention that refuses it.
var ErrEmpty = errors.New("conventions: no features, which this convention refuses")

// family returns the hash of the Convention.
func (c Convention) family() (fphash.Family, error) {
	f, ok := ownFamily(c.Hash, c.Bits)
	if !ok {
		var err error
		if f, err = fphash.Lookup(c.Hash); err != nil {
			return f, fmt.Errorf("conventions: %w", err)
		}
	}
	return f, nil
}

// check reports parts that do not go together.
func (c Convention) check(f fphash.Family) error {
	fail := func(format string, arguments ...any) error {
		return fmt.Errorf("conventions: %s: %s", c.Name, fmt.Sprintf(format, arguments...))
	}
	for _, field := range []struct {
		name, value string
		known       []string
	}{
		{"framing", c.Framing, []string{plainFraming, rustString, rustBytes}},
		{"bit order", c.BitOrder, []string{numberOrder, lastBytes, firstBytes}},
		{"rule for no features", c.Empty, []string{emptyByTie, emptyZero, emptyRefused}},
	} {
		if !slices.Contains(field.known, field.value) {
			return fail("%s %q, expected one of %q", field.name, field.value, field.known)
		}
	}
	if int(c.Weights) >= len(weightsNames) {
		return fail("there is no %v", c.Weights)
	}
	switch {
	case c.Name == "" || strings.ContainsFunc(c.Name, badInName):
		return fmt.Errorf("conventions: name %q: expected letters, digits, '-', '_' and '.', since names stand in files", c.Name)
	case c.Bits < 1 || c.Bits > f.Bits:
		return fail("%d bits, expected 1 to %d, as many as %s has", c.Bits, f.Bits, c.Hash)
	case c.BitOrder != numberOrder && c.Bits%8 != 0 && !isStream(c.Hash):
		return fail("%d bits, expected a multiple of 8: %s is made of bytes", c.Bits, c.Hash)
	case c.BitOrder == lastBytes && f.Bits%64 != 0:
		return fail("the last bytes of a hash of %d bits, expected a multiple of 64", f.Bits)
	case c.Weights == Python && (c.Tie != fphash.TieZero || c.Inverted || c.BitOrder != lastBytes || f.Integer):
		return fail("Python's numbers are for the last bytes of digests, and ties that give 0")
	case c.Inverted && c.Tie == fphash.TieAlternate:
		return fail("inverted, with ties that alternate: no system does that")
	case isStream(c.Hash) && c.Inverted:
		return fail("%s is not inverted by any system", c.Hash)
	case isStream(c.Hash) && c.Weights != Unweighted:
		return fail("%s takes no weights", c.Hash)
	case c.Framing != plainFraming && c.Hash != sipHash64 && c.Hash != sipHash128:
		return fail("framing %v, which is for %s and %s", c.Framing, sipHash64, sipHash128)
	case c.Framing != plainFraming && (c.Weights != Unweighted || c.BitOrder != numberOrder || c.Bits != f.Bits):
		return fail("framing %v, which is for all bits of a hash, as a number and without weights", c.Framing)
	}
	return nil
}

func badInName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.", r))
}

func isStream(hash string) bool { return hash == stream || hash == transposed }
