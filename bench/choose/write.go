package choose

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "markdown", "json"} }

// Write writes the answer: as text on a screen of 24 lines of 80 characters, as Markdown, or as a
// JSON object.
func (a *Answer) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return written(w, a.text())
	case "markdown":
		return written(w, a.markdown())
	case "json":
		return jsonout.Write(w, a.json())
	}
	return fmt.Errorf("choose: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
}

func written(w io.Writer, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("choose: %w", err)
	}
	return nil
}

const lineWidth = 80

// screen is how many lines a terminal has beside the prompt.
const screen = 23

func (a *Answer) text() string {
	var above, below []string
	say := func(lines *[]string, words string) {
		if words != "" {
			*lines = append(*lines, texttable.Wrap(words, lineWidth)...)
		}
	}
	say(&above, a.lead())
	say(&above, a.target())
	if command := a.command(); command != "" { // not wrapped: it is to be copied
		above = append(above, "To drop them: "+command)
	}
	above = append(above, "")
	say(&above, a.about())
	above = append(above, strings.Split(texttable.Render(a.table()), "\n")...)
	above = append(above, "")
	say(&above, a.cost())
	if len(a.Hashes.Undecided) > 0 {
		say(&below, "Undecided: "+names(a.Hashes.Undecided)+".")
	}
	say(&below, a.more())
	room := screen - len(above) - len(below) - 1 // for its title
	return strings.Join(slices.Concat(above, a.faults(room), below), "\n") + "\n"
}

// faults lists what is not to be used, in so many lines below a title; what has no room is named.
func (a *Answer) faults(room int) []string {
	list := a.notToUse()
	if len(list) == 0 {
		return nil
	}
	shown := list
	if len(list) > room {
		shown = list[:max(1, room-1)]
	}
	t := texttable.Headless()
	for _, c := range shown {
		t.AppendRow(texttable.Row{c.Hash, reason(c)})
	}
	lines := append([]string{"Do not use:"}, strings.Split(texttable.Render(t), "\n")...)
	if others := list[len(shown):]; len(others) > 0 {
		lines = append(lines, "  and "+names(others))
	}
	return lines
}

// names lists the hashes of choices, which have one encoding.
func names(list []*advice.Choice) string {
	var words []string
	for _, c := range list {
		words = append(words, c.Hash)
	}
	return strings.Join(words, ", ")
}

func (a *Answer) table() texttable.Table {
	t := texttable.Aligned([]int{5}, "bits", "k", "finds", "real of 100", "pairs found per million vectors", "")
	for _, c := range a.Thresholds() {
		t.AppendRow(texttable.Row(a.cells(c)))
	}
	return t
}

// cells are those of a threshold's line.
func (a *Answer) cells(t Threshold) []any {
	real, found, take := "?", count(t.Found), ""
	if t.Real != nil {
		real = english.Hundred(*t.Real)
	}
	if t.AtMost {
		found = "at most " + found
	}
	if t.Take {
		take = "← this"
	}
	return []any{t.Bits, t.K, english.Hundred(t.Finds) + "%", real, found, take}
}

func (a *Answer) markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "### Which hash, width and threshold\n\n**%s**\n", a.lead())
	say := func(words string) {
		if words != "" {
			fmt.Fprintf(&out, "\n%s\n", words)
		}
	}
	say(a.target())
	say(a.about())
	say(a.table().RenderMarkdown())
	say(a.cost())
	for _, group := range []struct {
		title string
		of    []*advice.Choice
	}{{"Do not use:", a.notToUse()}, {"Undecided:", a.Hashes.Undecided}} {
		if len(group.of) > 0 {
			say(group.title)
			out.WriteString("\n")
		}
		for _, c := range group.of {
			fmt.Fprintf(&out, "- %s: %s\n", c.Hash, reason(c))
		}
	}
	say(a.more())
	if command := a.command(); command != "" {
		say("To drop them:\n\n```\n" + command + "\n```")
	}
	return out.String()
}
