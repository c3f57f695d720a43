package bench

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

// cellPart selects cells of all hashes on some patterns with some kinds of weights.
type cellPart struct {
	encodings []fphash.Encoding
	patterns  []quality.Pattern
	weights   []string
	sketch    string   // what hashes are judged for; "" is simhash
	full      bool     // also at the larger size of the sketch
	methods   []string // judge these ways to sketch instead of the hashes
}

// cells lists the cells to compute, without duplicates, grouped by workload. There are none if
// Kernels is set.
func (o Options) cells() (cells []Cell, err error) {
	if len(o.Kernels) > 0 {
		return nil, nil
	}
	var families []fphash.Family
	for _, name := range choose(o.Hashes, familyNames()) {
		if name == mapHashName { // its codes differ in every process
			continue
		}
		family, err := fphash.Lookup(name)
		if err != nil {
			return nil, err
		}
		families = append(families, family)
	}
	seen := map[string]bool{}
	put := func(c Cell) {
		c.name(o.Data)
		if name := c.Name.String(); !seen[name] && o.Matches(name) {
			seen[name] = true
			cells = append(cells, c)
		}
	}
	suite, _ := suiteOf(o.Suite)
	for _, p := range suite.cells(o) {
		for _, pattern := range o.patterns(p.patterns) {
			for _, weights := range o.kinds(p.weights, pattern) {
				for _, size := range p.sizes(pattern) {
					for _, method := range p.methods {
						put(Cell{method: method, bits: 64, pattern: pattern, weights: weights})
					}
					for _, family := range families {
						if len(p.methods) > 0 || family.Integer && terms.OfStrings(string(pattern)) || p.sketch == terms.MinHash && (family.Bits < 64 || weights != datasets.Unit) {
							continue
						}
						for _, c := range o.ofFamily(family, choose(o.Encodings, p.encodings)) {
							c.pattern, c.weights, c.sketch, c.size = pattern, weights, p.sketch, size
							put(c)
						}
					}
				}
			}
		}
	}
	return cells, nil
}

// sizes returns the sizes of sketches at which hashes are judged; 0 is the width of the hash.
// Patterns with few keys have too few collisions in many buckets.
func (p cellPart) sizes(pattern quality.Pattern) []int {
	switch {
	case p.sketch == "":
		return []int{0}
	case p.sketch == terms.Hashing && p.full && pattern != quality.Dense1e3 && pattern != quality.Pow2:
		return quality.HashingSizes
	}
	return []int{quality.DefaultSize(p.sketch)}
}

// ofFamily returns a cell for each encoding and width of a hash, without pattern and weights.
func (o Options) ofFamily(family fphash.Family, encodings []fphash.Encoding) (cells []Cell) {
	for _, encoding := range encodings {
		for _, bits := range choose(o.Bits, []int{min(64, family.Bits)}) {
			if widen, ok := widening(family, bits, o.Widen); ok && (!family.Integer || encoding == fphash.LE64) {
				cells = append(cells, Cell{family: family, encoding: encoding, widen: widen, bits: bits})
			}
		}
	}
	return cells
}

// patterns returns the requested patterns, or usual if there is no request. Parts on a data set
// keep only quality.Data; other parts drop it.
func (o Options) patterns(usual []quality.Pattern) []quality.Pattern {
	if len(o.Patterns) == 0 {
		return usual
	}
	onData := slices.Contains(usual, quality.Data)
	return slices.DeleteFunc(slices.Clone(o.Patterns), func(p quality.Pattern) bool { return (p == quality.Data) != onData })
}

// kinds returns the requested kinds of weights that exist for the pattern, or usual if there is no
// request.
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

// QualityWeights returns the names of the kinds of generated weights.
func QualityWeights() []string {
	return namesOf(quality.AllWeights(), func(w quality.Weights) string { return string(w) })
}

func (c *Cell) name(data string) {
	widen := ""
	if c.widen != fphash.WidenNone {
		widen = c.widen.String()
	}
	if c.pattern != quality.Data {
		data = ""
	}
	hash, encoding, buckets, bits := c.family.Name, c.encoding.String(), "", c.bits
	if terms.OfStrings(string(c.pattern)) || c.method != "" {
		encoding = ""
	}
	switch c.sketch {
	case terms.MinHash:
		bits = c.size
	case terms.Hashing:
		buckets = strconv.Itoa(c.size)
	}
	c.Name = benchname.New(terms.Quality, "hash", hash, "method", c.method, "encoding", encoding, "pattern", string(c.pattern), "weights", c.weights,
		"widen", widen, "data", data, "sketch", c.sketch, "buckets", buckets, "f", strconv.Itoa(bits))
}

// Cell is a measurement of the quality of a hash with an encoding, on one pattern of indices and
// one kind of weights.
type Cell struct {
	Name benchname.Name

	family   fphash.Family
	encoding fphash.Encoding
	widen    fphash.Widen
	bits     int
	pattern  quality.Pattern
	weights  string // a quality.Weights; for the pattern quality.Data, unit or f32
	sketch   string // what the hash is judged for; "" is simhash
	size     int    // of the sketch, unless that is the width of the hash
	method   string // a way to sketch, judged instead of a hash
}

// ResultRows returns the rows of results that belong to no suite.
func ResultRows(results []*quality.Result) (rows []resultfile.Row) {
	for _, r := range results {
		sketch, buckets, bits := r.Sketch, "", strconv.Itoa(r.Bits)
		switch sketch {
		case terms.SimHash:
			sketch = ""
		case terms.Hashing:
			buckets, bits = bits, "64"
		}
		name := benchname.New(terms.Quality, "hash", r.Hash, "encoding", r.Encoding, "pattern", r.Pattern, "weights", r.Weights, "sketch", sketch, "buckets", buckets, "f", bits)
		rows = append(rows, qualityRows(name, r)...)
	}
	return rows
}

// qualityRows returns the rows of a result. Undefined values are left out.
func qualityRows(name benchname.Name, r *quality.Result) (rows []resultfile.Row) {
	add := func(unit string, value float64) {
		if !math.IsNaN(value) && !math.IsInf(value, 0) {
			rows = append(rows, resultfile.Row{Name: name.String(), Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
		}
	}
	use := terms.UseOf(r.Sketch)
	for _, b := range []struct {
		quality.Band
		suffix string
	}{{r.All, ""}, {r.Cos90, use.Near}} {
		if b.Defined {
			add(use.Unit+b.suffix, b.Effective.Value)
			add(use.Unit+b.suffix+terms.Low, b.Effective.Low)
			add(use.Unit+b.suffix+terms.High, b.Effective.High)
			add(terms.Bias+b.suffix, b.Hash.Bias)
			add(terms.RMSE+b.suffix, b.Hash.RMSE)
			add(terms.VarianceRatio+b.suffix, b.VarianceRatio)
		}
	}
	if r.Bit.Tested {
		add(terms.ConstantBits, float64(len(r.Bit.Constant)))
		add(terms.CopiedBits, float64(len(r.Bit.Copied)))
	}
	if r.Bit.Codes > 0 {
		add(terms.Codes, float64(r.Bit.Codes))
	}
	if random := r.Bit.Random; random.Pairs > 0 {
		add(terms.UnrelatedMeanRatio, random.Mean/random.IdealMean)
		add(terms.UnrelatedVarianceRatio, random.Variance/random.IdealVariance)
	}
	add(terms.Verdict, float64(r.Verdict))
	add(terms.Keyings, float64(r.Keyings))
	add(terms.Pairs, float64(r.All.Pairs))
	add(terms.Pairs+use.Near, float64(r.Cos90.Pairs))
	return rows
}

// runCells computes the cells one by one, each with the given number of workers (0: one per
// processor). A cell that fails gets a row with an error; runCells fails only if ctx is cancelled.
func runCells(ctx context.Context, cells []Cell, in *Inputs, workers int, progress func(Progress)) (all []resultfile.Row, err error) {
	start := time.Now()
	var workload *quality.Workload
	var failed error // why there is no workload
	for i, c := range cells {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		p := Progress{Step: "quality", Case: i + 1, Cases: len(cells), Name: c.Name.String(), Elapsed: time.Since(start)}
		if i > 0 {
			p.Remaining = p.Elapsed / time.Duration(i) * time.Duration(len(cells)-i)
		}
		progress(p)
		if i == 0 || !c.sameWorkload(cells[i-1]) {
			workload, failed = c.workload(ctx, in)
		}
		rows, err := c.compute(workload, failed, workers)
		if err != nil {
			rows = []resultfile.Row{{Name: c.Name.String(), Unit: terms.UseOf(c.sketch).Unit, Err: err.Error()}}
		}
		all = append(all, rows...)
	}
	if err := context.Cause(ctx); err != nil { // the cancelled context may have made cells fail
		return nil, err
	}
	return all, nil
}

func (c Cell) sameWorkload(o Cell) bool {
	return c.pattern == o.pattern && c.weights == o.weights && c.sketch == o.sketch && c.size == o.size
}

func (c Cell) compute(w *quality.Workload, failed error, workers int) ([]resultfile.Row, error) {
	if failed != nil {
		return nil, failed
	}
	h, err := c.hash()
	if err != nil {
		return nil, err
	}
	r, err := w.Measure(h, workers)
	if err != nil {
		return nil, err
	}
	return qualityRows(c.Name, r), nil
}

func (c Cell) hash() (quality.Hash, error) {
	if c.method != "" {
		return methodHash(c.method), nil
	}
	if err := verifyFamily(c.family); err != nil {
		return quality.Hash{}, err
	}
	if keys := quality.KeysOf(c.pattern); keys != nil {
		return quality.OfListedKeys(c.family, c.bits, c.widen, keys)
	}
	return quality.OfFamily(c.family, c.encoding, c.bits, c.widen)
}

// workload returns the cell's workload. From a data set it uses all vectors, not only those that
// are timed.
func (c Cell) workload(ctx context.Context, in *Inputs) (*quality.Workload, error) {
	if c.pattern != quality.Data {
		return quality.Generate(c.options())
	}
	if in.Data == nil {
		return nil, errors.New("bench: there is no data set")
	}
	set, err := in.Data.Float32()
	if err != nil {
		return nil, err
	}
	if c.weights == datasets.Unit {
		set.Weights = nil
	}
	return quality.FromVectors(ctx, &set, c.options())
}

// moreKeyings is the number of keyings for many buckets, in which collisions are rare.
const moreKeyings = 400

func (c Cell) options() quality.WorkloadOptions {
	o := quality.WorkloadOptions{Pattern: c.pattern, Weights: quality.Weights(c.weights), Sketch: c.sketch, Size: c.size}
	if c.sketch == terms.Hashing && c.size > quality.DefaultSize(c.sketch) {
		o.Keyings = moreKeyings
	}
	return o
}
