package chart

import (
	"fmt"
	"html/template"
)

// Sizes of text, in the pixels of the picture.
const (
	labelSize = 12
	tickSize  = 11
)

// The part of a text that stands on the left of its place.
const atLeft, atMiddle, atRight = 0.0, 0.5, 1.0

// write writes words with their middle at the height y. They are as wide as [width] says: a browser
// with a wider or a narrower font fits it in. What would leave the picture at a side is moved in.
func (c *canvas) write(size float64, ink Ink, align, x, y float64, words string) {
	if words == "" {
		return
	}
	const edge = 2 // a browser may be wrong by a pixel
	wide := min(width(size, words), c.Width-2*edge)
	x = max(edge, min(x-align*wide, c.Width-edge-wide))
	fmt.Fprintf(&c.words, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs" style="font-size:%gpx;%s">%s</text>`+"\n",
		px(x), px(c.Height-y+size/3), px(wide), size, ink.fill(), template.HTMLEscapeString(words))
}

// widths are those of letters in Arial, Helvetica and Liberation Sans, in thousandths of the size.
var widths = func() map[rune]float64 {
	m := map[rune]float64{}
	for wide, letters := range map[float64]string{
		191: "'", 222: "ijl", 260: "|", 278: " !,.·/:;I[\\]ft", 333: "()-`r{}", 355: "\"", 389: "*", 400: "°", 469: "^",
		500: "Jcksvxyz", 549: "±≤≥", 584: "+<=>~−×", 611: "FTZ", 667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W", 1000: "…@",
	} {
		for _, r := range letters {
			m[r] = wide
		}
	}
	return m
}()

// width is how wide text is. Letters of other scripts count as the wide ones of Chinese.
func width(size float64, words string) float64 {
	sum := 0.0
	for _, r := range words {
		switch wide, known := widths[r]; {
		case known:
			sum += wide
		case r < 0x1100:
			sum += 556 // the digits and most small letters
		default:
			sum += 1000
		}
	}
	return sum * size / 1000
}

// shortened cuts out the middle of a label that has no room, since names of benchmarks differ at
// both ends.
func shortened(name string, room float64) string {
	if width(labelSize, name) <= room {
		return name
	}
	letters := []rune(name)
	for keep := len(letters) - 1; keep > 2; keep-- {
		head := keep / 2
		if s := string(letters[:head]) + "…" + string(letters[len(letters)-(keep-head):]); width(labelSize, s) <= room {
			return s
		}
	}
	return "…"
}
