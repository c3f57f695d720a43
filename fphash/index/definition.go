package index

import (
	"fmt"
	"strings"
	"unicode"

	"simhashkit/fphash"
)

// CheckDefinition returns an error unless a text is a definition of fingerprints of so many bits:
// one that fphash.ParseDefinition reads, as it is or behind the features it is of, as
// textsketch.Sketcher.Definition writes them: "FEATURES; WEIGHTS; DEFINITION".
func CheckDefinition(text string, bits int) error {
	features, d, err := parseDefinition(text)
	switch {
	case err != nil:
		return fmt.Errorf("index: %w", err)
	case strings.ContainsFunc(features, unicode.IsControl):
		return fmt.Errorf("index: definition %.200q: expected one line", text)
	case d.Bits != bits:
		return fmt.Errorf("index: the definition %.200q is of %d bits, expected the %d of the fingerprints", text, d.Bits, bits)
	}
	return nil
}

// parseDefinition cuts a definition into what its features are, if it says so, and how they are
// hashed.
func parseDefinition(text string) (features string, d fphash.Definition, err error) {
	at := strings.LastIndex(text, "; ")
	if at >= 0 {
		at += len("; ")
		features, text = text[:at], text[at:]
	}
	d, err = fphash.ParseDefinition(text)
	return features, d, err
}

// SameDefinition reports whether two definitions are equal, though one leaves defaults out or has
// its parts in another order.
func SameDefinition(a, b string) bool {
	if a == b {
		return true
	}
	featuresA, x, errA := parseDefinition(a)
	featuresB, y, errB := parseDefinition(b)
	return errA == nil && errB == nil && featuresA == featuresB && x.String() == y.String()
}
