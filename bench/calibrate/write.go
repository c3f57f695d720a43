package calibrate

import (
	"fmt"
	"io"
	"strings"
)

// Report is a calibration and what it is of, to be written.
type Report struct {
	*Calibration
	Hash    Hash
	To      *Hash  // of Switch
	Data    string // a line that describes the vectors
	Weights string // their type, or "unit"
}

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "json"} }

// Write writes the report: as text with tables for a terminal, or as a JSON object.
func (c Report) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, c.text())
		return err
	case "json":
		return c.writeJSON(w)
	}
	return fmt.Errorf("calibrate: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
}
