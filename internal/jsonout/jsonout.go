// Package jsonout writes results as JSON. It rounds numbers so that they are equal on all machines.
package jsonout

import (
	"io"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// rounded writes a float64 with 8 significant digits. Further digits can differ between machines.
var rounded = json.MarshalToFunc(func(e *jsontext.Encoder, v float64) error {
	f, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 8, 64), 64)
	if err != nil {
		return err
	}
	return e.WriteToken(jsontext.Float(f))
})

// Write writes v as indented JSON by the rules and tags of encoding/json, but rounds float64 values
// to 8 significant digits.
func Write(w io.Writer, v any) error {
	text, err := json.Marshal(v, jsonv1.DefaultOptionsV1(), json.WithMarshalers(rounded), jsontext.EscapeForHTML(false), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
