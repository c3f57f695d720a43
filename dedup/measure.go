package dedup

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"simhashkit/internal/english"
)

// MeasureKind is what is measured of two texts.
type MeasureKind string

// What is measured.
const (
	// Cosine is that of the weighed features, of which fingerprints are made.
	Cosine MeasureKind = "cosine"
	// Sequence is how much of both texts stays where insertions and deletions of words turn one
	// into the other: twice their longest common subsequence, of the words of both. Words are
	// tokens with a letter or a digit, upper and lower case alike; of texts without any all tokens
	// count, and in scripts without spaces characters.
	Sequence MeasureKind = "sequence"
	// Jaccard is how many runs of N tokens both texts have, of all that one of them has.
	Jaccard MeasureKind = "jaccard"
	// Contained is how many of the runs of N tokens of the text to be dropped the other one has.
	Contained MeasureKind = "contained"
)

// DefaultRun is how many tokens a run has unless a Measure says otherwise.
const DefaultRun = 3

// Measure is what is measured of two texts, and how much of it they must have.
//
// Tokens are those of text.Analyzer.AppendTokens, in which only white space counts for nothing:
// words in scripts with spaces, characters in others. Each different run counts once. For Jaccard
// N-1 empty tokens stand before each text and behind it, so that the first word and the last are in
// as many runs as others: by Jaccard 0.8 of 3 one word of 25 may be another one, and none of 24,
// wherever it stands. For Contained a text of fewer than N tokens is one run.
type Measure struct {
	Kind  MeasureKind
	Least float64 // above 0, at most 1
	N     int     // tokens of a run; of Cosine and Sequence it is 0
}

var errMeasure = errors.New("expected sequence:0.9, cosine:0.9, jaccard:0.8 or contained, a number above 0 and at most 1, and behind the last two, if it is not 3, how many words make a run, as in jaccard:0.8:5 or contained:5")

// ParseMeasure reads "sequence:0.9", "cosine:0.9", "jaccard:0.8", "jaccard:0.8:5", "contained" or
// "contained:5". Numbers may be percentages, as in "cosine:90%".
func ParseMeasure(s string) (Measure, error) {
	parts := strings.Split(s, ":")
	m := Measure{Kind: MeasureKind(parts[0]), Least: 1, N: DefaultRun}
	rest := parts[1:]
	switch m.Kind {
	case Sequence, Cosine, Jaccard:
		if len(rest) == 0 {
			return m, errMeasure
		}
		number, percent := strings.CutSuffix(rest[0], "%")
		if percent {
			number += "e-2"
		}
		var err error
		if m.Least, err = strconv.ParseFloat(number, 64); err != nil || !(m.Least > 0 && m.Least <= 1) {
			return m, errMeasure
		}
		rest = rest[1:]
	case Contained:
	default:
		return m, errMeasure
	}
	switch {
	case m.Kind == Cosine || m.Kind == Sequence:
		m.N = 0
	case len(rest) > 0:
		var err error
		if m.N, err = strconv.Atoi(rest[0]); err != nil || m.N < 1 || m.N > maxRun {
			return m, errMeasure
		}
		rest = rest[1:]
	}
	if len(rest) > 0 {
		return m, errMeasure
	}
	return m, nil
}

// maxRun bounds how many tokens make a run.
const maxRun = 1000

// String says what is measured, and what is asked of it.
func (m Measure) String() string {
	switch m.Kind {
	case Sequence:
		return fmt.Sprintf("%v and more of the words of both in the same order", m.Least)
	case Jaccard:
		return fmt.Sprintf("Jaccard similarity of %v and above, of runs of %d %s", m.Least, m.N, english.Plural(m.N, "word", "words"))
	case Contained:
		return fmt.Sprintf("each run of %d %s in the text that is kept", m.N, english.Plural(m.N, "word", "words"))
	}
	return fmt.Sprintf("cosine of %v and above", m.Least)
}
