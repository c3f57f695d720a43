package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
)

// Names of the suites. Each suite answers one question.
const (
	SuiteDefault = "default" // how fast is each operation, by hash and kernel?
	SuiteKernels = "kernels" // how close are the kernels to the limits of the machine?
	SuiteHashes  = "hashes"  // what does each hash cost, by library and kernel?

	SuiteLengths = "lengths" // at which vector lengths does a feature cost more?

	SuiteMethods = "methods" // what do the methods of the literature cost?
	SuiteQuality = "quality" // how good is each hash, and at what cost?
	SuiteChoose  = "choose"  // which hash should I use? Takes seconds; see package choose
)

// suite is a set of benchmarks. full replaces operations if Options.Full is set. Options override
// the default samples and sampleTime.
type suite struct {
	name             string
	operations, full func() []operation
	cells            func(Options) []cellPart
	samples          int
	sampleTime       time.Duration
}

// On a busy machine, few samples of a millisecond are interrupted, so the median of many short
// samples varies less than that of few long samples. The default suite takes few samples to keep
// result files short.
var suites = []suite{
	{SuiteDefault, usualOperations, allOperations, usualCells, DefaultSamples, DefaultSampleTime},
	{SuiteKernels, kernelOperations, func() []operation { return append(kernelOperations(), hugeScans()...) }, noCells, 41, time.Millisecond},
	{SuiteHashes, hashOperations, func() []operation { return append(hashOperations(), encodedHashes()...) }, noCells, 41, time.Millisecond},
	{SuiteLengths, lengthOperations(datasets.Unit, datasets.Float32), lengthOperations(datasets.WeightTypes()...), noCells, 41, time.Millisecond},
	{SuiteMethods, methodOperations(100_000, 1_000_000), methodOperations(100_000, 1_000_000, 10_000_000), methodCells, DefaultSamples, 10 * time.Millisecond},
	{SuiteQuality, qualityTimes, qualityTimes, qualityCells, DefaultSamples, DefaultSampleTime},
	{SuiteChoose, chooseTimes, chooseTimes, chooseCells, 31, time.Millisecond},
}

// suiteOf returns the suite called name; "" is the default suite.
func suiteOf(name string) (suite, bool) {
	i := slices.IndexFunc(suites, func(s suite) bool { return s.name == cmp.Or(name, SuiteDefault) })
	return suites[max(i, 0)], i >= 0
}

// Sampling returns the suite's default number and length of samples.
func Sampling(suite string) (samples int, sampleTime time.Duration) {
	s, _ := suiteOf(suite)
	return s.samples, s.sampleTime
}

// Suites returns the names of the suites.
func Suites() []string {
	return namesOf(suites, func(s suite) string { return s.name })
}

func (o Options) operations() ([]operation, error) {
	s, known := suiteOf(o.Suite)
	switch {
	case !known:
		return nil, fmt.Errorf("bench: unknown suite %q; the suites are %s", o.Suite, strings.Join(Suites(), ", "))
	case s.name == SuiteChoose && (o.Sketch == terms.MinHash || o.Sketch == terms.Hashing):
		return []operation{hashOf{hashes: familyNames(), encodings: le64, sizes: []int{1024}, kernels: fastest}}, nil
	case o.Full:
		return s.full(), nil
	}
	return s.operations(), nil
}

// usualOperations covers the common questions in about a minute.
func usualOperations() []operation {
	f64 := []int{64}
	all := timedNames()
	return []operation{
		hashOf{hashes: all, encodings: le64, sizes: []int{1024}},
		accumulateOf{weights: []string{datasets.Unit, datasets.Float32}, bits: f64, sizes: []int{32, 100, 1000}},
		accumulateOf{weights: []string{datasets.Int32, datasets.Int64, datasets.Float64}, bits: f64, sizes: []int{100}},
		accumulateOf{weights: []string{datasets.Unit, datasets.Float32}, bits: []int{256}, sizes: []int{100}, kernels: ends},
		sketchOf{hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, sizes: []int{32, 100, 1000}, kernels: ends},
		sketchOf{hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{set}, bits: f64, sizes: []int{100}, kernels: fastest},
		sketchOf{hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, kernels: ends, data: true},
		sketchOf{hashes: all, encodings: le64, weights: []string{datasets.Float32}, bits: f64, kernels: fastest, data: true, fit: true},
		scanOf{sizes: []int{10_000, 1_000_000}},
		readOf{10_000, 1_000_000},
		projectOf{1_000_000},
		searchOf{sizes: []int{1_000_000}, methods: []string{"scan", "postings", "neighbours", "blocks", "index"}},
	}
}

func allOperations() []operation {
	bits := []int{64, 128, 256}
	all, types := timedNames(), append(datasets.WeightTypes(), set)
	return []operation{
		hashOf{hashes: all, encodings: allEncodings, sizes: []int{16, 1024}},
		accumulateOf{weights: types, bits: []int{64, 128, 256, 1024}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}},
		accumulateOf{weights: []string{datasets.Int32, datasets.Int64}, bits: []int{64}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}, small: true},
		accumulateOf{weights: []string{datasets.Float32, datasets.Float64}, bits: []int{64}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}, order: sequential},
		sketchOf{hashes: all, encodings: allEncodings, weights: types, bits: bits, sizes: []int{32, 100, 1000}},
		sketchOf{hashes: all, encodings: allEncodings, weights: []string{datasets.Unit, datasets.Float32}, bits: bits, data: true},
		scanOf{sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
		scanOf{sizes: []int{10_000, 100_000, 1_000_000}, queries: 64},
		readOf{10_000, 100_000, 1_000_000, 10_000_000},
	}
}

// chooseTimes times whole sketches with every hash, on the user's vectors and on vectors of 100
// features.
func chooseTimes() []operation {
	p := sketchOf{hashes: familyNames(), encodings: le64, weights: []string{datasets.Float32}, bits: []int{64}, kernels: fastest, fit: true}
	onData, ofFixedSize := p, p
	onData.data, ofFixedSize.sizes = true, []int{100}
	return []operation{onData, ofFixedSize}
}

// hashOperations times every hash, with its library and at every tier, and sketches with every
// hash.
func hashOperations() []operation {
	all, f64 := timedNames(), []int{64}
	return []operation{
		hashOf{hashes: all, encodings: le64, sizes: []int{1, 2, 4, 8, 16, 1024}},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, sizes: []int{100}},
		sketchOf{hashes: all, encodings: le64, weights: []string{datasets.Float32}, bits: f64, fit: true, sizes: []int{100}},
		sketchOf{kernels: tiersOnly, hashes: all, encodings: le64, weights: []string{datasets.Unit}, bits: f64, fit: true, sizes: []int{100}},
	}
}

func encodedHashes() []operation {
	all, others := timedNames(), []fphash.Encoding{fphash.BE64, fphash.Dec}
	return []operation{
		hashOf{hashes: all, encodings: others, sizes: []int{16, 1024}},
		sketchOf{kernels: tiersOnly, hashes: all, encodings: others, weights: []string{datasets.Float32}, bits: []int{64}, fit: true, sizes: []int{100}},
	}
}

// kernelOperations times every operation at every tier with a kernel, on common, very short and
// long sizes.
func kernelOperations() []operation {
	weighted := []int{1, 2, 3, 4, 5, 6, 7, 8, 32, 100, 1000}
	f64 := []int{64}
	hashes := []string{"splitmix64", "xxh64"}
	return []operation{
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Unit}, bits: f64, sizes: []int{1, 2, 3, 4, 5, 6, 7, 8, 16, 64, 100, 128, 1000, 8192}},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Float32, datasets.Int32, datasets.Int64, datasets.Float64, set}, bits: f64, sizes: weighted},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Int32}, bits: f64, sizes: weighted, small: true},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Float64}, bits: f64, sizes: weighted, order: sequential},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Unit, datasets.Float32, set}, bits: []int{128, 256, 512, 1024}, sizes: []int{100}},
		hashOf{kernels: tiersOnly, hashes: hashes, encodings: le64, sizes: []int{1024}},
		sketchOf{kernels: tiersOnly, hashes: hashes, encodings: le64, weights: []string{datasets.Unit, datasets.Float32, set}, bits: []int{64, 128}, sizes: []int{100}},
		sketchOf{kernels: tiersOnly, hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{datasets.Float32}, bits: f64, sizes: []int{100}, cpus: []int{1, 2}, vectors: []int{smallBatch, mediumBatch, largeBatch}},
		scanOf{kernels: tiersOnly, sizes: []int{10_000, 1_000_000}},
		scanOf{kernels: tiersOnly, sizes: []int{10_000, 1_000_000}, queries: 64},
		readOf{10_000, 1_000_000},
	}
}

// hugeScans scans more memory than any cache holds: 800 MB.
func hugeScans() []operation {
	n := []int{100_000_000}
	return []operation{
		scanOf{kernels: tiersOnly, sizes: n},
		readOf(n),
	}
}

// lengthOperations times sketches just below and above each length at which the code divides a
// vector into more chunks.
func lengthOperations(weights ...string) func() []operation {
	sizes := []int{1, 8, 32, 64, 100, 128, 129, 256, 257, 400, 512, 513, 700, 1000, 1024, 1025, 1500, 2016, 2017, 3000, 4064, 4065, 8192}
	return func() []operation {
		return []operation{sketchOf{kernels: tiersOnly, hashes: []string{fphash.DefaultHash}, encodings: le64, weights: weights, bits: []int{64}, sizes: sizes}}
	}
}

// methodOperations times the methods of the literature, and the kernels next to them, with searches
// among the given numbers of fingerprints.
func methodOperations(searched ...int) func() []operation {
	return func() []operation {
		return []operation{
			projectOf{10_000, 100_000, 1_000_000, 10_000_000},
			sketchOf{hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{datasets.Float32}, bits: []int{64}, sizes: []int{methodFeatures}},
			compareOf{3, 16, 32},
			scanOf{sizes: []int{10_000}},
			searchOf{sizes: searched},
			searchOf{data: true},
		}
	}
}

var (
	allEncodings = []fphash.Encoding{fphash.LE64, fphash.BE64, fphash.Dec}
	le64         = allEncodings[:1]
	unit         = []string{datasets.Unit}
)

// qualityTimes times every hash with every encoding, alone and in whole sketches.
func qualityTimes() []operation {
	all := familyNames()
	return []operation{
		hashOf{hashes: all, encodings: allEncodings, sizes: []int{1024}, kernels: ends},
		sketchOf{hashes: all, encodings: allEncodings, weights: []string{datasets.Float32}, bits: []int{64}, sizes: []int{100}, kernels: fastest, fit: true},
	}
}

// The cells of a suite are the same for all hashes, so that their worst results can be compared.

// onPatterns returns cells for simhash, in all encodings.
func onPatterns(weights []string, patterns ...quality.Pattern) cellPart {
	return cellPart{encodings: allEncodings, patterns: patterns, weights: weights}
}

// forSketch returns cells for another sketch, or for strings as keys.
func forSketch(sketch string, encodings []fphash.Encoding, patterns ...quality.Pattern) cellPart {
	return cellPart{encodings: encodings, patterns: patterns, weights: unit, sketch: sketch}
}

// usualCells has runs of consecutive indices, which expose every weak hash, and without data dense
// indices with signed weights.
func usualCells(o Options) []cellPart {
	if o.Full {
		return everyPattern(o, false)
	}
	cells := o.dataCells()
	if len(cells) == 0 {
		cells = append(cells, onPatterns([]string{"signed"}, quality.Dense1e3))
	}
	cells = append(cells, onPatterns(unit, quality.Consecutive))
	if len(o.Hashes)+len(o.Kernels) == 0 {
		cells = append(cells, cellPart{patterns: []quality.Pattern{quality.Consecutive}, weights: unit, methods: SketchMethods})
	}
	return append(cells,
		forSketch(terms.MinHash, le64, quality.Consecutive, quality.Words),
		forSketch(terms.Hashing, le64, quality.Dense1e3, quality.Consecutive, quality.Words))
}

// qualityCells has every pattern, with Options.Full with every kind of weights.
func qualityCells(o Options) []cellPart {
	cells := everyPattern(o, true)
	if o.Full {
		cells = append(cells, onPatterns(QualityWeights(), quality.Patterns()...))
	}
	return cells
}

// everyPattern has every pattern, and every kind of weights on one pattern. If large is true, it
// also has the larger sizes of sketches.
func everyPattern(o Options, large bool) []cellPart {
	cells := append(o.dataCells(),
		onPatterns(unit, quality.Patterns()...),
		onPatterns(QualityWeights(), quality.Consecutive),
		forSketch("", le64, quality.StringPatterns()...))
	for _, sketch := range []string{terms.MinHash, terms.Hashing} {
		cells = append(cells, forSketch(sketch, allEncodings, quality.Patterns()...), forSketch(sketch, le64, quality.StringPatterns()...))
	}
	for i := range cells {
		cells[i].full = large
	}
	return append(cells, cellPart{encodings: allEncodings, patterns: []quality.Pattern{quality.Dense1e3, quality.Consecutive}, weights: []string{string(quality.Dominated)}, sketch: terms.Hashing})
}

// chooseCells has the data and the three most common patterns.
func chooseCells(o Options) []cellPart {
	cells := append(o.dataCells(), onPatterns(unit, quality.Dense1e3, quality.Consecutive, quality.Uniform64))
	for i := range cells {
		cells[i].encodings = le64
		if o.Sketch != terms.SimHash {
			cells[i].sketch = o.Sketch
		}
		if o.Sketch == terms.MinHash {
			cells[i].weights = unit
		}
	}
	return cells
}

// methodCells judges the ways to sketch of the literature.
func methodCells(Options) []cellPart {
	return []cellPart{{patterns: []quality.Pattern{quality.Consecutive, quality.Uniform64}, weights: []string{datasets.Unit, string(quality.TFIDF)}, methods: SketchMethods}}
}

func noCells(Options) []cellPart { return nil }

// dataCells covers every hash on the user's data. The default data set changes with the Go version,
// so it has no cells.
func (o Options) dataCells() []cellPart {
	if o.Data == "" || o.Data == DefaultData {
		return nil
	}
	return []cellPart{{encodings: allEncodings, patterns: []quality.Pattern{quality.Data}, weights: []string{datasets.Float32}}}
}
