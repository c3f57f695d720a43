package join

// crowd is a dense bucket whose groups are being joined: entries by their places in the bucket.
type crowd struct {
	largest uint32 // the first of a group
	inside  part   // what was in that group when it was separated
	outside part   // all others, also those that have joined it since
	done    []bool // rows that have been compared
	at      int    // in outside: the next row
}

// part is some entries of a bucket.
type part struct {
	entries []uint32
	screens []uint32
}

func (p *part) add(entry, screen uint32) {
	p.entries, p.screens = append(p.entries, entry), append(p.screens, screen)
}

func (p *part) clear() { p.entries, p.screens = p.entries[:0], p.screens[:0] }

// begin forgets the bucket before.
func (c *crowd) begin(n int) {
	if cap(c.done) < n {
		c.done = make([]bool, n)
	}
	c.done = c.done[:n]
	clear(c.done)
	c.inside.clear()
	c.outside.clear()
}

// separate tells those of a group from all others. Whoever was compared before needs not be again,
// whichever group that was with: all that it is near is in its own group.
func (c *crowd) separate(w *worker, depth, from int, largest uint32) {
	l, root := w.levels[depth], w.trees.find(largest)
	among := c.outside
	if first := len(among.entries)+len(c.inside.entries) == 0; first || w.trees.find(c.largest) != root {
		c.inside.clear()
		c.outside.clear()
		for i := range c.done {
			c.outside.add(uint32(i), l.screens[from+i])
		}
		among = c.outside
	}
	c.largest, c.at = largest, 0
	c.outside.clear() // and filled again behind what is read
	for i, entry := range among.entries {
		p := &c.outside
		if w.root(depth, l.up[from+int(entry)]) == root {
			p = &c.inside
		}
		p.add(entry, among.screens[i])
	}
}

// next returns the next row that is outside and was not compared.
func (c *crowd) next(w *worker, depth, from int) (row uint32, ok bool) {
	for c.at < len(c.outside.entries) {
		row = c.outside.entries[c.at]
		c.at++
		if !c.done[row] && !w.inLargest(depth, from, row) {
			c.done[row] = true
			return row, true
		}
	}
	return 0, false
}

func (c *crowd) shareOutside() float64 {
	return float64(len(c.outside.entries)) / float64(len(c.done))
}
