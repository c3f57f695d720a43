package chart

import (
	"fmt"
	"html/template"
	"math"
)

// Map is a picture of the probabilities with which the bit of a column flips when that of a row
// does: nothing is drawn where they are near 1/2.
type Map struct {
	Frame
	Flips [][]float64 // row 0 stands at the top; rows are equally long
}

// LeastShown is the least deviation from 1/2 that a map shows: with 512 keys, chance alone goes as
// far about once in 10^8 pairs of bits.
const LeastShown = 0.125

// cuts are the deviations from 1/2 at which the shades begin.
var cuts = [...]float64{LeastShown, 0.2, 0.3, 0.4, 0.475}

// shade returns the ink for a probability, and false where it is near 1/2.
func shade(p float64) (Ink, bool) {
	level := -1
	for level+1 < len(cuts) && math.Abs(p-0.5) >= cuts[level+1] {
		level++
	}
	switch {
	case level < 0:
		return 0, false
	case p < 0.5:
		return Seldom1 + Ink(level), true
	}
	return Often1 + Ink(level), true
}

// SVG draws one pixel for each probability.
func (m Map) SVG(class string) template.HTML {
	height, columns := len(m.Flips), 0
	for _, row := range m.Flips {
		columns = max(columns, len(row))
	}
	return m.svg(Size{float64(max(columns, 1)), float64(max(height, 1))}, class, func(c *canvas) {
		var areas [inks][]byte
		for r, row := range m.Flips {
			for from := 0; from < len(row); {
				ink, ok := shade(row[from])
				to := from + 1
				for to < len(row) {
					if next, also := shade(row[to]); next != ink || also != ok {
						break
					}
					to++
				}
				if ok {
					areas[ink] = fmt.Appendf(areas[ink], "M%d,%dh%dv1h%dz", from, r, to-from, from-to)
				}
				from = to
			}
		}
		for ink, area := range areas {
			if area != nil {
				c.path(string(area), Ink(ink).fill())
			}
		}
	})
}
