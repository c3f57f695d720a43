package terms

import "strings"

// Better says which figures of a unit are the better ones: +1 the higher, -1 the lower, 0 neither:
// they are to be near to some other figure, or only describe.
func Better(unit string) int {
	switch unit {
	case MegabytesPerSecond, Verdict:
		return +1
	case Keyings:
		return 0
	}
	switch {
	case strings.HasPrefix(unit, EffectiveBits):
		return +1
	case strings.HasPrefix(unit, Bias), strings.HasPrefix(unit, Unrelated), strings.HasPrefix(unit, Pairs), strings.HasSuffix(unit, P):
		// p-values belong to tests of a thing that has a direction of its own
		return 0
	}
	return -1
}
