package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
	"simhashkit/fphash"
)

// Case is one thing to be measured: a method on vectors of one kind.
type Case struct {
	Method     string
	Bits       int    // f
	Dimensions uint64 // D
	Pattern    string // Uniform or Zipf
	NNZ        int    // features of a vector
}

// Name returns the name under which the case's figures are kept, without the word Benchmark:
// Projection/method=gaussian/f=64/D=1000000/nnz=100.
func (c Case) Name() benchname.Name {
	pattern := c.Pattern
	if pattern == uniform {
		pattern = "" // the usual one
	}
	return benchname.New(terms.Projection, "method", c.Method, "f", strconv.Itoa(c.Bits), "D", strconv.FormatUint(c.Dimensions, 10), "pattern", pattern, "nnz", strconv.Itoa(c.NNZ))
}

// Options chooses cases. What is empty stands for 64 bits, D from 10^2 to 10^7, and vectors of 10,
// 100 and 1000 features.
type Options struct {
	Bits       []int // 1 to fphash.MaxBits
	Dimensions []uint64
	NNZ        []int
	// keeps the cases with such names; the word Benchmark may stand before a name
	Match *regexp.Regexp
}

// Grid lists the cases that the options choose: by width and D, and there all methods on the same
// vectors. What does not go together is left out: vectors with more features than dimensions, and
// skewed ones with more than a tenth. It is an error if an option is out of range, or if nothing is
// left.
func Grid(o Options) ([]Case, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	var cases []Case
	for _, f := range o.Bits {
		for _, d := range o.Dimensions {
			for _, pattern := range Patterns() {
				for _, nnz := range o.NNZ {
					if uint64(nnz) > d/leastSpace[pattern] {
						continue
					}
					for _, method := range Methods() {
						c := Case{method, f, d, pattern, nnz}
						if name := c.Name().String(); o.Match == nil || o.Match.MatchString(name) || o.Match.MatchString("Benchmark"+name) {
							cases = append(cases, c)
						}
					}
				}
			}
		}
	}
	if len(cases) == 0 {
		return nil, errors.New("projections: no case is left: what was asked for does not go together (more features than dimensions), or no name matches")
	}
	return cases, nil
}

// complete fills in what was not given, and checks what was.
func (o *Options) complete() error {
	if len(o.Bits) == 0 {
		o.Bits = []int{64}
	}
	if len(o.Dimensions) == 0 {
		o.Dimensions = []uint64{1e2, 1e3, 1e4, 1e5, 1e6, 1e7}
	}
	if len(o.NNZ) == 0 {
		o.NNZ = []int{10, 100, 1000}
	}
	for _, f := range o.Bits {
		if f < 1 || f > fphash.MaxBits {
			return fmt.Errorf("projections: width of %d bits, expected 1 to %d", f, fphash.MaxBits)
		}
	}
	for _, n := range o.NNZ {
		if n < 1 || n > maxNNZ {
			return fmt.Errorf("projections: vectors of %d features, expected 1 to %d", n, maxNNZ)
		}
	}
	return nil
}
