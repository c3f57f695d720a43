package terms

import (
	"slices"
	"strings"
)

// Better says which figures of a unit are the better ones: +1 the higher, -1 the lower, 0 neither:
// they are to be near to some other figure, or only describe.
func Better(unit string) int {
	begins := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(unit, p) })
	}
	switch unit {
	case MegabytesPerSecond, Recall, Precision, Verdict, RankCorrelation:
		return +1
	case Planted, Dropped, Pairs, Keyings, AngleBias, AngleRMSEIdeal, CosineBias, Documents, SamePairs, UnjudgedPairs, MedianLength, BlockLines, BlockCount:
		return 0
	}
	switch {
	case begins(EffectiveBits, Recall+"-", Precision+"-"):
		return +1
	case begins(Bias, Unrelated, Pairs+"-", Threshold) || strings.HasSuffix(unit, P):
		// p-values belong to tests of a thing that has a direction of its own
		return 0
	}
	return -1
}
