package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// table shows figures of result files, a cell for each row and column.
type table struct {
	Name    string
	Source  bool   // describe above the table how the figures were measured
	Of      string // keys of all cells
	Head    string // heads of the text columns, separated by " | "
	Rows    []row
	Columns []column
	Sorted  bool // sort rows by the first column of figures
}

//go:embed tables.json
var tablesJSON []byte

// tables returns all tables of the pages.
func tables() (list []table, err error) {
	err = json.Unmarshal(tablesJSON, &list)
	return list, err
}

// row is a row of a table, or a group with a row for each combination of the values of some keys in
// the files. {KEY} in Words is replaced by the value.
type row struct {
	Words, Keys string
	Each        string // keys, separated by spaces
	Where       string // further keys, used only to find the values of Each
}

// column is a column of a table. A cell is text with figures in braces. The keys of a figure take
// precedence over those of the row. See figure.
type column struct{ Head, Cell string }

// line is a finished row.
type line struct {
	cells []string
	first float64 // the first figure
}

func (t table) written(f *filed) (string, error) {
	var lines []line
	for _, r := range t.Rows {
		ready, err := t.lines(f, r)
		if err != nil {
			return "", err
		}
		lines = append(lines, ready...)
	}
	head := strings.Split(t.Head, " | ")
	rule := slices.Repeat([]string{"---"}, len(head))
	for _, c := range t.Columns {
		if !slices.ContainsFunc(lines, func(l line) bool { return l.cells[len(head)] != gap }) {
			return "", fmt.Errorf("there is no figure in the column %s", c.Head)
		}
		head, rule = append(head, c.Head), append(rule, "---:")
	}
	if t.Sorted {
		slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.first, b.first) })
	}
	var out strings.Builder
	if t.Source {
		source, err := f.source()
		if err != nil {
			return "", err
		}
		out.WriteString(source)
	}
	for _, l := range append([]line{{cells: head}, {cells: rule}}, lines...) {
		fmt.Fprintf(&out, "| %s |\n", strings.Join(l.cells, " | "))
	}
	return out.String(), nil
}

// lines returns the finished rows of a row or a group of rows.
func (t table) lines(f *filed, r row) (list []line, err error) {
	k := parse(t.Of).with(parse(r.Keys))
	if r.Each == "" {
		l, err := t.line(f, r.Words, k)
		return []line{l}, err
	}
	done := map[string]bool{}
	for _, s := range f.find(k.with(parse(r.Where))) {
		values, words := keys{}, r.Words
		for _, key := range strings.Fields(r.Each) {
			values[key] = s.Name.Get(key)
			words = strings.ReplaceAll(words, "{"+key+"}", s.Name.Get(key))
		}
		if done[words] {
			continue
		}
		done[words] = true
		l, err := t.line(f, words, k.with(values))
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	if list == nil {
		err = fmt.Errorf("there are no rows of %s", r.Words)
	}
	return list, err
}

// gap replaces a missing figure.
const gap = "–"

var braces = regexp.MustCompile(`\{[^}]+\}`)

func (t table) line(f *filed, words string, k keys) (l line, err error) {
	l.cells = strings.Split(words, " | ")
	empty := true
	for i, c := range t.Columns {
		found := false
		cell := braces.ReplaceAllStringFunc(c.Cell, func(text string) string {
			shown, value, wrong := f.figure(strings.Trim(text, "{}"), k)
			if wrong != nil {
				err = fmt.Errorf("%s, %s: %w", words, c.Head, wrong)
			}
			if i == 0 && !found {
				l.first = value
			}
			found = found || shown != gap
			return shown
		})
		if !found {
			cell = gap
		}
		empty = empty && !found
		l.cells = append(l.cells, cell)
	}
	if empty && err == nil {
		err = fmt.Errorf("there is no figure in the row %s", words)
	}
	return l, err
}
