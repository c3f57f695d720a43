package compare

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/texttable"
)

// textWidth is the length of lines of text.
const textWidth = 120

func (r *Report) text() string {
	var out strings.Builder
	var above []resultfile.Field
	for _, t := range r.Tables {
		for _, f := range t.Config {
			if !slices.Contains(above, f) {
				fmt.Fprintf(&out, "%s: %s\n", f.Name, f.Value)
			}
		}
		above = t.Config
		fmt.Fprintf(&out, "%s\n\n", t.Title())
		fmt.Fprintf(&out, "%s\n\n", textTable(t.Cells()))
	}
	out.WriteString(r.Remarks())
	for _, words := range []string{r.Summary(), "Verdict: " + r.Verdict() + "."} {
		fmt.Fprintf(&out, "%s\n", strings.Join(texttable.Wrap(words, textWidth), "\n"))
	}
	return out.String()
}

// textTable renders rows. If names make it too wide, it puts their common parts above.
func textTable(rows [][]string) string {
	render := func() string {
		t := texttable.Aligned([]int{0, len(CellNames) - 1}, CellNames...)
		for _, cells := range rows {
			t.AppendRow(texttable.RowOf(cells))
		}
		return texttable.Render(t)
	}
	table := render()
	rule := strings.Split(table, "\n")[1]
	if utf8.RuneCountInString(rule) <= textWidth {
		return table
	}
	var names []string
	for _, cells := range rows {
		names = append(names, cells[0])
	}
	common, names := commonParts(names)
	if common == "" {
		return table
	}
	for i, cells := range rows {
		cells[0] = names[i]
	}
	return common + ":\n\n" + render()
}

// commonParts takes the parts that all names have out of the names. Parts are divided by slashes;
// at least the last one of each name is left.
func commonParts(names []string) (common string, rest []string) {
	parts := strings.Split(names[0], "/")
	var shared []string
	for i, part := range parts {
		inAll := !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(strings.Split(name, "/"), part) })
		if inAll && (len(names) > 1 || i < len(parts)-1) {
			shared = append(shared, part)
		}
	}
	for _, name := range names {
		left := slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool { return slices.Contains(shared, part) })
		if len(left) == 0 {
			left = []string{name[strings.LastIndexByte(name, '/')+1:]}
		}
		rest = append(rest, strings.Join(left, "/"))
	}
	return strings.Join(shared, "/"), rest
}

// Remarks returns gaps and notes as lines of a text.
func (r *Report) Remarks() string {
	var out strings.Builder
	add := func(kind string, lines []string) {
		for _, line := range lines {
			parts := texttable.Wrap(line, textWidth-len(kind))
			fmt.Fprintf(&out, "%s%s\n", kind, strings.Join(parts, "\n"+strings.Repeat(" ", len(kind))))
		}
	}
	add("GAP   ", r.GapLines())
	add("note  ", r.Notes)
	return out.String()
}
