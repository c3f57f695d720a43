package compare

import (
	"fmt"
	"strings"

	"simhashkit/internal/english"
)

// markdown begins with what a reviewer has to know: the outcome, the rows that changed and the
// gaps. All other rows are folded away.
func (r *Report) markdown() string {
	var out strings.Builder
	headline := "No regression"
	if n := r.Count()[Regression]; n > 0 {
		headline = english.Count(n, "regression")
	}
	if n := r.OpenGaps(); n > 0 {
		headline += fmt.Sprintf(", %d not compared", n)
	}
	fmt.Fprintf(&out, "### Benchmarks: %s\n\n%s.\n\n%s.\n", headline, escape(sentence(r.Verdict())), escape(r.Summary()))
	r.markdownTables(&out, "", true, func(r Row) bool { return r.Verdict.beyond() || r.Withheld != "" })
	out.WriteString(r.markdownRemarks())
	var all strings.Builder
	r.markdownTables(&all, "####", false, func(Row) bool { return true })
	if all.Len() > 0 {
		fmt.Fprintf(&out, "\n<details><summary>All benchmarks</summary>\n%s\n</details>\n", all.String())
	}
	return out.String()
}

// markdownRemarks returns gaps and notes as lists.
func (r *Report) markdownRemarks() string {
	var out strings.Builder
	add := func(heading string, lines []string) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(&out, "\n**%s**\n\n", heading)
		for _, l := range lines {
			fmt.Fprintf(&out, "- %s\n", escape(l))
		}
	}
	add("Could not be compared", r.GapLines())
	add("Notes", r.Notes)
	return out.String()
}

// sentence capitalises the first letter.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// markdownTables writes the tables with the rows that are wanted, if there are any.
func (r *Report) markdownTables(out *strings.Builder, heading string, bold bool, wanted func(Row) bool) {
	for _, t := range r.Tables {
		var lines []string
		for i, c := range t.Cells() {
			if !wanted(t.Rows[i]) {
				continue
			}
			for _, cell := range c {
				lines = append(lines, "| "+escape(cell)+" ")
			}
			lines = append(lines, "|\n")
		}
		if len(lines) == 0 {
			continue
		}
		name := escape(t.Title())
		if bold {
			name = "**" + name + "**"
		}
		fmt.Fprintf(out, "\n%s\n\n", strings.TrimSpace(heading+" "+name))
		fmt.Fprintf(out, "| %s |\n| --- |%s --- |\n%s", strings.Join(CellNames, " | "), strings.Repeat(" ---: |", len(CellNames)-2), strings.Join(lines, ""))
	}
}

// escape keeps names from being read as Markdown or HTML.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "@", "&#64;", "\r", " ", "\n", " ").Replace(s)
}
