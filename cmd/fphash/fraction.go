package main

import (
	"errors"
	"strconv"
	"strings"
)

// fraction is a flag's value that is given as a number or as a percentage: 0.95 or 95%.
type fraction float64

func (f *fraction) Set(text string) error {
	number, isPercentage := strings.CutSuffix(text, "%")
	if isPercentage {
		number += "e-2" // dividing would turn 99.9% into 0.9990000000000001
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return errors.New("expected a number such as 0.95, or a percentage such as 95%")
	}
	*f = fraction(value)
	return nil
}

func (f *fraction) String() string { return strconv.FormatFloat(float64(*f), 'g', -1, 64) }

func (f *fraction) Type() string { return "fraction" }
