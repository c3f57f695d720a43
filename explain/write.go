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
	if !c.Comparable() {
		return s.String()
	}
	s.WriteByte('\n')
	paragraph(fmt.Sprintf("Cosine %.3f, and %.3f estimated by the fingerprints. Of pairs of this cosine k = %d finds %s.", c.Cosine, c.Estimated, c.K, part(c.Finds)))
	if short := c.short(); short != "" {
		paragraph(short)
	}
	for _, l := range []struct {
		what, of string
		words    []Word
	}{{"weighs most", "of both", c.Heaviest}, {"differs most", "of the difference", c.Differing}} {
		if len(l.words) > 0 {
			fmt.Fprintf(&s, "\n%s\n", c.table(l.what, l.of, l.words))
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

// short says in figures why texts are too short for k: the shorter one, and whether the other is so
// too.
func (c *Comparison) short() string {
	shorter, other := c.A, c.B
	if other.Features < shorter.Features {
		shorter, other = other, shorter
	}
	if !c.TooShort(shorter) {
		return ""
	}
	text := fmt.Sprintf("%s is too short for k = %d, with %s: after a change of one of them the cosine is %.3f, and k = %d finds %s of such changes. k = %d finds %.0f%%.",
		Shown([]byte(shorter.Name), 24), c.K, size(shorter), shorter.Change.Cosine, c.K, part(shorter.Change.Finds), shorter.Change.K, 100*wanted)
	if c.TooShort(other) {
		text += fmt.Sprintf(" %s is too short as well, with %s.", Shown([]byte(other.Name), 24), size(other))
	}
	return text
}

func size(s Side) string {
	return fmt.Sprintf("%d %s and %d different %s", s.Characters, english.Plural(s.Characters, "character", "characters"), s.Features, english.Plural(s.Features, "feature", "features"))
}

// part writes a part of one in percent. Less than one of ten thousand is next to nothing.
func part(p float64) string {
	if p < 1e-4 {
		return "less than 0.01%"
	}
	return english.Hundred(p) + "%"
}

func (c *Comparison) table(what, of string, words []Word) string {
	t := texttable.Aligned([]int{0}, what, Shown([]byte(c.A.Name), 16), Shown([]byte(c.B.Name), 16), of)
	for _, w := range words {
		t.AppendRow(texttable.Row{Shown(w.Feature, 28), weight(w.A), weight(w.B), part(w.Part)})
	}
	return texttable.Render(t)
}

func weight(w float64) string {
	if w == 0 {
		return "–"
	}
	return fmt.Sprintf("%.4g", w)
}
