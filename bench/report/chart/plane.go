package chart

// plane is the part of a picture that its axes span.
type plane struct {
	*canvas
	box
	x, y Axis
}

// at returns the place of a pair of values.
func (p plane) at(v Point) Point {
	return Point{p.x.place(v.X, p.left, p.right), p.y.place(v.Y, p.bottom, p.top)}
}

// plane draws the axes with lines at the ticks, as wide as their labels and the room on the right
// allow. The title of the y axis is level, above it, since one on its side is hard to read. Labels
// of ticks for which there is no room are left out.
func (c *canvas) plane(x, y Axis, right float64) plane {
	xs, ys := x.Ticks(), y.Ticks()
	p := plane{canvas: c, box: box{8, 22, c.Width - right, c.Height - 24}, x: x, y: y}
	for _, t := range ys {
		p.left = max(p.left, width(tickSize, t.Label)+8)
	}
	if n := len(xs); n > 0 {
		p.right = min(p.right, c.Width-width(tickSize, xs[n-1].Label)/2)
	}
	c.write(labelSize, Text, atLeft, 4, c.Height-9, y.Title)
	if x.Title != "" {
		p.bottom += labelSize + 3
		c.write(labelSize, Text, atMiddle, (p.left+p.right)/2, 9, x.Title)
	}
	free := -p.Width
	for _, t := range xs {
		at, half := x.place(t.Value, p.left, p.right), width(tickSize, t.Label)/2
		c.line(Grid, 1, "", Point{at, p.bottom}, Point{at, p.top})
		if at-half >= free {
			c.write(tickSize, Muted, atMiddle, at, p.bottom-13, t.Label)
			free = at + half + 4
		}
	}
	free = 0
	for _, t := range ys {
		at := y.place(t.Value, p.bottom, p.top)
		c.line(Grid, 1, "", Point{p.left, at}, Point{p.right, at})
		if at >= free {
			c.write(tickSize, Muted, atRight, p.left-4, at, t.Label)
			free = at + tickSize
		}
	}
	return p
}
