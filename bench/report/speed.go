package report

import (
	"slices"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/report/chart"
	"simhashkit/bench/report/rows"
)

// speeds are the times of hashes that may be compared: measured in one run, the same thing with
// each, each with its best kernel.
type speeds struct {
	what string // what was measured
	unit string
	of   map[[2]string]rows.Cell // by hash and encoding
}

// cost returns the time of a choice.
func (s speeds) cost(c *choice) (rows.Figure, rows.Cell, bool) {
	cell, ok := s.of[[2]string{c.hash, c.encoding}]
	if !ok {
		return rows.Figure{}, cell, false
	}
	f, ok := cell.Get(s.unit)
	return f, cell, ok
}

// speeds returns the machine's times for the choices: of whole sketches or of hashing alone,
// whichever was measured for more of the choices in one run; sketches if both were for as many.
func (r *report) speeds(m rows.Machine) speeds {
	var best speeds
	most := 0
	for _, base := range []struct{ name, unit string }{{"Hash", "ns/key"}, {"Sketch", "ns/nnz"}} {
		for _, run := range m.Runs(base.name) {
			var order []string
			groups := map[string]speeds{}
			for _, c := range run {
				key := group(c.Name, "hash", "encoding", "kernel")
				if !r.comparable(c, base.unit) {
					continue
				}
				if _, ok := groups[key]; !ok {
					order = append(order, key)
					groups[key] = speeds{what: measured(c.Name), unit: base.unit, of: map[[2]string]rows.Cell{}}
				}
				groups[key].keepFaster(c)
			}
			for _, key := range order {
				if n := r.covered(groups[key]); n > 0 && n >= most {
					best, most = groups[key], n
				}
			}
		}
	}
	return best
}

// comparable reports whether a time is one of this width, by a kernel that somebody would use, on
// one core.
func (r *report) comparable(c rows.Cell, unit string) bool {
	f, ok := c.Get(unit)
	width := c.Name.Get("f")
	return ok && chart.OnLog(f.Value) && c.Name.Get("kernel") != "naive" && c.Name.Get("cpus") == "" && (width == "" || width == r.bits)
}

func (s speeds) keepFaster(c rows.Cell) {
	key := [2]string{c.Name.Get("hash"), c.Encoding()}
	f, _ := c.Get(s.unit)
	if former, ok := s.of[key]; ok {
		if g, _ := former.Get(s.unit); g.Value <= f.Value {
			return
		}
	}
	s.of[key] = c
}

// covered counts the choices whose time there is.
func (r *report) covered(s speeds) int {
	n := 0
	for _, c := range r.choices {
		if _, _, ok := s.cost(c); ok {
			n++
		}
	}
	return n
}

// group returns a name without these keys.
func group(n benchname.Name, without ...string) string {
	n.Keys = slices.DeleteFunc(slices.Clone(n.Keys), func(k benchname.Key) bool { return slices.Contains(without, k.Key) })
	return n.String()
}

// measured says in words what the benchmark of a hash measures.
func measured(n benchname.Name) string {
	if n.Base == "Hash" {
		return "hashing alone, " + n.Get("n") + " keys at a time"
	}
	vectors := n.Get("data")
	if vectors == "" {
		vectors = n.Get("nnz") + " features"
	}
	return "whole sketch, " + n.Get("weights") + " weights, vectors: " + vectors
}
