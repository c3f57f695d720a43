// Package texttable lays out tables and wraps text for the terminal.
package texttable

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table is rows below a header; see New.
type Table = table.Writer

// Row is the cells of a row, one for each column.
type Row = table.Row

// RowOf returns texts as a row.
func RowOf(cells []string) Row {
	row := make(Row, len(cells))
	for i, cell := range cells {
		row[i] = cell
	}
	return row
}

// New returns a table without borders, the way all tables of this project look in a terminal. Its
// columns are aligned left; see Aligned.
func New(header ...string) Table {
	t := table.NewWriter()
	style := table.StyleLight
	style.Options = table.Options{SeparateHeader: true}
	style.Box.PaddingLeft, style.Box.PaddingRight = "  ", ""
	style.Format.Header = text.FormatDefault
	t.SetStyle(style)
	var row Row
	for _, h := range header {
		row = append(row, h)
	}
	t.AppendHeader(row)
	return t
}

// Aligned returns a table as New does whose columns are aligned right, but for those that left
// lists, counted from 0.
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

// Render returns the table as text, without white space at the ends of lines.
func Render(t Table) string {
	lines := strings.Split(t.Render(), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// Wrap breaks a text into lines of at most so many characters, between words.
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

// Printable returns the text with a replacement character for each control character but line
// breaks: data must not steer the terminal.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// CSVText returns a text as a cell of a CSV table for people: a text that a spreadsheet would take
// for a formula has an apostrophe in front, and so has one that begins with an apostrophe, so that
// who takes off one always has the text. Numbers are not to be passed, since some begin with a
// sign; nor are ids in files for programs, which compare them byte by byte.
//
// What spreadsheets take for formulas begins with = + - @, also in their full width, or with white
// space before them that some skip (OWASP, CSV Injection).
func CSVText(text string) string {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'"} {
		if strings.HasPrefix(text, start) {
			return "'" + text
		}
	}
	return text
}
