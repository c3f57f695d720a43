package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
)

// design is how a fingerprint of 64 bits is cut so that pairs within 3 share a key: those of Manku,
// Jain and Das Sarma (2007, section 3).
type design struct{ blocks, choose int }

var designs = []design{{4, 1}, {5, 2}, {6, 3}}

func (d design) String() string { return fmt.Sprintf("%d,%d", d.blocks, d.choose) }

// tables is how many keys a fingerprint has.
func (d design) tables() float64 {
	t := 1.0
	for i := range d.choose {
		t = t * float64(d.blocks-i) / float64(i+1)
	}
	return t
}

// keys is how many keys there are in a table.
func (d design) keys() float64 { return math.Exp2(64 * float64(d.choose) / float64(d.blocks)) }

// size is how many of n random fingerprints are in a block.
func (d design) size(n float64) float64 { return n / d.keys() }

// costs are nanoseconds of one core, of those that the filters were measured on with the most
// documents.
type costs struct {
	sketch, clusters float64 // of a document
	line             float64 // made, sorted and read
	bytes            float64 // of a line
	sizes            []float64
	each             []float64 // of a fingerprint in a block of that size
}

func costsOf(rows []resultfile.Summary) (c costs, err error) {
	most := 0.0
	figures := map[string]float64{}
	for _, r := range rows {
		n, err := strconv.ParseFloat(r.Name.Get("n"), 64)
		if err != nil || r.Err != "" {
			continue
		}
		switch {
		case r.Name.Base == evidence.BlockSearch:
			c.sizes, c.each = append(c.sizes, n), append(c.each, r.Median/n)
		case r.Name.Base == evidence.Road && r.Name.Get("road") == "filters" && n >= most:
			most = n
			figures[r.Name.Get("stage")+" "+r.Unit] = r.Median
		}
	}
	cpu := func(stage string) float64 { return figures[stage+" "+evidence.CPUNanosecondsPerOperation] }
	lines := figures["pairs "+evidence.BlockLines]
	if lines == 0 || len(c.sizes) < 2 {
		return c, errors.New("expected blocks of the filters and searches of blocks")
	}
	c.sketch, c.clusters = cpu("sketch")/most, cpu("clusters-of-pairs")/most
	c.line = (cpu("blocks")+cpu("sort")+cpu("pairs"))/lines - c.search(designs[0].size(most))
	c.bytes = figures["blocks "+evidence.WrittenBytes] / lines
	return c, nil
}

// search is what the search of a block takes for each of its fingerprints, between the sizes that
// were measured in proportion to their logarithms.
func (c costs) search(size float64) float64 {
	if size <= c.sizes[0] {
		return c.each[0] * size / c.sizes[0]
	}
	for i := range len(c.sizes) - 1 {
		a, b := c.sizes[i], c.sizes[i+1]
		if size <= b {
			x := math.Log(size/a) / math.Log(b/a)
			return c.each[i] + x*(c.each[i+1]-c.each[i])
		}
	}
	return c.each[len(c.each)-1]
}

// pairsOf is what n fingerprints take, from their keys to pairs.
func (c costs) pairsOf(n float64, d design) float64 {
	return n * d.tables() * (c.line + c.search(d.size(n)))
}
