package page

import (
	"fmt"
	"math"

	"simhashkit/results/measure/evidence"
)

// design is how a fingerprint of 64 bits is cut so that pairs within 3 share a key.
type design struct{ blocks, choose int }

var designs = []design{{4, 1}, {5, 2}, {6, 3}}

func (d design) String() string { return fmt.Sprintf("`--tables %d,%d`", d.blocks, d.choose) }

// tables is how many keys a fingerprint has.
func (d design) tables() float64 { return binomial(d.blocks, d.choose) }

// key is how many bits a key has, on average.
func (d design) key() float64 { return 64 * float64(d.choose) / float64(d.blocks) }

// keys is how many keys there are in a table.
func (d design) keys() float64 { return math.Exp2(d.key()) }

// size is how many of n random fingerprints are in a block.
func (d design) size(n float64) float64 { return n / d.keys() }

// pairs is how many of all pairs of n random fingerprints are in blocks.
func (d design) pairs(n float64) float64 { return d.tables() * n * n / 2 / d.keys() }

func binomial(n, k int) float64 {
	b := 1.0
	for i := range k {
		b = b * float64(n-i) / float64(i+1)
	}
	return b
}

// costs are nanoseconds of one core, of those that the filters were measured on with the most
// documents.
type costs struct {
	sketch, clusters float64 // of a document
	line             float64 // made, sorted and read
	bytes            float64 // of a line
	sizes            []int   // of blocks
	each             []float64
}

func (f figures) costs() (c costs, err error) {
	sizes := f.sizes("filters")
	if len(sizes) == 0 {
		return c, fmt.Errorf("there is nothing of the filters")
	}
	n := sizes[len(sizes)-1]
	cpu := func(stage string) float64 { return f.get("filters", stage, n, evidence.CPUNanosecondsPerOperation) }
	c.sizes, c.each = f.searched()
	lines := f.get("filters", "pairs", n, evidence.BlockLines)
	if lines == 0 || len(c.sizes) < 2 {
		return c, fmt.Errorf("there are no blocks of %d documents", n)
	}
	c.sketch, c.clusters = cpu("sketch")/float64(n), cpu("clusters-of-pairs")/float64(n)
	c.line = (cpu("blocks")+cpu("sort")+cpu("pairs"))/lines - c.search(designs[0].size(float64(n)))
	c.bytes = f.get("filters", "blocks", n, evidence.WrittenBytes) / lines
	return c, nil
}

// search is what the search of a block takes for each of its fingerprints, between the sizes that
// were measured in proportion to their logarithms.
func (c costs) search(size float64) float64 {
	last := len(c.sizes) - 1
	if size <= float64(c.sizes[0]) {
		return c.each[0] * size / float64(c.sizes[0])
	}
	for i := range last {
		a, b := float64(c.sizes[i]), float64(c.sizes[i+1])
		if size <= b {
			x := math.Log(size/a) / math.Log(b/a)
			return c.each[i] + x*(c.each[i+1]-c.each[i])
		}
	}
	return c.each[last]
}

// pairsOf is what n fingerprints take, from their keys to pairs.
func (c costs) pairsOf(n float64, d design) float64 {
	return n * d.tables() * (c.line + c.search(d.size(n)))
}

// designTable has what each design takes.
func designTable(f figures) (string, error) {
	c, err := f.costs()
	if err != nil {
		return "", err
	}
	var t table
	head := []string{"core hours from fingerprints to pairs; bytes that go to others; fingerprints in a block"}
	for _, d := range designs {
		head = append(head, fmt.Sprintf("%s: %.0f keys of %.3g bits", d, d.tables(), d.key()))
	}
	t.row(head...)
	for _, n := range []float64{1e7, 1e8, 1e9, 8e9} {
		cells := []string{count(n)}
		for _, d := range designs {
			cells = append(cells, fmt.Sprintf("%s; %s; %s", short(c.pairsOf(n, d)/3.6e12), memory(n*d.tables()*c.bytes), short(d.size(n))))
		}
		t.row(cells...)
	}
	return t.text.String(), nil
}

// The cluster of the forecast.
const (
	machines = 20
	cores    = 32     // of each
	network  = 1.25e9 // bytes a second, of each
)

// clusterTable has what stages take on the cluster at best: no core waits for another.
func clusterTable(f figures) (string, error) {
	c, err := f.costs()
	if err != nil {
		return "", err
	}
	var t table
	t.row("stage", "10^9, core hours", "the cluster", "8·10^9, core hours", "the cluster")
	stage := func(name string, core, bytes func(n float64) float64, workers float64) {
		cells := []string{name}
		for _, n := range []float64{1e9, 8e9} {
			time := max(core(n)/workers, bytes(n)/(machines*network)*1e9)
			cells = append(cells, short(core(n)/3.6e12), duration(time))
		}
		t.row(cells...)
	}
	none := func(float64) float64 { return 0 }
	stage("documents of 1.2 kB to fingerprints", func(n float64) float64 { return n * c.sketch }, func(n float64) float64 { return n * 1200 }, machines*cores)
	stage("keys, shuffle, pairs", func(n float64) float64 { return c.pairsOf(n, designs[0]) }, func(n float64) float64 { return n * designs[0].tables() * c.bytes }, machines*cores)
	stage("clusters of the pairs, in one process", func(n float64) float64 { return n * c.clusters }, none, 1)
	return t.text.String(), nil
}

// strangerTable has how many pairs of random fingerprints are near each other by chance.
func strangerTable() string {
	var t table
	ks := []int{3, 4, 5, 6, 7, 8}
	head := []string{"pairs of strangers within k of 64 bits"}
	for _, k := range ks {
		head = append(head, fmt.Sprintf("k = %d", k))
	}
	t.row(head...)
	for _, n := range []float64{1e6, 1e7, 1e8, 1e9, 8e9} {
		cells := []string{count(n)}
		for _, k := range ks {
			within := 0.0
			for i := range k + 1 {
				within += binomial(64, i)
			}
			cells = append(cells, short(n*n/2*within*math.Exp2(-64)))
		}
		t.row(cells...)
	}
	return t.text.String()
}
