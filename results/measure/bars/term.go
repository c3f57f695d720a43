package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/terms"
	"simhashkit/results/measure/evidence"
)

const probePrefix = "probe:"

// term takes one term and adds it to all bars of the line.
func (p *parser) term(bars []Bar) error {
	first, err := p.take("a figure or a reference")
	if err != nil {
		return err
	}
	factor, isNumber := fraction(first.text)
	if !isNumber {
		return p.reference(bars, first, 1)
	}
	if factor <= 0 || math.IsInf(factor, 0) {
		return first.wrong("expected a number above 0, got %q", first.text)
	}
	second, err := p.take("a unit or x")
	if err != nil {
		return err
	}
	if second.text != "x" {
		return p.figure(bars, second, factor)
	}
	reference, err := p.take("a reference")
	if err != nil {
		return err
	}
	return p.reference(bars, reference, factor)
}

// fraction reads a number or a fraction of two.
func fraction(text string) (float64, bool) {
	above, below, isFraction := strings.Cut(text, "/")
	value, err := strconv.ParseFloat(above, 64)
	if err != nil || !isFraction {
		return value, err == nil && !math.IsNaN(value)
	}
	divisor, err := strconv.ParseFloat(below, 64)
	value /= divisor
	return value, err == nil && !math.IsNaN(value)
}

// Units of figures that no row has.
const (
	gigabytesPerSecond       = "GB/s"
	millisecondsPerOperation = "ms/op"
	perSketch                = "ns/sketch"
)

// figure adds a figure in the unit that the word names.
func (p *parser) figure(bars []Bar, unit word, value float64) error {
	switch {
	case unit.text == p.line.Unit:
	case unit.text == gigabytesPerSecond && p.line.Unit == terms.MegabytesPerSecond:
		value *= 1e3
	case unit.text == millisecondsPerOperation && p.line.Unit == terms.NanosecondsPerOperation:
		value *= 1e6
	case unit.text == perSketch && p.line.Unit == terms.NanosecondsPerFeature:
	default:
		return unit.wrong("expected x or a unit that goes with %s, got %q", p.line.Unit, unit.text)
	}
	for i := range bars {
		in := value
		if unit.text == perSketch {
			nnz, err := strconv.Atoi(bars[i].Case.Get("nnz"))
			if err != nil {
				return unit.wrong("expected a unit other than %s: the vectors of %s are of no fixed size", perSketch, bars[i].Case)
			}
			in /= float64(nnz)
		}
		bars[i].terms = append(bars[i].terms, term{factor: in})
	}
	return nil
}

var variable = regexp.MustCompile(`\$[A-Za-z0-9]*`)

// reference adds a multiple of another row.
func (p *parser) reference(bars []Bar, w word, factor float64) error {
	for i := range bars {
		text, err := substitute(w.text, bars[i].Case)
		if err != nil {
			return w.wrong("%v", err)
		}
		t := term{factor: factor}
		if probe, ok := strings.CutPrefix(text, probePrefix); ok {
			if probe == "" {
				return w.wrong("expected the name of a probe after %s", probePrefix)
			}
			t.probe = probe
		} else {
			name, units, err := p.name(text)
			if err != nil {
				return w.wrong("%v", err)
			}
			unit := units[0]
			same := slices.Contains(units, p.line.Unit)
			if same {
				unit = p.line.Unit
			}
			if !same && p.line.Counted || (evidence.Better(unit) > 0) != p.line.AtLeast() {
				return w.wrong("expected a reference in a unit that goes with %s, got %s", p.line.Unit, unit)
			}
			t.of, t.unit = &name, unit
		}
		bars[i].terms = append(bars[i].terms, t)
	}
	return nil
}

// substitute puts the values of a case's keys in place of $key.
func substitute(text string, of benchname.Name) (string, error) {
	var err error
	text = variable.ReplaceAllStringFunc(text, func(v string) string {
		value := of.Get(v[1:])
		if value == "" && err == nil {
			err = fmt.Errorf("expected a key of %s after $, got %q", of, v)
		}
		return value
	})
	return text, err
}
