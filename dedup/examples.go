package dedup

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"simhashkit/datasets/text"
	"simhashkit/internal/tabular"
	"simhashkit/internal/texttable"
)

// ReadExamples returns the texts of the records in examples, by their numbers.
func ReadExamples(ctx context.Context, examples []Example, read Reread[[]byte]) (map[int]string, error) {
	texts := map[int]string{}
	var records []uint64
	for _, e := range examples {
		records = append(records, uint64(e.Dropped), uint64(e.Kept))
	}
	if len(records) == 0 {
		return texts, nil
	}
	slices.Sort(records)
	err := read(ctx, slices.Compact(records), func(record uint64, text []byte) error {
		texts[int(record)] = string(text)
		return nil
	})
	return texts, err
}

// shownLines limits the lines of an example.
const shownLines = 8

// WriteExamples writes the differences between dropped texts and the texts kept for them. texts has
// the result of ReadExamples.
func (r *Result) WriteExamples(w io.Writer, examples []Example, texts map[int]string) error {
	var s strings.Builder
	for _, e := range examples {
		fmt.Fprintf(&s, "%s: %s is dropped for %s\n", e.Apart(), tabular.OneLine(r.Records.ID(e.Dropped)), tabular.OneLine(r.Records.ID(e.Kept)))
		text := wordDiff(texts[e.Dropped], texts[e.Kept])
		if text == "" {
			text = "(both are empty)"
		}
		lines := texttable.Wrap(text, 76)
		if len(lines) > shownLines {
			lines = append(lines[:shownLines-1], "…")
		}
		for _, line := range lines {
			fmt.Fprintf(&s, "    %s\n", line)
		}
	}
	if len(examples) > 0 {
		fmt.Fprintf(&s, "[-words only in the dropped text-], {+words only in the kept text+}\n\n")
	}
	_, err := io.WriteString(w, texttable.Printable(s.String()))
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
	d := wordDifference{}
	d.both(x[:before], true, before == len(x) && before == len(y))
	x, y, rest := x[before:len(x)-after], y[before:len(y)-after], x[len(x)-after:]
	cut := len(x) > mostDiffed || len(y) > mostDiffed
	d.middle(x[:min(len(x), mostDiffed)], y[:min(len(y), mostDiffed)])
	if cut {
		d.words = append(d.words, "…")
	} else {
		d.both(rest, false, true)
	}
	return unglue.Replace(strings.Join(d.words, " "))
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
			now := text.IsUnspaced(r)
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

type wordDifference struct{ words []string }

// both adds common words, but only those next to a change.
func (d *wordDifference) both(words []string, first, last bool) {
	head, tail := wordsAround, wordsAround
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if first && last { // the texts are the same
		head = 2 * wordsAround
	}
	if len(words) <= head+tail+1 {
		d.words = append(d.words, words...)
		return
	}
	d.words = append(append(append(d.words, words[:head]...), "…"), words[len(words)-tail:]...)
}

func (d *wordDifference) only(words []string, open, end string) {
	if len(words) > 0 {
		d.words = append(d.words, open+strings.Join(words, " ")+end)
	}
}

// middle adds the words between the first and the last difference. A longest common subsequence of
// x and y defines which words are common.
func (d *wordDifference) middle(x, y []string) {
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
	var onlyX, onlyY, both []string
	flush := func() {
		d.only(onlyX, "[-", "-]")
		d.only(onlyY, "{+", "+}")
		onlyX, onlyY = nil, nil
	}
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && same(x[i], y[j]):
			flush()
			both = append(both, x[i])
			i, j = i+1, j+1
			continue
		case i < len(x) && (j == len(y) || length[(i+1)*width+j] >= length[i*width+j+1]):
			onlyX = append(onlyX, x[i])
			i++
		default:
			onlyY = append(onlyY, y[j])
			j++
		}
		if len(both) > 0 {
			d.both(slices.Clone(both), false, false)
			both = both[:0]
		}
	}
	flush()
	d.both(both, false, false)
}
