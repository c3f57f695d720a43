// Package jsonout writes results as JSON, with figures rounded so that they are the same on all
// machines.
package jsonout

import (
	"encoding/json"
	"io"
	"strconv"
)

// Write writes an object, indented.
func Write(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// Figure is a number with 8 digits, to which figures are the same on all machines.
type Figure float64

// MarshalJSON writes 8 significant digits.
func (f Figure) MarshalJSON() ([]byte, error) {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', 8, 64), 64)
	if err != nil {
		return nil, err
	}
	return json.Marshal(rounded)
}

// Figures converts a list.
func Figures(values []float64) []Figure {
	figures := make([]Figure, len(values))
	for i, v := range values {
		figures[i] = Figure(v)
	}
	return figures
}
