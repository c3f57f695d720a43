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

// suite is a set of benchmarks. full replaces parts if Options.Full is set. Options override the
// default samples and sampleTime.
type suite struct {
	name        string
	parts, full func() []part
	samples     int
	sampleTime  time.Duration
}

// On a busy machine, few samples of a millisecond are interrupted, so the median of many short
// samples varies less than that of few long samples. The default suite takes few samples to keep
// result files short.
var suites = []suite{
	{SuiteDefault, defaultParts, fullParts, DefaultSamples, DefaultSampleTime},
	{SuiteKernels, kernelsParts, func() []part { return append(kernelsParts(), hugeScans()...) }, 41, time.Millisecond},
	{SuiteHashes, hashesParts, func() []part { return append(hashesParts(), encodedHashes()...) }, 41, time.Millisecond},
	{SuiteLengths, lengthsParts(datasets.Unit, datasets.Float32), lengthsParts(datasets.WeightTypes()...), 41, time.Millisecond},
	{SuiteMethods, methodsParts(100_000, 1_000_000), methodsParts(100_000, 1_000_000, 10_000_000), DefaultSamples, 10 * time.Millisecond},
	{SuiteQuality, qualityTimes, qualityTimes, DefaultSamples, DefaultSampleTime},
	{SuiteChoose, chooseTimes, chooseTimes, 31, time.Millisecond},
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

func (o Options) parts() ([]part, error) {
	s, known := suiteOf(o.Suite)
	switch {
	case !known:
		return nil, fmt.Errorf("bench: unknown suite %q; the suites are %s", o.Suite, strings.Join(Suites(), ", "))
	case s.name == SuiteChoose && (o.Sketch == terms.MinHash || o.Sketch == terms.Hashing):
		return []part{{kind: terms.Hash, hashes: familyNames(), encodings: []fphash.Encoding{fphash.LE64}, sizes: []int{1024}, kernels: fastest}}, nil
	case o.Full:
		return s.full(), nil
	}
	return s.parts(), nil
}

// defaultParts covers the common questions in about a minute.
func defaultParts() []part {
	le64, f64 := []fphash.Encoding{fphash.LE64}, []int{64}
	all := timedNames()
	return []part{
		{kind: terms.Hash, hashes: all, encodings: le64, sizes: []int{1024}},
		{kind: terms.Accumulate, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, sizes: []int{32, 100, 1000}},
		{kind: terms.Accumulate, weights: []string{datasets.Int32, datasets.Int64, datasets.Float64}, bits: f64, sizes: []int{100}},
		{kind: terms.Accumulate, weights: []string{datasets.Unit, datasets.Float32}, bits: []int{256}, sizes: []int{100}, kernels: ends},
		{kind: terms.Sketch, hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, sizes: []int{32, 100, 1000}, kernels: ends},
		{kind: terms.Sketch, hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{set}, bits: f64, sizes: []int{100}, kernels: fastest},
		{kind: terms.Sketch, hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, kernels: ends, data: true},
		{kind: terms.Sketch, hashes: all, encodings: le64, weights: []string{datasets.Float32}, bits: f64, kernels: fastest, data: true, fit: true},
		{kind: terms.HammingScan, sizes: []int{10_000, 1_000_000}},
		{kind: terms.MemoryRead, sizes: []int{10_000, 1_000_000}},
		{kind: methodsOfSketching, sizes: []int{1_000_000}},
		{kind: terms.Search, sizes: []int{1_000_000}, methods: []string{"scan", "postings", "neighbours", "blocks", "index"}},
	}
}

func fullParts() []part {
	bits := []int{64, 128, 256}
	all, types := timedNames(), append(datasets.WeightTypes(), set)
	return []part{
		{kind: terms.Hash, hashes: all, encodings: allEncodings, sizes: []int{16, 1024}},
		{kind: terms.Accumulate, weights: types, bits: []int{64, 128, 256, 1024}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}},
		{kind: terms.Accumulate, weights: []string{datasets.Int32, datasets.Int64}, bits: []int{64}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}, small: true},
		{kind: terms.Accumulate, weights: []string{datasets.Float32, datasets.Float64}, bits: []int{64}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}, order: sequential},
		{kind: terms.Sketch, hashes: all, encodings: allEncodings, weights: types, bits: bits, sizes: []int{32, 100, 1000}},
		{kind: terms.Sketch, hashes: all, encodings: allEncodings, weights: []string{datasets.Unit, datasets.Float32}, bits: bits, data: true},
		{kind: terms.HammingScan, sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
		{kind: terms.HammingScan, sizes: []int{10_000, 100_000, 1_000_000}, queries: 64},
		{kind: terms.MemoryRead, sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
	}
}

// chooseTimes times whole sketches with every hash, on the user's vectors and on vectors of 100
// features.
func chooseTimes() []part {
	p := part{kind: terms.Sketch, hashes: familyNames(), encodings: []fphash.Encoding{fphash.LE64}, weights: []string{datasets.Float32}, bits: []int{64}, kernels: fastest, fit: true}
	onData, ofFixedSize := p, p
	onData.data, ofFixedSize.sizes = true, []int{100}
	return []part{onData, ofFixedSize}
}

// hashesParts times every hash, with its library and at every tier, and sketches with every hash.
func hashesParts() []part {
	all, f64, le64 := timedNames(), []int{64}, []fphash.Encoding{fphash.LE64}
	return []part{
		{kind: terms.Hash, hashes: all, encodings: le64, sizes: []int{1, 2, 4, 8, 16, 1024}},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, sizes: []int{100}},
		{kind: terms.Sketch, hashes: all, encodings: le64, weights: []string{datasets.Float32}, bits: f64, fit: true, sizes: []int{100}},
		{kind: terms.Sketch, kernels: tiersOnly, hashes: all, encodings: le64, weights: []string{datasets.Unit}, bits: f64, fit: true, sizes: []int{100}},
	}
}

func encodedHashes() []part {
	all, others := timedNames(), []fphash.Encoding{fphash.BE64, fphash.Dec}
	return []part{
		{kind: terms.Hash, hashes: all, encodings: others, sizes: []int{16, 1024}},
		{kind: terms.Sketch, kernels: tiersOnly, hashes: all, encodings: others, weights: []string{datasets.Float32}, bits: []int{64}, fit: true, sizes: []int{100}},
	}
}

// kernelsParts times every operation at every tier with a kernel, on common, very short and long
// sizes.
func kernelsParts() []part {
	weighted := []int{1, 2, 3, 4, 5, 6, 7, 8, 32, 100, 1000}
	f64, le64 := []int{64}, []fphash.Encoding{fphash.LE64}
	hashes := []string{"splitmix64", "xxh64"}
	return []part{
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Unit}, bits: f64, sizes: []int{1, 2, 3, 4, 5, 6, 7, 8, 16, 64, 100, 128, 1000, 8192}},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Float32, datasets.Int32, datasets.Int64, datasets.Float64, set}, bits: f64, sizes: weighted},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Int32}, bits: f64, sizes: weighted, small: true},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Float64}, bits: f64, sizes: weighted, order: sequential},
		{kind: terms.Accumulate, kernels: tiersOnly, weights: []string{datasets.Unit, datasets.Float32, set}, bits: []int{128, 256, 512, 1024}, sizes: []int{100}},
		{kind: terms.Hash, kernels: tiersOnly, hashes: hashes, encodings: le64, sizes: []int{1024}},
		{kind: terms.Sketch, kernels: tiersOnly, hashes: hashes, encodings: le64, weights: []string{datasets.Unit, datasets.Float32, set}, bits: []int{64, 128}, sizes: []int{100}},
		{kind: terms.Sketch, kernels: tiersOnly, hashes: []string{fphash.DefaultHash}, encodings: le64, weights: []string{datasets.Float32}, bits: f64, sizes: []int{100}, cpus: []int{1, 2}, vectors: []int{smallBatch, mediumBatch, largeBatch}},
		{kind: terms.HammingScan, kernels: tiersOnly, sizes: []int{10_000, 1_000_000}},
		{kind: terms.HammingScan, kernels: tiersOnly, sizes: []int{10_000, 1_000_000}, queries: 64},
		{kind: terms.MemoryRead, sizes: []int{10_000, 1_000_000}},
	}
}

// hugeScans scans more memory than any cache holds: 800 MB.
func hugeScans() []part {
	n := []int{100_000_000}
	return []part{
		{kind: terms.HammingScan, kernels: tiersOnly, sizes: n},
		{kind: terms.MemoryRead, sizes: n},
	}
}

// lengthsParts times sketches just below and above each length at which the code divides a vector
// into more chunks.
func lengthsParts(weights ...string) func() []part {
	sizes := []int{1, 8, 32, 64, 100, 128, 129, 256, 257, 400, 512, 513, 700, 1000, 1024, 1025, 1500, 2016, 2017, 3000, 4064, 4065, 8192}
	return func() []part {
		return []part{{kind: terms.Sketch, kernels: tiersOnly, hashes: []string{fphash.DefaultHash}, encodings: []fphash.Encoding{fphash.LE64}, weights: weights, bits: []int{64}, sizes: sizes}}
	}
}

// methodsOfSketching is the kind of parts with the ways to sketch of the literature.
const methodsOfSketching = "methods of sketching"

// methodsParts times the methods of the literature, and the kernels next to them, with searches
// among the given numbers of fingerprints.
func methodsParts(searched ...int) func() []part {
	return func() []part {
		return []part{
			{kind: methodsOfSketching, sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
			{kind: terms.Sketch, hashes: []string{fphash.DefaultHash}, encodings: []fphash.Encoding{fphash.LE64}, weights: []string{datasets.Float32}, bits: []int{64}, sizes: []int{methodFeatures}},
			{kind: terms.Distance, sizes: []int{3, 16, 32}},
			{kind: terms.HammingScan, sizes: []int{10_000}},
			{kind: terms.Search, sizes: searched},
			{kind: terms.Search, data: true},
		}
	}
}

var allEncodings = []fphash.Encoding{fphash.LE64, fphash.BE64, fphash.Dec}

// qualityTimes times every hash with every encoding, alone and in whole sketches.
func qualityTimes() []part {
	all := familyNames()
	return []part{
		{kind: terms.Hash, hashes: all, encodings: allEncodings, sizes: []int{1024}, kernels: ends},
		{kind: terms.Sketch, hashes: all, encodings: allEncodings, weights: []string{datasets.Float32}, bits: []int{64}, sizes: []int{100}, kernels: fastest, fit: true},
	}
}

// cellParts returns the cells of the suite. All hashes get the same cells, so that their worst
// results can be compared.
func (o Options) cellParts() []cellPart {
	suite, cells, unit := cmp.Or(o.Suite, SuiteDefault), o.dataCells(), []string{datasets.Unit}
	add := func(weights []string, patterns ...quality.Pattern) {
		cells = append(cells, cellPart{encodings: allEncodings, patterns: patterns, weights: weights})
	}
	le64 := []fphash.Encoding{fphash.LE64}
	addFor := func(sketch string, encodings []fphash.Encoding, patterns ...quality.Pattern) {
		cells = append(cells, cellPart{encodings: encodings, patterns: patterns, weights: unit, sketch: sketch, full: suite == SuiteQuality})
	}
	switch {
	case suite == SuiteChoose: // the three most common patterns
		add(unit, quality.Dense1e3, quality.Consecutive, quality.Uniform64)
		for i := range cells {
			cells[i].encodings = le64
			if o.Sketch != terms.SimHash {
				cells[i].sketch = o.Sketch
			}
			if o.Sketch == terms.MinHash {
				cells[i].weights = unit
			}
		}
	case suite == SuiteMethods:
		return []cellPart{{patterns: []quality.Pattern{quality.Consecutive, quality.Uniform64}, weights: []string{datasets.Unit, string(quality.TFIDF)}, methods: SketchMethods}}
	case suite == SuiteQuality || suite == SuiteDefault && o.Full:
		// every pattern, and every kind of weights on one pattern
		add(unit, quality.Patterns()...)
		add(QualityWeights(), quality.Consecutive)
		addFor("", le64, quality.StringPatterns()...)
		for _, sketch := range []string{terms.MinHash, terms.Hashing} {
			addFor(sketch, allEncodings, quality.Patterns()...)
			addFor(sketch, le64, quality.StringPatterns()...)
		}
		cells = append(cells, cellPart{encodings: allEncodings, patterns: []quality.Pattern{quality.Dense1e3, quality.Consecutive}, weights: []string{string(quality.Dominated)}, sketch: terms.Hashing})
		if suite == SuiteQuality && o.Full {
			add(QualityWeights(), quality.Patterns()...)
		}
	case suite == SuiteDefault:
		// runs of consecutive indices, which expose every weak hash, and without data dense indices
		// with signed weights
		if len(cells) == 0 {
			add([]string{"signed"}, quality.Dense1e3)
		}
		add(unit, quality.Consecutive)
		if len(o.Hashes)+len(o.Kernels) == 0 {
			cells = append(cells, cellPart{patterns: []quality.Pattern{quality.Consecutive}, weights: unit, methods: SketchMethods})
		}
		addFor(terms.MinHash, le64, quality.Consecutive, quality.Words)
		addFor(terms.Hashing, le64, quality.Dense1e3, quality.Consecutive, quality.Words)
	default:
		return nil
	}
	return cells
}

// dataCells covers every hash on the user's data. The default data set changes with the Go version,
// so it has no cells.
func (o Options) dataCells() []cellPart {
	if o.Data == "" || o.Data == DefaultData {
		return nil
	}
	return []cellPart{{encodings: allEncodings, patterns: []quality.Pattern{quality.Data}, weights: []string{datasets.Float32}}}
}
