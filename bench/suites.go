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

// suite is a set of benchmarks that answers one question.
type suite struct {
	name       string
	operations func(Options) []operation
	samples    int
	sampleTime time.Duration
}

// On a busy machine, few samples of a millisecond are interrupted, so the median of many short
// samples varies less than that of few long samples. The default suite takes few samples to keep
// result files short.
var suites = []suite{
	{"default", usualOperations, 8, 10 * time.Millisecond},
	{"kernels", kernelOperations, 41, time.Millisecond},
	{"hashes", hashOperations, 41, time.Millisecond},
	{"methods", methodOperations, 8, 10 * time.Millisecond},
	{"choose", chooseOperations, 31, time.Millisecond},
}

// suiteOf returns the suite called name; "" is the default suite.
func suiteOf(name string) (suite, error) {
	i := slices.IndexFunc(suites, func(s suite) bool { return s.name == cmp.Or(name, suites[0].name) })
	if i < 0 {
		return suite{}, fmt.Errorf("bench: unknown suite %q; the suites are %s", name, strings.Join(Suites(), ", "))
	}
	return suites[i], nil
}

// Suites returns the names of the suites, the default one first. Each answers one question:
//
//   - default: how fast is each operation, by hash and kernel?
//   - kernels: how close are the kernels to the limits of the machine?
//   - hashes: how good is each hash, and what does it cost?
//   - methods: what do the methods of the literature cost?
//   - choose: which hash should I use? Takes seconds.
func Suites() []string {
	return namesOf(suites, func(s suite) string { return s.name })
}

var (
	allEncodings = []fphash.Encoding{fphash.LE64, fphash.BE64, fphash.Dec}
	le64         = allEncodings[:1]
	unit         = []string{datasets.Unit}
	f32          = []string{datasets.Float32}
	f64          = []int{64}
)

// usualOperations covers the common questions in about a minute. In full, it is all suites.
//
// Runs of consecutive indices expose every weak hash. Without data, dense indices with signed
// weights are the second workload.
func usualOperations(o Options) []operation {
	if o.Full {
		return slices.Concat(kernelOperations(o), hashOperations(o), methodOperations(o))
	}
	all, byDefault := timedNames(), []string{fphash.DefaultHash}
	common := []string{datasets.Unit, datasets.Float32}
	list := []operation{
		hashOf{hashes: all, encodings: le64, sizes: []int{1024}},
		accumulateOf{weights: common, bits: f64, sizes: []int{32, 100, 1000}},
		accumulateOf{weights: []string{datasets.Int32, datasets.Int64, datasets.Float64}, bits: f64, sizes: []int{100}},
		accumulateOf{weights: common, bits: []int{256}, sizes: []int{100}, kernels: ends},
		sketchOf{hashes: byDefault, encodings: le64, weights: common, bits: f64, sizes: []int{32, 100, 1000}, kernels: ends},
		sketchOf{hashes: byDefault, encodings: le64, weights: []string{set}, bits: f64, sizes: []int{100}, kernels: fastest},
		sketchOf{hashes: byDefault, encodings: le64, weights: common, bits: f64, kernels: ends, data: true},
		sketchOf{hashes: all, encodings: le64, weights: f32, bits: f64, kernels: fastest, data: true, fit: true},
		scanOf{sizes: []int{10_000, 1_000_000}},
		readOf{10_000, 1_000_000},
		projectOf{1_000_000},
		searchOf{sizes: []int{1_000_000}, methods: []string{"scan", "postings", "neighbours", "blocks", "index"}},
	}
	if o.ownData() {
		list = append(list, onData)
	} else {
		list = append(list, onPatterns([]string{"signed"}, terms.Dense1e3))
	}
	return append(list,
		onPatterns(unit, terms.Consecutive),
		qualityOfMethods{patterns: []string{terms.Consecutive}, weights: unit},
		forSketch(terms.MinHash, le64, terms.Consecutive, terms.Words),
		forSketch(terms.Hashing, le64, terms.Dense1e3, terms.Consecutive, terms.Words))
}

// chooseOperations times whole sketches with every hash, on the user's vectors and on vectors of
// 100 features. It judges the hashes on the data and on the three most common patterns.
func chooseOperations(o Options) []operation {
	judged := []qualityOf{onPatterns(unit, terms.Dense1e3, terms.Consecutive, terms.Uniform64)}
	if o.ownData() {
		judged = append([]qualityOf{onData}, judged...)
	}
	p := sketchOf{hashes: familyNames(), encodings: le64, weights: f32, bits: f64, kernels: fastest, fit: true}
	onData, ofFixedSize := p, p
	onData.data, ofFixedSize.sizes = true, []int{100}
	list := []operation{onData, ofFixedSize}
	otherSketch := o.Sketch != "" && o.Sketch != terms.SimHash
	if otherSketch { // its times decide nothing
		list = []operation{hashOf{hashes: familyNames(), encodings: le64, sizes: []int{1024}, kernels: fastest}}
	}
	for _, q := range judged {
		q.encodings = le64
		if otherSketch {
			q.sketch = o.Sketch
		}
		if o.Sketch == terms.MinHash {
			q.weights = unit
		}
		list = append(list, q)
	}
	return list
}

// hashOperations times every hash, with its library and at every tier, and sketches with every
// hash. It judges every hash on every pattern, and in full with every kind of weights.
func hashOperations(o Options) []operation {
	all := timedNames()
	list := []operation{
		hashOf{hashes: all, encodings: le64, sizes: []int{1, 2, 4, 8, 16, 1024}},
		hashOf{hashes: familyNames(), encodings: allEncodings, sizes: []int{1024}, kernels: ends},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Unit, datasets.Float32}, bits: f64, sizes: []int{100}},
		sketchOf{hashes: all, encodings: le64, weights: f32, bits: f64, fit: true, sizes: []int{100}},
		sketchOf{kernels: tiersOnly, hashes: all, encodings: le64, weights: unit, bits: f64, fit: true, sizes: []int{100}},
		sketchOf{kernels: fastest, hashes: familyNames(), encodings: allEncodings, weights: f32, bits: f64, fit: true, sizes: []int{100}},
	}
	if o.Full {
		others := []fphash.Encoding{fphash.BE64, fphash.Dec}
		list = append(list,
			hashOf{hashes: all, encodings: others, sizes: []int{16, 1024}},
			sketchOf{kernels: tiersOnly, hashes: all, encodings: others, weights: f32, bits: f64, fit: true, sizes: []int{100}})
	}
	if o.ownData() {
		list = append(list, onData)
	}
	list = append(list,
		onPatterns(unit, quality.Patterns()...),
		onPatterns(quality.Weights(), terms.Consecutive),
		forSketch("", le64, terms.StringPatterns()...))
	for _, sketch := range []string{terms.MinHash, terms.Hashing} {
		for _, q := range []qualityOf{forSketch(sketch, allEncodings, quality.Patterns()...), forSketch(sketch, le64, terms.StringPatterns()...)} {
			q.large = true
			list = append(list, q)
		}
	}
	dominated := forSketch(terms.Hashing, allEncodings, terms.Dense1e3, terms.Consecutive)
	dominated.weights = []string{terms.Dominated}
	list = append(list, dominated)
	if o.Full {
		list = append(list, onPatterns(quality.Weights(), quality.Patterns()...))
	}
	return list
}

// kernelOperations times every operation at every tier with a kernel, on common, very short and
// long sizes. Sketches have lengths just below and above each length at which the code divides a
// vector into more chunks. In full, it also scans more memory than any cache holds: 800 MB.
func kernelOperations(o Options) []operation {
	weighted := []int{1, 2, 3, 4, 5, 6, 7, 8, 32, 100, 1000}
	lengths := []int{1, 8, 32, 64, 100, 128, 129, 256, 257, 400, 512, 513, 700, 1000, 1024, 1025, 1500, 2016, 2017, 3000, 4064, 4065, 8192}
	hashes, byDefault := []string{"splitmix64", "xxh64"}, []string{fphash.DefaultHash}
	measured := []string{datasets.Unit, datasets.Float32}
	if o.Full {
		measured = datasets.WeightTypes()
	}
	list := []operation{
		accumulateOf{kernels: tiersOnly, weights: unit, bits: f64, sizes: []int{1, 2, 3, 4, 5, 6, 7, 8, 16, 64, 100, 128, 1000, 8192}},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Float32, datasets.Int32, datasets.Int64, datasets.Float64, set}, bits: f64, sizes: weighted},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Int32}, bits: f64, sizes: weighted, small: true},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Float64}, bits: f64, sizes: weighted, order: sequential},
		accumulateOf{kernels: tiersOnly, weights: []string{datasets.Unit, datasets.Float32, set}, bits: []int{128, 256, 512, 1024}, sizes: []int{100}},
		hashOf{kernels: tiersOnly, hashes: hashes, encodings: le64, sizes: []int{1024}},
		sketchOf{kernels: tiersOnly, hashes: hashes, encodings: le64, weights: []string{datasets.Unit, datasets.Float32, set}, bits: []int{64, 128}, sizes: []int{100}},
		sketchOf{kernels: tiersOnly, hashes: byDefault, encodings: le64, weights: measured, bits: f64, sizes: lengths},
		sketchOf{kernels: tiersOnly, hashes: byDefault, encodings: le64, weights: f32, bits: f64, sizes: []int{100}, cpus: []int{1, 2}, vectors: []int{smallBatch, mediumBatch, largeBatch}},
		scanOf{kernels: tiersOnly, sizes: []int{10_000, 1_000_000}},
		scanOf{kernels: tiersOnly, sizes: []int{10_000, 1_000_000}, queries: 64},
		readOf{10_000, 1_000_000},
	}
	if huge := 100_000_000; o.Full {
		list = append(list, scanOf{kernels: tiersOnly, sizes: []int{huge}}, readOf{huge})
	}
	return list
}

// methodOperations times the methods of the literature, and the kernels next to them, and judges
// the ways to sketch. In full, it also searches among 10^7 fingerprints.
func methodOperations(o Options) []operation {
	searched := []int{100_000, 1_000_000}
	if o.Full {
		searched = append(searched, 10_000_000)
	}
	return []operation{
		projectOf{10_000, 100_000, 1_000_000, 10_000_000},
		sketchOf{hashes: []string{fphash.DefaultHash}, encodings: le64, weights: f32, bits: f64, sizes: []int{methodFeatures}},
		compareOf{3, 16, 32},
		scanOf{sizes: []int{10_000}},
		searchOf{sizes: searched},
		searchOf{data: true},
		qualityOfMethods{patterns: []string{terms.Consecutive, terms.Uniform64}, weights: []string{datasets.Unit, terms.TFIDF}},
	}
}

// Hashes are judged on the same workloads, so that their worst results can be compared.

// onData judges every hash on the user's data.
var onData = qualityOf{encodings: allEncodings, patterns: []string{terms.Data}, weights: f32}

// ownData reports whether there are data to judge hashes on. The default data set changes with the
// Go version.
func (o Options) ownData() bool { return o.Data != "" && o.Data != datasets.GoSourceName }

// onPatterns judges hashes for simhash, in all encodings.
func onPatterns(weights []string, patterns ...string) qualityOf {
	return qualityOf{encodings: allEncodings, patterns: patterns, weights: weights}
}

// forSketch judges hashes for another sketch, or for strings as keys.
func forSketch(sketch string, encodings []fphash.Encoding, patterns ...string) qualityOf {
	return qualityOf{encodings: encodings, patterns: patterns, weights: unit, sketch: sketch}
}
