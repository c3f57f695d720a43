package settings

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

// Answer names a setting, and what others find.
type Answer struct {
	Jaccard   float64 `json:"jaccard"` // from which on texts are near
	Given     int     `json:"texts"`
	Used      int     `json:"sample"`
	Copies    int     `json:"edited"`    // texts of which there are copies
	Near      int     `json:"nearPairs"` // of the sample, beside those of the same runs
	Strangers int     `json:"strangerPairs"`

	Setting  *Figures  `json:"setting,omitempty"` // to use; nil where the sample tells nothing
	Default  Figures   `json:"default"`           // what dedup does unasked
	Tried    []Figures `json:"tried"`             // each with its best k
	Verified Found     `json:"verified"`          // what Verify lets be dropped of what the setting finds
	Wrong    float64   `json:"verifiedStrangersPerMillion"`

	From    string `json:"from,omitempty"`    // of what data the sample is
	Command string `json:"command,omitempty"` // that drops near-duplicates
}

// leastTexts are needed to say anything of strangers.
const leastTexts = 30

// score is the mean of what is found, by which settings are compared.
func (a *Answer) score(f Found) float64 {
	sum, n := 0.0, 0
	if a.Copies > 0 {
		for _, part := range f.Copies {
			sum += part
			n++
		}
	}
	if a.Near >= leastNear {
		sum += f.Near
		n++
	}
	return sum / float64(max(n, 1))
}

// choose takes the best setting, or one of fewer bits that is hardly worse, and returns which of
// Tried it is; -1 if none.
func (a *Answer) choose() (chosen int) {
	chosen = -1
	if a.tooFew() {
		return chosen
	}
	best := 0.0
	for _, f := range a.Tried {
		if !f.Unfit {
			best = max(best, a.score(f.Found))
		}
	}
	for i := range a.Tried {
		f := &a.Tried[i]
		if !f.Unfit && a.score(f.Found) >= best-worthBits && (a.Setting == nil || f.Bits < a.Setting.Bits) {
			a.Setting, chosen = f, i
		}
	}
	return chosen
}

// tooFew reports whether the sample tells nothing.
func (a *Answer) tooFew() bool {
	return a.Used < leastTexts || a.Strangers < leastTexts || a.Copies == 0 && a.Near < leastNear
}

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "markdown", "json"} }

// Write writes the answer: as text on a screen, as Markdown or as a JSON object.
func (a *Answer) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return a.write(w, texttable.Render(a.table()), "%s\n")
	case "markdown":
		return a.write(w, a.table().RenderMarkdown(), "```\n%s\n```\n")
	case "json":
		return jsonout.Write(w, a)
	}
	return fmt.Errorf("settings: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
}

const lineWidth = 80

func (a *Answer) write(w io.Writer, table, command string) error {
	parts := []string{wrapped(a.Lead()), wrapped(a.about()), table}
	if a.Setting == nil {
		parts = parts[:1]
	} else {
		parts = append(parts, wrapped(a.verified()))
	}
	text := strings.Join(parts, "\n\n") + "\n"
	if a.Command != "" {
		text += "\nTo drop near-duplicates:\n\n" + fmt.Sprintf(command, a.Command)
	}
	_, err := io.WriteString(w, text)
	return err
}

func wrapped(words string) string { return strings.Join(texttable.Wrap(words, lineWidth), "\n") }

// Lead is the answer in a sentence.
func (a *Answer) Lead() string {
	if a.Setting == nil && !a.tooFew() {
		return fmt.Sprintf("No setting that was tried suits these texts: each takes more than %.0f of a million pairs of strangers for near. The default is %s.", 1e6*mostStrangers, Default.name())
	}
	if a.Setting == nil {
		return fmt.Sprintf("These texts do not tell which settings suit them: there are %s, %s with edited copies, and %s that are near or strangers. The default is %s.",
			english.Count(a.Used, "text"), english.Count(a.Copies, "text"), english.Count(a.Near+a.Strangers, "pair"), Default.name())
	}
	return fmt.Sprintf("Use %s, %d bits and k = %d: that finds %s of 100 copies with 5%% of the words replaced, where the default finds %s, and takes %s of a million pairs of strangers for near, where the default takes %s.",
		a.Setting.name(), a.Setting.Bits, a.Setting.K, english.Hundred(a.Setting.Found.Copies[2]), english.Hundred(a.Default.Found.Copies[2]), a.strangers(a.Setting.Strangers), a.strangers(a.Default.Strangers))
}

// strangers says how many of a million pairs of strangers are found. Of none in n pairs, three or
// fewer of n are the 95% interval.
func (a *Answer) strangers(n float64) string {
	below := ""
	if n == 0 {
		n, below = 3e6/float64(max(a.Strangers, 1)), "< "
	}
	if n < 9.95 {
		return fmt.Sprintf("%s%.1f", below, n)
	}
	return fmt.Sprintf("%s%.0f", below, n)
}

// name names all but bits and k.
func (s Setting) name() string { return s.Features + " by " + s.sketch() }

func (s Setting) sketch() string {
	if s.Weights == "" {
		return s.Sketch
	}
	return s.Sketch + " " + string(s.Weights)
}

func (a *Answer) about() string {
	sample := english.Count(a.Used, "text")
	if a.Used < a.Given {
		sample = fmt.Sprintf("%d of %s", a.Used, english.Count(a.Given, "text"))
	}
	return fmt.Sprintf("Found of 100 copies of texts in which so many words are replaced, and of the %s of Jaccard %v and above; and of a million pairs of strangers (sample: %s):",
		english.Count(a.Near, "pair"), a.Jaccard, sample)
}

// verified says what --verify does to that.
func (a *Answer) verified() string {
	return fmt.Sprintf("With --verify %s, which the command below has, what is found is dropped only where nine of ten words are the same and in the same order, as the last line says.", Verify)
}

// shown is how many settings the table has beside the one to use and the default.
const shown = 6

func (a *Answer) table() texttable.Table {
	t := texttable.Aligned([]int{0, 1}, "features", "sketch, bits", "k", "1%", "3%", "5%", "10%", "near", "false")
	row := func(name string, f *Figures) {
		t.AppendRow(append(texttable.Row{name, fmt.Sprint(f.sketch(), " ", f.Bits), f.K}, append(a.cells(f.Found), a.strangers(f.Strangers))...))
	}
	others := slices.DeleteFunc(slices.Clone(a.Tried), func(f Figures) bool { return f.Unfit || a.Setting != nil && f.Setting == a.Setting.Setting })
	slices.SortStableFunc(others, func(x, y Figures) int { return cmp.Compare(a.score(y.Found), a.score(x.Found)) })
	if a.Setting != nil {
		row("→ "+a.Setting.Features, a.Setting)
	}
	for i := range others[:min(shown, len(others))] {
		row(others[i].Features, &others[i])
	}
	row("default ("+a.Default.Features+")", &a.Default)
	if a.Setting == nil {
		return t
	}
	t.AppendRow(append(texttable.Row{"→ with --verify", "", ""}, append(a.cells(a.Verified), a.strangers(a.Wrong))...))
	return t
}

func (a *Answer) cells(f Found) (cells []any) {
	for _, part := range f.Copies {
		cells = append(cells, english.Hundred(part))
	}
	if a.Near == 0 {
		return append(cells, "–")
	}
	return append(cells, english.Hundred(f.Near))
}
