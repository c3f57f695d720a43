package collections

import (
	"context"
	"fmt"
	"unicode/utf8"
)

// Lengths of texts in characters.
const (
	Short  = "short"  // under 140
	Middle = "middle" // 140 to 499
	Long   = "long"   // 500 and more
)

// What makes two texts near-duplicates.
const (
	ByLabels = "labels" // they are versions of one text
	ByEdits  = "edits"  // Similarity is at least Near
	ByScores = "scores" // people gave the pair a score of at least SameScore
)

// Languages.
const (
	English  = "en"
	Chinese  = "zh"
	Japanese = "ja"
)

// Collection is texts with what is known of pairs of them.
type Collection struct {
	Name     string
	Language string
	Length   string // of its texts: Short, Middle, Long, or "" where they differ
	Truth    string // ByLabels, ByEdits or ByScores
	Unfit    bool   // pairs are alike in a way for which simhash is no tool
	Texts    []string

	// Same holds the pairs that are labelled as near-duplicates, the lower number first; unused
	// with ByEdits.
	Same map[Pair]bool

	// Scores are those of the pairs of ByScores; no other pair is judged.
	Scores map[Pair]float64
}

// Pair is the numbers of two texts, the lower one first.
type Pair [2]int32

func pairOf(a, b int) Pair { return Pair{int32(min(a, b)), int32(max(a, b))} }

// lengthOf names the length of a text.
func lengthOf(text string) string {
	switch n := utf8.RuneCountInString(text); {
	case n < 140:
		return Short
	case n < 500:
		return Middle
	}
	return Long
}

// atMost is how many texts a collection has, by their length: comparing long ones takes longer.
func atMost(length string) int {
	if length == Long {
		return 600
	}
	return 1400
}

// source reads collections from the folder of the reference data.
type source func(ctx context.Context, data string) ([]Collection, error)

// All reads all collections.
func All(ctx context.Context, data string) (all []Collection, err error) {
	for _, read := range []source{verses, codes, licences, split, pages, poems, captions, edited} {
		list, err := read(ctx, data)
		if err != nil {
			return nil, fmt.Errorf("collections: %w", err)
		}
		all = append(all, list...)
	}
	return all, nil
}
