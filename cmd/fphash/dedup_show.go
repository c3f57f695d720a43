package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/explain"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// shownLines is how many lines of an example are shown.
const shownLines = 8

// exampleTexts are the texts of examples, by the number of the record.
type exampleTexts map[int]string

// want notes the records whose texts are needed.
func (t exampleTexts) want(list []dedup.Example) {
	for _, e := range list {
		t[e.Dropped], t[e.Kept] = "", ""
	}
}

// read reads the texts of one input, whose first record has that number, up to the last one that is
// needed of its records.
func (t exampleTexts) read(ctx context.Context, path string, first, count int, texts *textFlags) error {
	last := -1
	for record := range t {
		if record < first+count {
			last = max(last, record)
		}
	}
	if last < first {
		return nil
	}
	leaveOut := func(error) {} // it was named when fingerprints were made
	reader, err := texts.openAgain(ctx, path, texts.options(leaveOut))
	if err != nil {
		return err
	}
	defer reader.Close()
	var d documents.Document
	for record := first; record <= last; record++ {
		if err := reader.Read(&d); err != nil {
			if errors.Is(err, io.EOF) {
				err = fmt.Errorf("--show: %s has changed since its documents were compared: expected %d, got %d", path, count, record-first)
			}
			return err
		}
		if _, ok := t[record]; ok {
			t[record] = string(d.Text)
		}
	}
	return nil
}

// writeExamples writes what is dropped beside what is kept for it, word by word.
func writeExamples(w io.Writer, r *dedup.Result, list []dedup.Example, texts exampleTexts) error {
	var s strings.Builder
	for _, e := range list {
		fmt.Fprintf(&s, "%s: %s, dropped, for %s, kept\n", bitsApart(e.Distance), r.Records.ID(e.Dropped), r.Records.ID(e.Kept))
		text := explain.Difference(texts[e.Dropped], texts[e.Kept])
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
	if len(list) > 0 {
		fmt.Fprintf(&s, "[-Words of the dropped one alone-], {+words of the kept one alone+}.\n\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

func bitsApart(n int) string {
	return fmt.Sprintf("%d %s apart", n, english.Plural(n, "bit", "bits"))
}
