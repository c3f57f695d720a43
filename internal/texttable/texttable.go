// Package texttable lays out tables and wraps text for the terminal.
package texttable

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table is a table with a header; see New.
type Table = table.Writer

// Row holds the cells of a row, one per column.
type Row = table.Row

// New returns a table in the project's style, without borders. Columns are left-aligned; see
// Aligned.
func New(header ...string) Table {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft, style.Box.PaddingRight = "  ", ""
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	t.SuppressTrailingSpaces()
	var row Row
	for _, h := range header {
		row = append(row, h)
	}
	t.AppendHeader(row)
	return t
}

// Aligned returns a table whose columns are aligned right, except those in left, counted from 0.
func Aligned(left []int, header ...string) Table {
	t := New(header...)
	columns := make([]table.ColumnConfig, len(header))
	for i := range columns {
		columns[i] = table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight}
	}
	for _, i := range left {
		columns[i].Align, columns[i].AlignHeader = text.AlignLeft, text.AlignLeft
	}
	t.SetColumnConfigs(columns)
	return t
}

// Wrap breaks a text between words into lines of at most width characters.
func Wrap(words string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(words) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// Printable replaces all control characters of a text except line breaks, so that data cannot
// control the terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
