package dedup

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
	"simhashkit/internal/texttable"
	"simhashkit/internal/unicode15"
)

// Example is a dropped record and the record kept in its place, by their numbers.
type Example struct {
	Dropped, Kept int
	Distance      int     // in bits
	Similarity    float64 // 0 if nothing was verified

	// Differs says in which way the texts differ that their similarity hardly weighs: "punctuation"
	// (the words are equal), "number", "negation" (also if a number differs), or "".
	Differs string
}

// Apart describes how similar the two records are.
func (e Example) Apart() string {
	if e.Similarity > 0 {
		text := "similarity " + roundedDown(e.Similarity)
		switch e.Differs {
		case "":
		case "punctuation":
			text += ", only punctuation differs"
		default:
			text += ", a " + e.Differs + " differs"
		}
		return text
	}
	return english.Count(e.Distance, "bit") + " apart"
}

// roundedDown returns a similarity with two digits, rounded down so that only equal texts have
// 1.00. Similarities are stored as float32, so 0.9 may be slightly less.
func roundedDown(similarity float64) string {
	return fmt.Sprintf("%.2f", math.Floor(100*similarity+1e-4)/100)
}

// Examples returns up to n dropped records with the records kept in their place, the most similar
// first. They are spread evenly over the similarities that occur, or over the distances if nothing
// was verified. If differing, they are the dropped texts for which Example.Differs is not empty,
// some of each kind.
func (r *Result) Examples(n int, differing bool) []Example {
	if n <= 0 {
		return nil
	}
	// Up to n for each hundredth of similarity, for each distance or for each difference.
	byRank := map[int][]Example{}
	for i := range r.groups.canonical {
		position := uint32(i)
		if !r.IsDropped(i) || r.isUnread(uint64(r.Records.record(r.groups.canonical[position]))) {
			continue // the text of an unread record cannot be shown
		}
		e := Example{Dropped: r.Records.record(position), Kept: r.Records.record(r.groups.canonical[position]), Distance: r.groups.distance(position)}
		rank := e.Distance
		if r.groups.similarity != nil {
			e.Similarity = float64(r.groups.similarity[position])
			rank = 100 - int(100*e.Similarity)
		}
		if r.groups.differs != nil {
			e.Differs = r.groups.differs[position].String()
		}
		if differing {
			if e.Differs == "" {
				continue
			}
			rank = int(r.groups.differs[position])
		}
		if len(byRank[rank]) < n {
			byRank[rank] = append(byRank[rank], e)
		}
	}
	ranks := slices.Sorted(maps.Keys(byRank))
	if len(ranks) > n {
		ranks = spread(ranks, n)
	}
	slices.Reverse(ranks) // less similar ones come first: the last round may be incomplete
	var examples []Example
	for round, before := 0, -1; before < len(examples) && len(examples) < n; round++ {
		before = len(examples)
		for _, rank := range ranks {
			if list := byRank[rank]; round < len(list) && len(examples) < n {
				examples = append(examples, list[round])
			}
		}
	}
	slices.SortStableFunc(examples, func(a, b Example) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), a.Distance-b.Distance, a.Dropped-b.Dropped)
	})
	return examples
}

// spread returns n evenly spread elements. They include the last and, if n > 1, the first.
func spread(all []int, n int) []int {
	if n == 1 {
		return all[len(all)-1:]
	}
	var list []int
	for i := range n {
		list = append(list, all[i*(len(all)-1)/(n-1)])
	}
	return list
}

// shownLines limits the lines of an example.
const shownLines = 8

// WriteExamples reads the texts of examples again, and writes the differences between the dropped
// texts and those kept for them.
func (r *Result) WriteExamples(ctx context.Context, w io.Writer, examples []Example) error {
	if len(examples) == 0 {
		return nil
	}
	if r.Texts == nil {
		return fmt.Errorf("%s: expected texts that can be read twice", r.Records.Name)
	}
	texts := map[uint64]string{}
	var records []uint64
	for _, e := range examples {
		records = append(records, uint64(e.Dropped), uint64(e.Kept))
	}
	slices.Sort(records)
	err := r.Texts(ctx, slices.Compact(records), func(record uint64, text []byte) error {
		texts[record] = string(text)
		return nil
	})
	if err != nil {
		return err
	}
	var s strings.Builder
	for _, e := range examples {
		fmt.Fprintf(&s, "%s: %s is dropped for %s\n", e.Apart(), tabular.OneLine(r.Records.ID(e.Dropped)), tabular.OneLine(r.Records.ID(e.Kept)))
		text := cmp.Or(wordDiff(texts[uint64(e.Dropped)], texts[uint64(e.Kept)]), "(both are empty)")
		lines := texttable.Wrap(text, 76)
		if len(lines) > shownLines {
			lines = append(lines[:shownLines-1], "…")
		}
		for _, line := range lines {
			fmt.Fprintf(&s, "    %s\n", line)
		}
	}
	fmt.Fprintf(&s, "[-words only in the dropped text-], {+words only in the kept text+}\n\n")
	_, err = io.WriteString(w, texttable.Printable(s.String()))
	return err
}

// mostDiffed bounds the words of each text that wordDiff compares one by one.
const mostDiffed = 2000

// wordDiff returns the changes from text a to text b: [-words only in a-] and {+words only in b+}.
// It replaces common words that are not near a change with "…". It ignores the amount of white
// space between words, and all white space next to characters of scripts without spaces. It ends
// with "…" after 2,000 words between the first and the last change.
func wordDiff(a, b string) string {
	x, y := diffWords(a), diffWords(b)
	before := 0
	for before < min(len(x), len(y)) && same(x[before], y[before]) {
		before++
	}
	after := 0
	for after < min(len(x), len(y))-before && same(x[len(x)-1-after], y[len(y)-1-after]) {
		after++
	}
	changes := []change{{both: x[:before]}}
	x, y, rest := x[before:len(x)-after], y[before:len(y)-after], x[len(x)-after:]
	changes = appendChanges(changes, x[:min(len(x), mostDiffed)], y[:min(len(y), mostDiffed)])
	if max(len(x), len(y)) > mostDiffed {
		changes = append(changes, change{both: []string{"…"}})
	} else {
		last := &changes[len(changes)-1]
		last.both = slices.Concat(last.both, rest)
	}
	var words []string
	for i, c := range changes {
		head, tail := wordsAround, wordsAround
		switch {
		case len(changes) == 1: // the texts are the same
			head, tail = 2*wordsAround, 0
		case i == 0:
			head = 0
		case i == len(changes)-1:
			tail = 0
		}
		words = c.append(words, head, tail)
	}
	return unglue.Replace(strings.Join(words, " "))
}

// glue marks the end of a word without a space after it, so that Chinese is printed without spaces.
const glue = "\u2060"

var unglue = strings.NewReplacer(glue+" ", "", glue, "")

// same reports whether two words are the same, with or without glue.
func same(a, b string) bool { return strings.TrimSuffix(a, glue) == strings.TrimSuffix(b, glue) }

// diffWords splits a text at spaces, and around each character of scripts without spaces.
func diffWords(s string) (words []string) {
	for _, field := range strings.Fields(s) {
		from, unspaced := 0, false
		for at, r := range field {
			now := unicode15.IsUnspaced(r)
			if at > 0 && (now || unspaced && unicode.In(r, unicode.L, unicode.N)) {
				words = append(words, field[from:at]+glue)
				from = at
			}
			unspaced = now
		}
		words = append(words, field[from:])
	}
	return words
}

// wordsAround is the number of common words shown next to a change.
const wordsAround = 6

// change is a difference of two texts, and the words after it that both have.
type change struct{ onlyX, onlyY, both []string }

// append appends the difference, and the first and last of the common words.
func (c *change) append(words []string, head, tail int) []string {
	if len(c.onlyX) > 0 {
		words = append(words, "[-"+strings.Join(c.onlyX, " ")+"-]")
	}
	if len(c.onlyY) > 0 {
		words = append(words, "{+"+strings.Join(c.onlyY, " ")+"+}")
	}
	if len(c.both) <= head+tail+1 {
		return append(words, c.both...)
	}
	return append(append(append(words, c.both[:head]...), "…"), c.both[len(c.both)-tail:]...)
}

// appendChanges appends the changes from x to y, which begin with a difference. A longest common
// subsequence defines which words are common.
func appendChanges(changes []change, x, y []string) []change {
	// length of the longest common subsequence of x[i:] and y[j:]
	width := len(y) + 1
	length := make([]uint16, (len(x)+1)*width)
	for i, j := len(x)-1, 0; i >= 0; i-- {
		for j = len(y) - 1; j >= 0; j-- {
			if same(x[i], y[j]) {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(x) || j < len(y); {
		last := &changes[len(changes)-1]
		if i < len(x) && j < len(y) && same(x[i], y[j]) {
			last.both = append(last.both, x[i])
			i, j = i+1, j+1
			continue
		}
		if len(changes) == 1 || len(last.both) > 0 {
			changes = append(changes, change{})
			last = &changes[len(changes)-1]
		}
		if i < len(x) && (j == len(y) || length[(i+1)*width+j] >= length[i*width+j+1]) {
			last.onlyX = append(last.onlyX, x[i])
			i++
		} else {
			last.onlyY = append(last.onlyY, y[j])
			j++
		}
	}
	return changes
}
