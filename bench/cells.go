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

// cell is a measurement of the quality of a hash with an encoding, or of a way to sketch, on one
// pattern of indices and one kind of weights.
type cell struct {
	Name benchname.Name

	workload quality.WorkloadOptions // for the pattern "data", Weights is unit or f32
	hash     func() (quality.Hash, error)
}

// qualityOf judges hashes on each pattern with each kind of weights. There are no cells if
// Options.Kernels is set.
type qualityOf struct {
	encodings []fphash.Encoding
	patterns  []string
	weights   []string
	sketch    string // what hashes are judged for; "" is simhash
	large     bool   // also with the larger number of buckets
}

func (p qualityOf) addTo(g *grid) error {
	families, err := g.families(familyNames())
	if err != nil || len(g.Kernels) > 0 {
		return err
	}
	for _, w := range g.workloads(p.patterns, p.weights) {
		w.Sketch = p.sketch
		for _, w.Size = range p.sizes(w.Pattern) {
			if w.Size > terms.Size(p.sketch) {
				w.Keyings = moreKeyings
			}
			for _, family := range families {
				if family.Name == mapHashName || p.sketch == terms.MinHash && (family.Bits < 64 || w.Weights != terms.Unit) {
					continue // the codes of maphash differ in every process
				}
				for _, encoding := range choose(g.Encodings, p.encodings) {
					if family.Integer && (encoding != fphash.LE64 || terms.OfStrings(w.Pattern)) {
						continue
					}
					for _, bits := range choose(g.Bits, []int{min(64, family.Bits)}) {
						if bits <= family.Bits {
							g.putCell(w, "hash", family.Name, encoding.String(), bits, func() (quality.Hash, error) { return judged(family, encoding, bits, w.Pattern) })
						}
					}
				}
			}
		}
	}
	return nil
}

// moreKeyings is the number of keyings for many buckets, in which collisions are rare.
const moreKeyings = 400

// sizes returns the sizes of sketches at which hashes are judged; 0 is the width of the hash.
// Patterns with few keys have too few collisions in many buckets.
func (p qualityOf) sizes(pattern string) []int {
	switch {
	case p.sketch == "":
		return []int{0}
	case p.sketch == terms.Hashing && p.large && pattern != terms.Dense1e3 && pattern != terms.Pow2:
		return []int{terms.Size(terms.Hashing), 1 << 18}
	}
	return []int{terms.Size(p.sketch)}
}

// judged returns a hash with the keys of the pattern.
func judged(family fphash.Family, encoding fphash.Encoding, bits int, pattern string) (quality.Hash, error) {
	if err := verifyFamily(family); err != nil {
		return quality.Hash{}, err
	}
	if keys := quality.KeysOf(pattern); keys != nil {
		return quality.OfListedKeys(family, bits, fphash.WidenNone, keys)
	}
	return quality.OfFamily(family, encoding, bits, fphash.WidenNone)
}

// qualityOfMethods judges the ways to sketch of the literature.
type qualityOfMethods struct {
	patterns []string
	weights  []string
}

func (p qualityOfMethods) addTo(g *grid) error {
	if len(g.Kernels)+len(g.Hashes) > 0 {
		return nil
	}
	for _, w := range g.workloads(p.patterns, p.weights) {
		for _, method := range sketchMethods {
			g.putCell(w, "method", method, "", 64, func() (quality.Hash, error) { return methodHash(method), nil })
		}
	}
	return nil
}

// workloads combines the patterns with the kinds of weights, or with the requested ones. Parts on a
// data set keep only "data" of the requested patterns; other parts drop it.
func (g *grid) workloads(patterns []string, weights []string) (list []quality.WorkloadOptions) {
	onData := slices.Contains(patterns, terms.Data)
	known := quality.Weights()
	if onData {
		known = []string{datasets.Unit, datasets.Float32}
	}
	for _, pattern := range choose(g.Patterns, patterns) {
		if (pattern == terms.Data) != onData {
			continue
		}
		for _, kind := range choose(g.Weights, weights) {
			if slices.Contains(known, kind) {
				list = append(list, quality.WorkloadOptions{Pattern: pattern, Weights: kind})
			}
		}
	}
	return list
}

// putCell adds the cell of a hash or a method with the given name.
func (g *grid) putCell(w quality.WorkloadOptions, kind, name, encoding string, bits int, hash func() (quality.Hash, error)) {
	data := ""
	if w.Pattern == terms.Data {
		data = g.Data
	}
	if terms.OfStrings(w.Pattern) {
		encoding = ""
	}
	buckets := 0
	switch w.Sketch {
	case terms.MinHash:
		bits = w.Size
	case terms.Hashing:
		buckets = w.Size
	}
	c := cell{cellName(kind, name, encoding, w, data, buckets, bits), w, hash}
	if g.new(c.Name) {
		g.cells = append(g.cells, c)
	}
}

func cellName(kind, name, encoding string, w quality.WorkloadOptions, data string, buckets, bits int) benchname.Name {
	number := ""
	if buckets > 0 {
		number = strconv.Itoa(buckets)
	}
	return benchname.New(terms.Quality, kind, name, "encoding", encoding, "pattern", w.Pattern, "weights", w.Weights,
		"data", data, "sketch", w.Sketch, "buckets", number, "f", strconv.Itoa(bits))
}

// ResultRows returns the rows of results that belong to no suite.
func ResultRows(results []*quality.Result) (rows []resultfile.Row) {
	for _, r := range results {
		w := quality.WorkloadOptions{Pattern: r.Pattern, Weights: r.Weights, Sketch: r.Sketch}
		buckets, bits := 0, r.Bits
		switch r.Sketch {
		case terms.SimHash:
			w.Sketch = ""
		case terms.Hashing:
			buckets, bits = r.Bits, 64
		}
		rows = append(rows, qualityRows(cellName("hash", r.Hash, r.Encoding, w, "", buckets, bits), r)...)
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
			add("bias"+b.suffix, b.Hash.Bias)
			add("rmse"+b.suffix, b.Hash.RMSE)
			add("variance-ratio"+b.suffix, b.VarianceRatio)
		}
	}
	if r.Bit.Tested {
		add(terms.ConstantBits, float64(len(r.Bit.Constant)))
		add(terms.CopiedBits, float64(len(r.Bit.Copied)))
	}
	if r.Bit.Codes > 0 {
		add(terms.Codes, float64(r.Bit.Codes))
	}
	add(terms.Verdict, float64(r.Verdict))
	add(terms.Keyings, float64(r.Keyings))
	add(terms.Pairs, float64(r.All.Pairs))
	add(terms.Pairs+use.Near, float64(r.Cos90.Pairs))
	return rows
}

// runCells computes the cells one by one, each with the given number of workers (0: one per
// processor). A cell that fails gets a row with an error; runCells fails only if ctx is cancelled.
func runCells(ctx context.Context, cells []cell, in *inputs, workers int, progress func(Progress)) (all []resultfile.Row, err error) {
	start := time.Now()
	var workload *quality.Workload
	var failed error // why there is no workload
	for i, c := range cells {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		p := Progress{Step: "quality", Case: i + 1, Cases: len(cells), Name: c.Name.String()}
		if i > 0 {
			p.Remaining = time.Since(start) / time.Duration(i) * time.Duration(len(cells)-i)
		}
		progress(p)
		if i == 0 || c.workload != cells[i-1].workload {
			workload, failed = c.generate(ctx, in)
		}
		rows, err := c.compute(workload, failed, workers)
		if err != nil {
			rows = []resultfile.Row{{Name: c.Name.String(), Unit: terms.UseOf(c.workload.Sketch).Unit, Err: err.Error()}}
		}
		all = append(all, rows...)
	}
	if err := context.Cause(ctx); err != nil { // the cancelled context may have made cells fail
		return nil, err
	}
	return all, nil
}

func (c cell) compute(w *quality.Workload, failed error, workers int) ([]resultfile.Row, error) {
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

// generate returns the cell's workload. From a data set it uses all vectors, not only those that
// are timed.
func (c cell) generate(ctx context.Context, in *inputs) (*quality.Workload, error) {
	if c.workload.Pattern != terms.Data {
		return quality.Generate(c.workload)
	}
	if in.data == nil {
		return nil, errors.New("bench: there is no data set")
	}
	set, err := in.data.Float32()
	if err != nil {
		return nil, err
	}
	if c.workload.Weights == datasets.Unit {
		set.Weights = nil
	}
	return quality.FromVectors(ctx, &set, c.workload)
}
