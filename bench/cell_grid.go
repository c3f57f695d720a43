package bench

import (
	"slices"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/quality"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// cellPart is a part of the grid of cells: all combinations of its lists.
type cellPart struct {
	hashes    []string
	encodings []fphash.Encoding
	patterns  []quality.Pattern
	weights   []string
	bits      []int // none: 64, or the hash's own width where that is less
}

// cells lists the cells that the options choose, every name once. A choice of kernels leaves them
// out: no figure depends on the kernel.
func (o Options) cells() ([]Cell, error) {
	if len(o.Kernels) > 0 {
		return nil, nil
	}
	var cells []Cell
	seen := map[string]bool{}
	for _, p := range o.cellParts() {
		p.hashes, p.encodings, p.bits = choose(o.Hashes, p.hashes), choose(o.Encodings, p.encodings), o.widths(p.bits)
		p.patterns = o.patterns(p.patterns)
		list, err := p.cells(o)
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if name := c.Name.String(); !seen[name] && o.Matches(name) {
				seen[name] = true
				cells = append(cells, c)
			}
		}
	}
	return cells, nil
}

func (o Options) widths(usual []int) []int {
	if len(o.Bits) > 0 {
		return o.Bits
	}
	return usual
}

// patterns returns the requested generated patterns of a part that has some. A part on data stays
// as it is, or becomes empty.
func (o Options) patterns(usual []quality.Pattern) []quality.Pattern {
	if len(o.Patterns) == 0 {
		return usual
	}
	onData := slices.Contains(usual, quality.Data)
	return slices.DeleteFunc(slices.Clone(o.Patterns), func(p quality.Pattern) bool { return (p == quality.Data) != onData })
}

// cells returns the part's, those of one workload side by side.
func (p cellPart) cells(o Options) (cells []Cell, err error) {
	var workloads []Cell
	for _, pattern := range p.patterns {
		for _, weights := range o.kinds(p.weights, pattern) {
			workloads = append(workloads, Cell{pattern: pattern, weights: weights})
		}
	}
	for _, w := range workloads {
		for _, name := range p.hashes {
			if name == mapHashName { // its quality would be another one in every run
				continue
			}
			family, err := fphash.Lookup(name)
			if err != nil {
				return nil, err
			}
			cells = append(cells, p.ofFamily(w, family, o)...)
		}
	}
	return cells, nil
}

// ofFamily returns the cells of a family on one workload.
func (p cellPart) ofFamily(c Cell, family fphash.Family, o Options) (cells []Cell) {
	widths := p.bits
	if len(widths) == 0 {
		widths = []int{min(64, family.Bits)}
	}
	for _, encoding := range p.encodings {
		if family.Integer && encoding != fphash.LE64 {
			continue
		}
		for _, bits := range widths {
			c.family, c.encoding, c.bits = family, encoding, bits
			var ok bool
			if c.widen, ok = widening(family, bits, o.Widen); ok {
				c.name(o.Data)
				cells = append(cells, c)
			}
		}
	}
	return cells
}

// kinds returns the kinds of weights of a part. Of those that the options ask for, it returns the
// ones that exist with the pattern.
func (o Options) kinds(usual []string, pattern quality.Pattern) []string {
	if len(o.Weights) == 0 {
		return usual
	}
	known := []string{datasets.Unit, datasets.Float32}
	if pattern != quality.Data {
		known = QualityWeights()
	}
	return slices.DeleteFunc(slices.Clone(o.Weights), func(w string) bool { return !slices.Contains(known, w) })
}

// QualityWeights returns the names of the kinds of weights of generated patterns.
func QualityWeights() []string {
	var names []string
	for _, w := range quality.AllWeights() {
		names = append(names, string(w))
	}
	return names
}

func (c *Cell) name(data string) {
	widen := ""
	if c.widen != fphash.WidenNone {
		widen = c.widen.String()
	}
	if c.pattern != quality.Data {
		data = ""
	}
	c.Name = benchname.New(terms.Quality, "hash", c.family.Name, "encoding", c.encoding.String(), "pattern", string(c.pattern), "weights", c.weights,
		"widen", widen, "data", data, "f", strconv.Itoa(c.bits))
}

// Cell is one quality to be computed: a hash under an encoding, on vectors with a pattern of
// indices and a kind of weights.
type Cell struct {
	Name benchname.Name

	family   fphash.Family
	encoding fphash.Encoding
	widen    fphash.Widen
	bits     int
	pattern  quality.Pattern
	weights  string // a kind of package quality; with the pattern data unit or f32
}

// key names the workload of the cell.
func (c Cell) key() string { return string(c.pattern) + " " + c.weights }
