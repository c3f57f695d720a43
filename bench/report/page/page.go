// Package page lays a report out as one HTML file that needs nothing else.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

// Page is a whole report.
type Page struct {
	Title    string
	Subtitle template.HTML
	Sections []Section
}

// Section is a part with a heading of its own.
type Section struct {
	ID     string
	Short  string // what the contents call it
	Title  string
	Blocks []Block
}

// Block is one of its fields, the others are empty; but a heading may have an anchor.
type Block struct {
	Anchor    string
	Heading   string
	Paragraph template.HTML
	Callout   template.HTML // what matters most
	Warning   template.HTML // what matters most, where it is bad news
	Missing   template.HTML // why there is nothing to be seen here
	List      []template.HTML
	Table     *Table
	Pictures  *Pictures
	Details   *Details
}

// Table is a table with a caption.
type Table struct {
	Caption template.HTML
	Columns []Column
	Rows    [][]template.HTML // as long as Columns
}

// Column is the head of a column.
type Column struct {
	Title string
	Class string // "name", "number", "drawn", "row" or ""
}

// Add adds a row.
func (t *Table) Add(cells ...template.HTML) { t.Rows = append(t.Rows, cells) }

// Pictures are pictures side by side, as many as the page is wide.
type Pictures struct {
	Layout  string // Single or Pairs
	Legend  []Key
	Figures []Figure
}

// Layouts.
const (
	Single = "single" // one to a line
	Pairs  = "pairs"  // two
)

// Key says what a mark in the pictures means.
type Key struct {
	Class string // of the mark: its form and its colour
	Words string
}

// Figure is a picture, and what stands below.
type Figure struct{ Picture, Caption template.HTML }

// Details can be opened. What is short is open in print.
type Details struct {
	Summary template.HTML
	Short   bool
	Blocks  []Block
}

//go:embed page.html
var source string

//go:embed page.css
var style string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{"style": func() template.CSS { return template.CSS(style) }}).Parse(source))

// Write writes the page.
func Write(w io.Writer, p Page) error {
	if err := layout.Execute(w, p); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	return nil
}

// Words is fmt.Sprintf for HTML: it escapes arguments unless they are HTML themselves.
func Words(format string, args ...any) template.HTML {
	safe := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case template.HTML:
			safe[i] = a
		case string:
			safe[i] = template.HTMLEscapeString(a)
		case int, float64:
			safe[i] = a
		default:
			panic(fmt.Sprintf("page: Words takes text, HTML and numbers, got %T", a))
		}
	}
	return template.HTML(fmt.Sprintf(format, safe...))
}
