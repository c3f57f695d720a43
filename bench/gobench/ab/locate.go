package ab

import (
	"bytes"
	"fmt"
	"strings"

	"simhashkit/bench/gobench/compare"
)

// locate makes the places of gaps such that they say something. What the sides have printed is no
// file with lines that anybody could look up: of a failure and of a line that does not parse the
// side remains, of the latter with its text; other gaps name sides in their message.
func (e *engine) locate(r *compare.Report) {
	for i := range r.Gaps {
		g := &r.Gaps[i]
		switch g.Kind {
		case compare.GapSyntax:
			if text := e.lineOf(g.File, g.Line); text != "" {
				g.Message += fmt.Sprintf(": %q", text)
				name, _, _ := strings.Cut(text, " ")
				g.Benchmark = strings.TrimPrefix(name, "Benchmark")
			}
		case compare.GapFailed, compare.GapEmpty:
		default:
			g.File = ""
		}
		g.Line = 0
	}
}

// lineOf returns a line of what a side has printed, by the side's label.
func (e *engine) lineOf(label string, number int) string {
	for _, s := range []*side{&e.old, &e.new} {
		if s.label != label {
			continue
		}
		for line := range bytes.Lines(s.text.Bytes()) {
			if number--; number == 0 {
				return strings.TrimSpace(string(line))
			}
		}
	}
	return ""
}
