package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"simhashkit/internal/english"
)

// figure formats a figure given in braces: "[sum|max|min|best ]FORMAT[*FACTOR][/n] UNIT [KEYS]".
// FORMAT is one of the formats below, or one of package fmt. /n divides by the key n of a row's
// name. If several rows match, the text must say how to combine them. best is the lowest sample of
// all rows, instead of a median, for runs on a busy machine.
func (f *filed) figure(text string, k keys) (shown string, value float64, err error) {
	words := strings.Fields(text)
	operation := ""
	if slices.Contains([]string{"sum", "max", "min", "best"}, words[0]) {
		operation, words = words[0], words[1:]
	}
	k = k.with(parse(strings.Join(words[2:], " "))).with(keys{"unit": words[1]})
	rows := f.find(k)
	if len(rows) == 0 {
		return gap, 0, nil
	}
	if len(rows) > 1 && operation == "" {
		return "", 0, fmt.Errorf("there are %d rows of %v", len(rows), k)
	}
	format, perN := strings.CutSuffix(words[0], "/n")
	format, factor, scaled := strings.Cut(format, "*")
	for i, r := range rows {
		v := r.Median
		if operation == "best" {
			v = f.least[r.Name.String()+" "+r.Unit]
		}
		if perN {
			n, err := strconv.ParseFloat(r.Name.Get("n"), 64)
			if err != nil {
				return "", 0, err
			}
			v /= n
		}
		switch {
		case i == 0:
			value = v
		case operation == "sum":
			value += v
		case operation == "max":
			value = max(value, v)
		default:
			value = min(value, v)
		}
	}
	if scaled {
		by, err := strconv.ParseFloat(factor, 64)
		if err != nil {
			return "", 0, err
		}
		value *= by
	}
	if known, ok := formats[format]; ok {
		return known(value), value, nil
	}
	return fmt.Sprintf(format, value), value, nil
}

var formats = map[string]func(float64) string{
	"hundred": english.Hundred, "digits": digits, "short": short, "duration": duration, "memory": memory,
}

// digits formats a number with three significant digits, and at most three after the point.
func digits(v float64) string {
	switch {
	case v >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case v >= 9.995:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.9995:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// short formats small numbers with two digits, and large ones with powers of ten.
func short(x float64) string {
	switch {
	case x >= 1e6:
		power := math.Floor(math.Log10(x))
		return fmt.Sprintf("%.1f·10^%.0f", x/math.Pow(10, power), power)
	case x >= 9.95:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// duration formats nanoseconds.
func duration(ns float64) string {
	s := ns / 1e9
	switch {
	case s >= 7200:
		return fmt.Sprintf("%.1f h", s/3600)
	case s >= 600:
		return fmt.Sprintf("%.0f min", s/60)
	case s >= 120:
		return fmt.Sprintf("%.1f min", s/60)
	case s >= 10:
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.2g s", s)
}

// memory formats bytes.
func memory(bytes float64) string {
	switch {
	case bytes >= 1e12:
		return fmt.Sprintf("%.1f TB", bytes/1e12)
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", bytes/1e9)
	}
	return fmt.Sprintf("%.0f MB", bytes/1e6)
}
