package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/advice"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/page"
	"simhashkit/bench/terms"
)

// unsure shows what searches find that ignore the least sure bits, how far estimates by sums are
// off, and on which vectors neither helps.
func (r *report) unsure() page.Section {
	s := page.Section{ID: "unsure", Short: "Unsure bits", Title: "Unsure bits: recall and estimates against the cosine"}
	if len(r.unsureKinds) == 0 {
		s.Blocks = []page.Block{missing("unsure bits", commandUnsure)}
		return s
	}
	found := advice.FindUnsure(r.unsureKinds)
	usual := r.unsureKinds[found.Usual]
	s.Blocks = []page.Block{
		{Paragraph: "Each bit of a fingerprint is the sign of a sum of weights. Where the sum is close to zero, a small change of the vector turns the bit: of near-duplicates mostly such bits differ. " +
			"A fingerprint does not tell which these are, but a query that was just made still has its sums. It can leave its least sure bits out of the comparison, and find more; " +
			"or weigh each bit that differs by its sum, and estimate the cosine better. More bits left out let more strangers pass, so the fair comparison is not with the same k but with the k that lets as many pass."},
	}
	if found.Answer.Words != "" {
		s.Blocks = append(s.Blocks, page.Block{Callout: page.Words("<strong>%s</strong>", whole(found.Answer.Words)) + r.from(found.Answer.Rows...)})
	}
	s.Blocks = append(s.Blocks, page.Block{Heading: sentence(usual.Vectors())})
	s.Blocks = append(s.Blocks, unsurePictures("unsure-1", usual)...)
	for _, said := range []struct {
		heading string
		list    []advice.Statement
	}{{"Where it fails", found.Fails}, {"Where it holds", found.Holds}} {
		if list := r.statements(said.list); len(list) > 0 {
			s.Blocks = append(s.Blocks, page.Block{Heading: said.heading}, page.Block{List: list})
		}
	}
	var others []page.Block
	t := unsureTable()
	for i, u := range r.unsureKinds {
		if pictures := unsurePictures(fmt.Sprintf("unsure-%d", i+2), u); u != usual && len(pictures) > 0 {
			others = append(append(others, page.Block{Heading: unsureName(u)}), pictures...)
		}
		r.unsureRows(t, u)
	}
	if len(others) > 0 {
		s.Blocks = append(s.Blocks, page.Block{Details: &page.Details{Summary: "Vectors of other kinds", Blocks: others}})
	}
	s.Blocks = append(s.Blocks, numbers(t))
	return s
}

// statements are items of a list, each with the rows that it is by.
func (r *report) statements(list []advice.Statement) (items []template.HTML) {
	for _, said := range list {
		items = append(items, page.Words("%s", whole(sentence(said.Words)))+r.from(said.Rows...))
	}
	return items
}

// whole keeps "k = 3" on one line.
func whole(words string) string {
	const space = "\u00a0" // which does not break
	return strings.ReplaceAll(words, "k = ", "k"+space+"="+space)
}

// unsureName says what vectors and fingerprints rows are about.
func unsureName(u *advice.Unsure) string {
	return sentence(fmt.Sprintf("%s, %s bits of %s", u.Vectors(), u.Bits, u.Hash))
}

// wayName is what a way to search is called.
func wayName(w advice.UnsureWay) string {
	switch {
	case w.Masks != "":
		return fmt.Sprintf("k = %s, %s + %s ignored", w.K, w.Ignored, w.Ignored)
	case w.Ignored != "":
		return fmt.Sprintf("k = %s, %s ignored", w.K, w.Ignored)
	}
	return "k = " + w.K
}

func unsureTable() *page.Table {
	return &page.Table{
		Caption: "Part of the pairs of a cosine that is found; how many unrelated vectors are; and errors of estimated cosines, root of the mean square and mean",
		Columns: []page.Column{{Title: "vectors"}, {Title: "cosine", Class: "number"}, {Title: "search or estimate"}, {Title: "found", Class: "number"}, {Title: "strangers", Class: "number"},
			{Title: "error", Class: "number"}, {Title: "bias", Class: "number"}, {Title: "row", Class: "row"}},
	}
}

// unsureRows adds the figures of one kind of vectors to the table.
func (r *report) unsureRows(t *page.Table, u *advice.Unsure) {
	vectors := page.Words("%s", unsureName(u))
	for _, way := range []advice.UnsureWay{u.Few, u.Plain, u.Masked, u.Both} {
		if strangers, row, ok := u.Strangers(way); ok {
			t.Add(vectors, none, page.Words("%s", wayName(way)), none, template.HTML(number(strangers)), none, none, r.row(row))
		}
		for _, cosine := range u.Cosines {
			if found, row, ok := u.Found(way, cosine); ok {
				t.Add(vectors, page.Words("%s", cosine), page.Words("%s", wayName(way)), template.HTML(number(found)), none, none, none, r.row(row))
			}
		}
	}
	for _, by := range []string{terms.ByDistance, terms.BySums} {
		for _, cosine := range u.Cosines {
			if _, row, ok := u.Error(terms.CosineRMSE, by, cosine); ok {
				t.Add(vectors, page.Words("%s", cosine), page.Words("by %s", by), none, none, cellNumber(row, terms.CosineRMSE), cellNumber(row, terms.CosineBias), r.row(row))
			}
		}
	}
}

// unsurePictures draws what is found, and how far estimates are off, against the cosine. There is
// no line in a single cosine.
func unsurePictures(id string, u *advice.Unsure) []page.Block {
	if len(u.Cosines) < 2 {
		return nil
	}
	found, errors := unsureLines{u: u}, unsureLines{u: u}
	for i, way := range []advice.UnsureWay{u.Few, u.Plain, u.Masked} {
		found.add(wayName(way), i, func(cosine string) (float64, bool) {
			v, _, ok := u.Found(way, cosine)
			return v, ok
		})
	}
	for i, by := range []string{terms.ByDistance, terms.BySums} {
		errors.add("by "+by, i+1, func(cosine string) (float64, bool) {
			v, _, ok := u.Error(terms.CosineRMSE, by, cosine)
			return v, ok
		})
	}
	var figures []page.Figure
	for _, f := range []struct {
		id, title, words string
		axis             chart.Axis
		unsureLines
	}{
		{id + "-recall", "Pairs that are found", whole("Part of all pairs of a cosine. Plain k = " + u.Plain.K + " is the fair comparison with " + u.Masked.Ignored + " bits ignored"),
			chart.Axis{Title: "part that is found", Max: 1, Every: 0.25}, found},
		{id + "-error", "Error of the estimated cosine", "Root of the mean square", chart.FromZero("error of the cosine", errors.values...), errors},
	} {
		if len(f.series) > 0 {
			figures = append(figures, page.Figure{Forms: []template.HTML{f.draw(f.id, f.title, f.axis)}, Caption: page.Words("<strong>%s</strong> %s.", f.title, f.words)})
		}
	}
	if len(figures) == 0 {
		return nil
	}
	return []page.Block{{Pictures: &page.Pictures{Layout: page.Pairs, Figures: figures}}}
}

// unsureLines are the lines of one picture.
type unsureLines struct {
	u      *advice.Unsure
	series []chart.Series
	values []float64
}

// add adds a line, where there is a figure.
func (l *unsureLines) add(name string, ink int, of func(cosine string) (float64, bool)) {
	line := chart.Series{Name: name, Ink: chart.SeriesInk(ink), Marked: true}
	for _, cosine := range slices.Backward(l.u.Cosines) { // from left to right
		x, err := strconv.ParseFloat(cosine, 64)
		if y, ok := of(cosine); ok && err == nil && x >= -1 && x <= 1 {
			line.Points = append(line.Points, chart.Point{X: x, Y: y})
			l.values = append(l.values, y)
		}
	}
	if len(line.Points) > 0 {
		l.series = append(l.series, line)
	}
}

func (l unsureLines) draw(id, title string, y chart.Axis) template.HTML {
	var names []string
	least := 1.0
	for _, s := range l.series {
		names = append(names, s.Name)
		for _, p := range s.Points {
			least = min(least, p.X)
		}
	}
	const every = 0.05
	from := math.Floor(least/every+1e-9) * every
	return chart.Lines{
		Frame: chart.Frame{
			ID: id, Title: title + ", by the cosine",
			Description: fmt.Sprintf("Lines for %s over cosines from %s; from %s to %s.", strings.Join(names, ", "), number(least), number(slices.Min(l.values)), number(slices.Max(l.values))),
		},
		X:      chart.Axis{Title: "cosine of the vectors", Min: from, Max: 1, Every: max(every, chart.Step(1-from, 5))},
		Y:      y,
		Series: l.series, Named: true,
	}.SVG(medium, "")
}
