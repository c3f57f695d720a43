package doctor

import (
	"fmt"
	"io"
	"strings"
)

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "json"} }

// Write writes the examination of what is named: as text with a table for a terminal, or as a JSON
// object.
func (e *Examination) Write(w io.Writer, what, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, e.text(what))
		return err
	case "json":
		return e.writeJSON(w, what)
	}
	return fmt.Errorf("doctor: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
}
