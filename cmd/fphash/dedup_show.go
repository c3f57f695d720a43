package main

import (
	"fmt"
	"io"
	"strings"

	"simhashkit/dedup"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
	"simhashkit/internal/texttable"
)

// shownLines is how many lines of an example are shown.
const shownLines = 8

// writeExamples writes what is dropped beside what is kept for it, word by word.
func writeExamples(w io.Writer, r *dedup.Result, shown shown) error {
	var s strings.Builder
	for _, e := range shown.examples {
		fmt.Fprintf(&s, "%s: %s, dropped, for %s, kept\n", bitsApart(e.Distance), tabular.OneLine(r.Records.ID(e.Dropped)), tabular.OneLine(r.Records.ID(e.Kept)))
		text := wordDiff(shown.texts[e.Dropped], shown.texts[e.Kept])
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
	if len(shown.examples) > 0 {
		fmt.Fprintf(&s, "[-Words of the dropped one alone-], {+words of the kept one alone+}.\n\n")
	}
	_, err := io.WriteString(w, texttable.Printable(s.String()))
	return err
}

func bitsApart(n int) string {
	return fmt.Sprintf("%d %s apart", n, english.Plural(n, "bit", "bits"))
}
