package compare

import (
	"fmt"
	"io"
	"strings"
)

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "markdown", "csv", "jsonl"} }

// Write writes the report: as text with tables for a terminal, as Markdown for a pull-request
// comment, as comma-separated values with one line for each row of every table (and nothing else,
// so gaps and notes are not in it), or as JSON lines, of which the last one is the summary.
func Write(w io.Writer, r *Report, format string) error {
	var text string
	var err error
	switch format {
	case "text":
		text = r.text()
	case "markdown":
		text = r.markdown()
	case "csv":
		text = r.csv()
	case "jsonl":
		text, err = r.jsonl()
	default:
		return fmt.Errorf("compare: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	return nil
}
