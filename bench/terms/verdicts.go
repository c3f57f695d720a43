package terms

// Verdicts of a row of Quality, the figures of unit Verdict.
const (
	Weak      = -1
	Undecided = 0
	Good      = 1
)

// What the verdicts are called.
const (
	WeakWord      = "weak"
	UndecidedWord = "undecided"
	GoodWord      = "good"
)

// GoodPart is the part of its width that the bits of a good hash are worth; METHODOLOGY.md has the
// rule.
const GoodPart = 0.9

// VerdictWord is what a verdict is called.
func VerdictWord(verdict int) string {
	switch verdict {
	case Good:
		return GoodWord
	case Weak:
		return WeakWord
	}
	return UndecidedWord
}

// VerdictOf returns the verdict of that name, Undecided of any other.
func VerdictOf(word string) int {
	switch word {
	case GoodWord:
		return Good
	case WeakWord:
		return Weak
	}
	return Undecided
}
