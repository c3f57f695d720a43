package bench

import (
	"fmt"
	"strings"
	"time"

	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// Names of the suites: grids that answer one question each.
const (
	SuiteDefault = "default" // how fast is what, with which hash and kernel?
	SuiteKernels = "kernels" // how near are the kernels to the limit of the machine?
	// what does each hash cost, by its library and by each kernel, and the sketch that it leads to?
	SuiteHashes = "hashes"

	SuiteLengths = "lengths" // does a feature cost more in vectors of some length?

	// how good is each hash, on which indices and weights, and at what cost?
	SuiteQuality = "quality"
	SuiteChoose  = "choose" // which hash to use, in seconds? See package choose
)

// suites lists the grids, what Options.Full makes of them, and how they are measured by default.
//
// Samples of a millisecond are shorter than the slice of time that a busy machine gives to one
// process, so most of them are not interrupted: with every core loaded several times over, medians
// of many short samples stay within a few percent, where those of few long ones go astray by half.
// The default suite has operations that take long, and is kept to files of a readable size.
var suites = []struct {
	name        string
	parts, full func() []part
	samples     int
	sampleTime  time.Duration
}{
	{SuiteDefault, defaultParts, fullParts, DefaultSamples, DefaultSampleTime},
	{SuiteKernels, kernelsParts, func() []part { return append(kernelsParts(), hugeScans()...) }, 41, time.Millisecond},
	{SuiteHashes, hashesParts, func() []part { return append(hashesParts(), encodedHashes()...) }, 41, time.Millisecond},
	{SuiteLengths, lengthsParts(datasets.Unit, datasets.Float32), lengthsParts(datasets.WeightTypes()...), 41, time.Millisecond},
	{SuiteQuality, qualityTimes, qualityTimes, DefaultSamples, DefaultSampleTime},
	{SuiteChoose, chooseTimes, chooseTimes, 31, time.Millisecond},
}

// Sampling returns the default number and duration of samples of the suite.
func Sampling(suite string) (samples int, sampleTime time.Duration) {
	for _, s := range suites {
		if s.name == suite {
			return s.samples, s.sampleTime
		}
	}
	return DefaultSamples, DefaultSampleTime
}

// Suites returns the names of the suites.
func Suites() []string {
	var names []string
	for _, s := range suites {
		names = append(names, s.name)
	}
	return names
}

// parts returns the parts of the suite that the options name.
func (o Options) parts() ([]part, error) {
	name := o.Suite
	if name == "" {
		name = SuiteDefault
	}
	for _, s := range suites {
		switch {
		case s.name != name:
		case o.Full:
			return s.full(), nil
		default:
			return s.parts(), nil
		}
	}
	return nil, fmt.Errorf("bench: unknown suite %q; the suites are %s", o.Suite, strings.Join(Suites(), ", "))
}

// defaultParts answer the common questions in about a minute.
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
		{kind: terms.HammingScan, layout: "plain", sizes: []int{10_000, 1_000_000}},
		{kind: terms.MemoryRead, sizes: []int{10_000, 1_000_000}},
	}
}

// fullParts are every combination that makes sense.
func fullParts() []part {
	encodings, bits := []fphash.Encoding{fphash.LE64, fphash.BE64, fphash.Dec}, []int{64, 128, 256}
	all, types := timedNames(), append(datasets.WeightTypes(), set)
	return []part{
		{kind: terms.Hash, hashes: all, encodings: encodings, sizes: []int{16, 1024}},
		{kind: terms.Accumulate, weights: types, bits: []int{64, 128, 256, 1024}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}},
		{kind: terms.Accumulate, weights: []string{datasets.Int32, datasets.Int64}, bits: []int{64}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}, small: true},
		{kind: terms.Accumulate, weights: []string{datasets.Float32, datasets.Float64}, bits: []int{64}, sizes: []int{16, 32, 64, 100, 128, 1000, 8192}, order: sequential},
		{kind: terms.Sketch, hashes: all, encodings: encodings, weights: types, bits: bits, sizes: []int{32, 100, 1000}},
		{kind: terms.Sketch, hashes: all, encodings: encodings, weights: []string{datasets.Unit, datasets.Float32}, bits: bits, data: true},
		{kind: terms.HammingScan, layout: "plain", sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
		{kind: terms.HammingScan, layout: "split", sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
		{kind: terms.HammingScan, layout: "plain", sizes: []int{10_000, 100_000, 1_000_000}, queries: 64},
		{kind: terms.MemoryRead, sizes: []int{10_000, 100_000, 1_000_000, 10_000_000}},
	}
}
