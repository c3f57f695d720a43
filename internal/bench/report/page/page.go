// Package page lays a report out as one self-contained HTML file.
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

// Section is a part of the page with its own heading.
type Section struct {
	ID     string
	Short  string // title in the contents
	Title  string
	Blocks []Block
}

// Block has one of its fields set. Only a heading may also have an anchor.
type Block struct {
	Anchor    string
	Heading   string
	Paragraph template.HTML
	Callout   template.HTML // what matters most
	Warning   template.HTML // the most important statement, if it is bad news
	Missing   template.HTML // why there is nothing to show
	List      []template.HTML
	Table     *Table
	Figures   []Figure // pictures side by side, as many as fit the width of the page
	Details   *Details
}

// Table is a table with a caption.
type Table struct {
	Caption template.HTML
	Columns []Column
	Rows    [][]template.HTML // each is as long as Columns
}

// Column is the head of a column.
type Column struct {
	Title string
	Class string // "name", "number", "drawn" or ""
}

// Add adds a row.
func (t *Table) Add(cells ...template.HTML) { t.Rows = append(t.Rows, cells) }

// Figure is a picture with a caption below it.
type Figure struct{ Picture, Caption template.HTML }

// Details is a part that readers can open. It is not printed.
type Details struct {
	Summary template.HTML
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

// Words is fmt.Sprintf for HTML: it escapes arguments, except those of type template.HTML.
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
