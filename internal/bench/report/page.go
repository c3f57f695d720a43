package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

// page is one self-contained HTML file.
type page struct {
	Title    string
	Subtitle template.HTML
	Sections []section
}

// section is a part of the page with its own heading.
type section struct {
	ID     string
	Short  string // title in the contents
	Title  string
	Blocks []block
}

// block has one of its fields set. Only a heading may also have an anchor.
type block struct {
	Anchor    string
	Heading   string
	Paragraph template.HTML
	Callout   template.HTML // what matters most
	Warning   template.HTML // the most important statement, if it is bad news
	Missing   template.HTML // why there is nothing to show
	List      []template.HTML
	Table     *table
	Details   *details
}

// table is a table with a caption.
type table struct {
	Caption template.HTML
	Columns []column
	Rows    [][]template.HTML // each is as long as Columns
}

// column is the head of a column.
type column struct {
	Title string
	Class string // "name", "number", "drawn" or ""
}

func (t *table) add(cells ...template.HTML) { t.Rows = append(t.Rows, cells) }

// details is a part that readers can open. It is not printed.
type details struct {
	Summary template.HTML
	Blocks  []block
}

//go:embed page.html
var source string

//go:embed page.css
var style string

var layout = template.Must(template.New("page").Funcs(template.FuncMap{"style": func() template.CSS { return template.CSS(style) }}).Parse(source))

func (p page) write(w io.Writer) error {
	if err := layout.Execute(w, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// markup is fmt.Sprintf for HTML: it escapes arguments, except those of type template.HTML.
func markup(format string, args ...any) template.HTML {
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
			panic(fmt.Sprintf("report: markup takes text, HTML and numbers, got %T", a))
		}
	}
	return template.HTML(fmt.Sprintf(format, safe...))
}
