package dedup

import (
	"fmt"

	"simhashkit/internal/english"
	"simhashkit/internal/similarity"
)

// The values of Spec.KeepDifferent.
const (
	InNumbers   = similarity.InNumbers
	InNegations = similarity.InNegations
)

// Difference is how a dropped text differs from the one kept for it, in a way that their similarity
// hardly weighs.
type Difference uint8

// The differences. A text that differs in several ways has the last of them.
const (
	NoDifference       Difference = iota
	PunctuationDiffers            // only in punctuation, operators or other symbols: the words are equal
	NumberDiffers                 // in a number
	NegationDiffers               // by a negation
)

// String returns the name of a difference in lists; "" for NoDifference.
func (d Difference) String() string {
	return [...]string{"", "punctuation", "number", "negation"}[d]
}

// differenceOf returns the difference of two texts. equal says that their words are equal.
func differenceOf(d similarity.Differences, equal bool) Difference {
	switch {
	case d&similarity.InNegations != 0:
		return NegationDiffers
	case d&similarity.InNumbers != 0:
		return NumberDiffers
	case equal && d&similarity.InSymbols != 0:
		return PunctuationDiffers
	}
	return NoDifference
}

// knowsDifferences reports whether the differences of dropped records are known: those of texts
// that were compared.
func (r *Result) knowsDifferences() bool { return r.Groups.differs != nil && r.Measure != Cosine }

// differences counts the dropped records that differ from the one kept for them in a way that their
// similarity hardly weighs.
func (r *Result) differences() string {
	var count [NegationDiffers + 1]int
	for _, d := range r.Groups.differs {
		count[d]++
	}
	meaning, punctuation := count[NumberDiffers]+count[NegationDiffers], count[PunctuationDiffers]
	if meaning+punctuation == 0 {
		return ""
	}
	text := fmt.Sprintf("Of %s dropped, ", english.Count(r.Dropped(), r.kind()))
	if meaning > 0 {
		text += fmt.Sprintf("%d %s from the kept one in a number or a negation", meaning, english.Plural(meaning, "differs", "differ"))
	}
	switch {
	case punctuation == 0:
	case meaning > 0:
		text += fmt.Sprintf(", and %d only in punctuation", punctuation)
	default:
		text += fmt.Sprintf("%d %s from the kept one only in punctuation", punctuation, english.Plural(punctuation, "differs", "differ"))
	}
	return text + ": see --show differences."
}
