package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"simhashkit/dedup"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
	"simhashkit/internal/texttable"
)

// write writes the list, and the answer to standard error; or the answer alone.
func (f *dedupFlags) write(ctx context.Context, r *dedup.Result, reread dedup.Reread, p *progress, stdout, stderr io.Writer) error {
	shown, err := f.draw(ctx, r, reread)
	if err != nil {
		return err
	}
	p.clear()
	if err := f.writeSheet(r, shown, stderr); err != nil {
		return err
	}
	summary := func(w io.Writer) error {
		if err := writeExamples(w, r, shown); err != nil {
			return err
		}
		notes := f.notes(r)
		notes.Texts = shown.texts
		notes.NoVerify = f.input.texts.given() && reread == nil
		return r.Summary(w, notes)
	}
	if f.list == "" {
		p.clear()
		return writeTo(f.out, stdout, summary)
	}
	if f.out == "" { // lines of progress among those of the list would be in the way
		p.clear()
		r.Progress = nil
	}
	if err := writeTo(f.out, stdout, func(w io.Writer) error { return r.List(ctx, w, f.list, f.format) }); err != nil {
		return err
	}
	p.clear()
	warnOfSharedIDs(r, "the list does", stderr)
	return summary(stderr)
}

// warnOfSharedIDs names an id by which records cannot be told apart in what is written.
func warnOfSharedIDs(r interface{ SharedID() (string, int) }, written string, stderr io.Writer) {
	if id, n := r.SharedID(); n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s for several records, one of which has near-duplicates, such as %.60q: %s not tell them apart\n",
			n, english.Plural(n, "id stands", "ids stand"), id, written)
	}
}

// joinProgress returns what shows how far a join of the records has come.
func joinProgress(p *progress, records, against *dedup.Records) func(done float64) {
	n := records.Len()
	if against != nil {
		n += against.Len()
	}
	start := p.now()
	return func(done float64) {
		p.show(func() string {
			elapsed := p.now().Sub(start)
			if done < 0.01 || elapsed <= 0 {
				return "comparing" // too early to tell when it ends
			}
			left := time.Duration(float64(elapsed) * (1 - done) / done)
			return fmt.Sprintf("comparing  %.0f%%  %.0f records/s  %v left", 100*done, done*float64(n)/elapsed.Seconds(), left.Round(time.Second))
		})
	}
}

// shownLines is how many lines of an example are shown.
const shownLines = 8

// writeExamples writes what is dropped beside what is kept for it, word by word.
func writeExamples(w io.Writer, r *dedup.Result, shown shown) error {
	var s strings.Builder
	for _, e := range shown.examples {
		fmt.Fprintf(&s, "%s: %s, dropped, for %s, kept\n", english.Count(e.Distance, "bit")+" apart", tabular.OneLine(r.Records.ID(e.Dropped)), tabular.OneLine(r.Records.ID(e.Kept)))
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
