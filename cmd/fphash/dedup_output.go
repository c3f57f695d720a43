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

// warnOfSharedIDs warns of ids that several records in the output have.
func warnOfSharedIDs(r interface{ SharedID() (string, int) }, written string, stderr io.Writer) {
	if id, n := r.SharedID(); n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s by several records, one of which has near-duplicates, such as %.60q: %s not tell them apart\n",
			n, english.Plural(n, "id is used", "ids are used"), id, written)
	}
}

// shownLines limits the lines of an example.
const shownLines = 8

// writeExamples writes the differences between dropped texts and the texts kept for them.
func writeExamples(w io.Writer, r *dedup.Result, shown shown) error {
	var s strings.Builder
	for _, e := range shown.examples {
		fmt.Fprintf(&s, "%s: %s is dropped for %s\n", e.Apart(), tabular.OneLine(r.Records.ID(e.Dropped)), tabular.OneLine(r.Records.ID(e.Kept)))
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
		fmt.Fprintf(&s, "[-words only in the dropped text-], {+words only in the kept text+}\n\n")
	}
	_, err := io.WriteString(w, texttable.Printable(s.String()))
	return err
}
