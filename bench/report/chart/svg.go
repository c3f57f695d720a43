package chart

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Frame is what every picture has: an identifier that is unique in the page, what it shows in a few
// words, and what there is to see, for those who cannot.
type Frame struct {
	ID          string
	Title       string
	Description string
}

// Size is the size of a picture in CSS pixels, in which it is sharp and its text as large as the
// page's small print. A page may show it in another.
type Size struct{ Width, Height float64 }

// Sizes of text, in the same unit.
const (
	labelSize = 12
	tickSize  = 11
)

// svg runs the function on an empty canvas of that size and returns what it drew. Class is the
// picture's CSS class.
func (f Frame) svg(size Size, class string, paint func(draw.Canvas)) template.HTML {
	canvas := vgsvg.NewWith(vgsvg.UseWH(vg.Length(size.Width), vg.Length(size.Height)))
	paint(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		panic("chart: a buffer takes everything: " + err.Error())
	}
	_, body, ok := strings.Cut(out.String(), "\n<g ")
	if !ok {
		panic("chart: gonum's SVG does not begin as expected")
	}
	body = inkReplacer.Replace("<g " + body)
	body = fontStyle.ReplaceAllString(body, "$1")
	body = spaces.ReplaceAllString(body, " ")

	id := template.HTMLEscapeString(f.ID)
	head := fmt.Sprintf(`<svg class="%s" role="img" aria-labelledby="%s-title %s-desc" viewBox="0 0 %g %g"><title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`+"\n",
		class, id, id, size.Width, size.Height, id, template.HTMLEscapeString(f.Title), id, template.HTMLEscapeString(f.Description))
	return template.HTML(head + body)
}

var (
	// fontStyle finds the font of a text, which the page's style sets but for its weight and size.
	fontStyle = regexp.MustCompile(`font-family:[^;"<>]*;font-variant:[^;"<>]*;(?:font-weight:normal;|(font-weight:bold;))font-style:normal;`)
	spaces    = regexp.MustCompile(`\s*\n\s*`)
)

// style returns a style of text. Its metrics are those of Liberation Sans, which is as wide as
// Arial and Helvetica.
func style(size float64, ink Ink) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(size)},
		Handler: handler,
		XAlign:  draw.XLeft,
		YAlign:  draw.YCenter,
	}
}

// handler takes text as it is: no markup in what comes out of files.
var handler = text.Plain{Fonts: font.DefaultCache}

// room is how much more width text gets than its metrics say, since the font that a browser takes
// may run wider.
const room = 1.1

// width is how much space a text needs.
func width(s text.Style, words string) float64 { return room * s.Width(words).Points() }

// write writes words from x on to the right, with the middle of their small letters at y.
func write(c draw.Canvas, s text.Style, x, y vg.Length, words string) {
	c.FillText(s, vg.Point{X: x, Y: y + s.Font.Size/8}, words)
}
