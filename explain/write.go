package explain

import (
	"fmt"
	"io"
	"strings"

	"simhashkit/fphash"
	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// width is that of the text, in characters.
const width = 80

// Formats lists what Write knows.
func Formats() []string { return []string{"text", "json"} }

// Write writes the comparison: as text, which begins with the answer, or as a JSON object.
func (c *Comparison) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, c.text())
		return err
	case "json":
		return c.writeJSON(w)
	}
	return fmt.Errorf("explain: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
}

func (c *Comparison) text() string {
	var s strings.Builder
	paragraph := func(words string) {
		s.WriteString(strings.Join(texttable.Wrap(words, width), "\n") + "\n")
	}
	paragraph(c.Answer())
	t := texttable.Aligned([]int{0, 1}, "document", "fingerprint", "characters", "features")
	for _, side := range []Side{c.A, c.B} {
		t.AppendRow(texttable.Row{Shown([]byte(side.Name), 24), c.fingerprint(side), side.Characters, side.Features})
	}
	fmt.Fprintf(&s, "\n%s\n", texttable.Render(t))
	if c.Comparable() {
		s.WriteByte('\n')
		paragraph(fmt.Sprintf("Cosine %.3f, and %.3f estimated by the fingerprints. Of pairs of this cosine k = %d finds %s%%.",
			c.Cosine, c.Estimated, c.K, english.Hundred(c.Finds)))
	}
	for _, side := range []Side{c.A, c.B} {
		if c.TooShort(side) {
			paragraph(c.short(side))
		}
	}
	for _, l := range []struct {
		what, part string
		words      []Word
	}{{"weighs most", "of both", c.Heaviest}, {"differs most", "of the difference", c.Differing}} {
		if len(l.words) > 0 {
			fmt.Fprintf(&s, "\n%s\n", c.table(l.what, l.part, l.words))
		}
	}
	return s.String()
}

// Answer is the verdict, in a sentence.
func (c *Comparison) Answer() string {
	var empty []string
	for _, side := range []Side{c.A, c.B} {
		if side.Status != fphash.Informative {
			empty = append(empty, Shown([]byte(side.Name), 24))
		}
	}
	bits := fmt.Sprintf("the fingerprints differ in %d of %d bits, and k is %d", c.Distance, c.Bits, c.K)
	switch {
	case len(empty) > 0:
		return fmt.Sprintf("Not comparable: the fingerprint of %s carries no information.", strings.Join(empty, " and of "))
	case c.Near() && c.Distance == 0:
		return "Near-duplicates: the fingerprints are the same."
	case c.Near():
		return "Near-duplicates: " + bits + "."
	}
	return "Not near-duplicates: " + bits + "."
}

func (c *Comparison) fingerprint(s Side) string {
	hex := s.Fingerprint.Hex(c.Bits)
	if len(hex) > 32 {
		return hex[:31] + "…"
	}
	return hex
}

// short says in figures why a text is too short for k.
func (c *Comparison) short(s Side) string {
	return fmt.Sprintf("%s is too short for k = %d, with %d %s and %d %s: after a change of one, the cosine is %.3f, and k = %d finds %s%% of such changes. k = %d finds %.0f%%.",
		Shown([]byte(s.Name), 24), c.K, s.Characters, english.Plural(s.Characters, "character", "characters"), s.Features, english.Plural(s.Features, "feature", "features"),
		s.Change.Cosine, c.K, english.Hundred(s.Change.Finds), s.Change.K, 100*wanted)
}

func (c *Comparison) table(what, part string, words []Word) string {
	t := texttable.Aligned([]int{0}, what, Shown([]byte(c.A.Name), 16), Shown([]byte(c.B.Name), 16), part)
	for _, w := range words {
		t.AppendRow(texttable.Row{Shown(w.Feature, 28), weight(w.A), weight(w.B), english.Hundred(w.Part) + "%"})
	}
	return texttable.Render(t)
}

func weight(w float64) string {
	if w == 0 {
		return "–"
	}
	return fmt.Sprintf("%.4g", w)
}
