package main

import (
	"encoding/json"
	"io"
	"strconv"
)

// writeJSON writes an object for people and programs.
func writeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

// jsonFigure is a number with 8 digits, to which figures are the same on all machines.
type jsonFigure float64

// MarshalJSON writes 8 significant digits.
func (f jsonFigure) MarshalJSON() ([]byte, error) {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', 8, 64), 64)
	if err != nil {
		return nil, err
	}
	return json.Marshal(rounded)
}

func jsonFigures(values []float64) []jsonFigure {
	figures := make([]jsonFigure, len(values))
	for i, v := range values {
		figures[i] = jsonFigure(v)
	}
	return figures
}
